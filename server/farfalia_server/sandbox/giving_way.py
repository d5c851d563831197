"""A program that takes much of a CPU lets the others go first."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from farfalia_server.sandbox.process_tree import Process

#: By how much a program that gives way is nicer than this process: where both want a CPU, it gets a quarter as much.
_NICER = 6
_NICEST = 19
#: Seconds of CPU, and the share of the time since its start, above which a program takes much.
_START, _SHARE = 1.0, 0.25
_PROC = Path("/proc")


def takes_much(cpu: float, age: float) -> bool:
    """Return whether a program does, by its seconds of CPU and since its start: more than one that has only started."""
    return cpu > _START + _SHARE * age


def give_way(processes: list[Process], given: set[int]) -> None:
    """Make processes nicer whose numbers are not in `given`, and add them; those that they start are as nice as they.

    Linux has a niceness for each thread, and one for each session where it groups them (autogroups).
    """
    niceness = min(_NICEST, os.getpriority(os.PRIO_PROCESS, 0) + _NICER)
    for process in processes:
        if process.pid in given:
            continue
        given.add(process.pid)
        with suppress(OSError):  # it has ended, or is hidden from us
            for thread in (_PROC / str(process.pid) / "task").iterdir():
                os.setpriority(os.PRIO_PROCESS, int(thread.name), niceness)
        with suppress(OSError):  # no such groups, or too soon after the last change
            (_PROC / str(process.pid) / "autogroup").write_text(str(niceness))
