"""The tournament server: everything with a socket, a clock or a disk."""

from importlib.metadata import version

#: What the names of all our environment variables begin with.
PREFIX = "FARFALIA_"

__version__ = version("farfalia")
