"""What a process and all below it use, from /proc."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
#: What reading of a process may fail with that ends meanwhile, or is hidden from us.
_GONE = (OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Process:
    """One process, as it was when it was looked at: bytes of resident memory, seconds of CPU with its dead children."""

    pid: int
    depth: int
    memory: int
    cpu: float
    threads: int


def tree(root: int) -> list[Process]:
    """Return a process, at depth 0, and all below it that were found; empty if it has ended."""
    found: list[Process] = []
    seen: set[int] = set()
    level, depth = [root], 0
    while level:
        below: list[int] = []
        for pid in level:
            if pid in seen:
                continue
            seen.add(pid)
            with suppress(*_GONE):
                found.append(_process(pid, depth))
                below += _children(pid)
        level, depth = below, depth + 1
    return found


def memory_of(processes: Iterable[Process]) -> int:
    """Return the bytes that processes hold together, where shared pages count once as far as the system says so."""
    return sum(_shared_out(process) for process in processes)


def send(processes: Iterable[Process], number: signal.Signals) -> None:
    """Send a signal to each that is still there."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, number)


def processes_of(user: int) -> list[int]:
    """Return the processes of a user id."""
    found = []
    for path in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            if path.stat().st_uid == user:
                found.append(int(path.name))
    return found


def has_children_files() -> bool:
    """Return whether the kernel tells which processes a process has started."""
    return (_PROC / "self/task" / str(os.getpid()) / "children").exists()


def _process(pid: int, depth: int) -> Process:
    # The name of the program, in parentheses, may hold anything.
    fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    if fields[0] == b"Z":
        # Its memory is gone, and it still counts as a process; CPU as below.
        return Process(pid, depth, 0, sum(map(int, fields[11:15])) / _TICKS, 1)
    return Process(pid, depth, int(fields[21]) * _PAGE, sum(map(int, fields[11:15])) / _TICKS, int(fields[17]))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for thread in (_PROC / str(pid) / "task").iterdir():
        with suppress(*_GONE):
            found += map(int, (thread / "children").read_bytes().split())
    return found


def _shared_out(process: Process) -> int:
    with suppress(*_GONE):
        for line in (_PROC / str(process.pid) / "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return process.memory
