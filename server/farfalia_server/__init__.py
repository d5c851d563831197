"""The tournament server: everything with a socket, a clock or a disk."""

from importlib.metadata import version

__version__ = version("farfalia")
