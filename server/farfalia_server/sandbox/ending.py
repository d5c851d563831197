"""How a program ended, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from signal import Signals


class Limit(StrEnum):
    """A limit that can end a program."""

    MEMORY = "memory"
    CPU = "cpu"
    PROCESSES = "processes"
    OUTPUT = "output"
    DISK = "disk"
    FILES = "files"
    FILE_SIZE = "file size"
    WALL = "time"


@dataclass(frozen=True)
class Ending:
    """What is known of a program that has ended.

    Either `exit_code` or `signal` is None. `limit` is the limit that ended it, None if none did; `stopped` is whether
    it was told to end. Peak memory is in bytes, CPU in seconds, both with all that the program started.
    """

    exit_code: int | None
    signal: int | None
    tail: Sequence[str]
    peak_memory: int
    cpu_seconds: float
    limit: Limit | None = None
    #: What the limit was, such as "it used more than 64 MB of memory"; empty if none ended it.
    reason: str = ""
    stopped: bool = False

    def __str__(self) -> str:
        """Return how it ended, as the end of a sentence."""
        if self.reason:
            return f"was ended: {self.reason}"
        if self.signal is None:
            return f"ended with exit code {self.exit_code}"
        try:
            name = f" ({Signals(self.signal).name})"
        except ValueError:
            name = ""
        return f"was ended by signal {self.signal}{name}"


def size(number: int) -> str:
    """Return a number of bytes as a sentence says it."""
    for unit, name in ((1 << 20, "MB"), (1 << 10, "KB")):
        if number >= unit:
            return f"{number / unit:,.4g} {name}"
    return f"{number} bytes"
