"""Version of the engine, which records name."""

from typing import Final

VERSION: Final = "0.1.0"
