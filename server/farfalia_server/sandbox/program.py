"""What is run, and how much of the machine it may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Program:
    """A program and its folder, which it may read, and write to if it is `writable`.

    Relative paths in the command start from the folder.

    `runtimes` are more directories that it may read, at their own places: an interpreter or libraries outside of the
    system's directories. `image` is what a container starts from. Names of the environment are those of a shell.
    """

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    runtimes: Sequence[Path] = ()
    image: str = ""
    #: Whether it may write to its folder, as a build does; what is there then counts as its disk.
    writable: bool = False


@dataclass(frozen=True)
class Limits:
    """What a program may use, together with all that it starts; None is no limit."""

    #: Bytes of memory.
    memory: int = 512 * _MEGABYTE
    #: Seconds of CPU from start to end.
    cpu_seconds: float | None = None
    #: CPUs; 0.5 is half the time of one. Who uses more is slowed down, not ended.
    cpu_share: float = 1.0
    #: Whether it lets other programs go first from its start on; one that takes much of a CPU does so in any case.
    gives_way: bool = False
    #: Processes and threads at a time.
    processes: int = 128
    #: Open files of each process.
    open_files: int = 256
    #: Bytes on standard output and standard error within a minute.
    output: int = _MEGABYTE
    #: Bytes in /tmp, which is all that it may write to, and of each file there.
    disk: int = 32 * _MEGABYTE
    #: Files and directories in /tmp.
    files: int = 10_000
    #: Seconds from start to end.
    wall_seconds: float | None = None
