"""What each way to confine a program provides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from farfalia_server.sandbox.program import Limits, Program

#: What every program finds in its environment beside what is set for it.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108
#: Where a program's folder and the server's socket are, in drivers that give it a root of its own.
FOLDER, SOCKET = "/program", "/run/farfalia.sock"


@dataclass(frozen=True)
class DiskUse:
    """What a program keeps in /tmp: bytes, and files with directories."""

    bytes: int
    files: int


@dataclass(frozen=True)
class Launch:
    """How a program is started, and what is looked at while it runs."""

    command: Sequence[str]
    environment: Mapping[str, str]
    #: The directory in which the command is started.
    folder: Path = Path("/")
    #: Descriptors that it inherits.
    descriptors: Sequence[int] = ()
    #: Levels at the top of the tree of processes that are the driver's own.
    own_levels: int = 0
    #: Whether what the program uses is seen in its processes; an engine for containers has them elsewhere.
    own_processes_seen: bool = True
    #: The first process of its namespace, with which all others have ended; None if there is none, or not yet.
    first_process: Callable[[], int | None] = lambda: None
    #: Whether an exit code above 128 stands for a signal, as in a shell.
    signals_as_codes: bool = True
    #: What it keeps in /tmp, as one of its processes sees it; None if that is not known.
    disk_use: Callable[[int], DiskUse | None] = lambda _: None
    #: Ends what is not below the process that was started.
    kill: Callable[[], None] = lambda: None
    #: Lets others go first where more than the niceness of its processes decides that.
    give_way: Callable[[], None] = lambda: None
    #: Whether the kernel has ended it for its memory.
    out_of_memory: Callable[[], bool] = lambda: False
    #: Has what is to be released at the end.
    stack: ExitStack = field(default_factory=ExitStack)


class Driver(Protocol):
    """One way to confine a program."""

    @property
    def name(self) -> str:
        """What it is called on a command line."""

    @property
    def protects(self) -> str:
        """What it protects from, as a sentence."""

    def obstacle(self) -> str:
        """Return what it lacks here, as the end of a sentence; empty if a program can be tried."""

    def address(self, socket: Path) -> str:
        """Return where a program finds the server that listens on this socket."""

    def launch(self, program: Program, limits: Limits, socket: Path | None) -> Launch:
        """Prepare to start a program, which reaches this socket and nothing else; ProgramError if it cannot be."""
