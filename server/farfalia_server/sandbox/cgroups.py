"""A control group (cgroup v2) for each program, where this process may make some: the kernel then counts for it."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from farfalia_server.sandbox.driver import Launch
from farfalia_server.sandbox.program import Limits

#: What has to be counted.
_CONTROLLERS = frozenset({"cpu", "memory", "pids"})
#: The group into which the processes that are in ours go: a group with groups below it holds none itself.
_OURS = "farfalia-server"
#: Microseconds over which a share of the CPU is counted.
_PERIOD = 100_000
#: The weight of a group that gives way; 100 is an ordinary one's.
_LIGHT = 25
#: Processes of the driver in a group, and those that a program is seen to have too many.
_MORE_PROCESSES = 16
#: Seconds until a group is empty whose processes were killed.
_PATIENCE = 2.0


@cache
def obstacle(*, change: bool = True) -> str:
    """Return why no group can be made for a program, as the end of a sentence; empty if it can.

    With `change` the first call moves the processes of this one's group into a group below it, if they stand in the
    way.
    """
    own = _parent()
    if own is None:
        return "no cgroup v2 is mounted in which this process is"
    try:
        there = set((own / "cgroup.controllers").read_text().split())
    except OSError as error:
        return f"{own} cannot be read: {(error.strerror or str(error)).lower()}"
    if missing := _CONTROLLERS - there:
        return f"cgroup v2 at {own} lacks the controllers {', '.join(sorted(missing))}"
    if not os.access(own / "cgroup.subtree_control", os.W_OK) or not os.access(own, os.W_OK):
        return f"{own} is not delegated to this user; systemd does so with Delegate=yes"
    if set((own / "cgroup.subtree_control").read_text().split()) >= _CONTROLLERS:
        return ""
    if not change:
        return ""
    try:
        _make_room(own)
    except OSError as error:
        return f"{own} cannot be divided: {(error.strerror or str(error)).lower()}"
    return ""


class Group:
    """A group with these limits, removed with all processes in it at the end of the block."""

    def __init__(self, limits: Limits) -> None:
        parent = _parent()
        assert parent is not None
        self._folder = parent / f"farfalia-program-{secrets.token_hex(8)}"
        self._limits = limits

    def __enter__(self) -> Self:
        self._folder.mkdir()
        limits = self._limits
        values = {
            "memory.max": str(limits.memory + limits.disk),  # what is in /tmp is memory, too
            "memory.swap.max": "0",
            "memory.oom.group": "1",
            "pids.max": str(limits.processes + _MORE_PROCESSES),
            "cpu.max": f"{int(limits.cpu_share * _PERIOD)} {_PERIOD}",
        }
        for name, value in values.items():
            with suppress(FileNotFoundError):  # a kernel without swap has no file for it
                (self._folder / name).write_text(value)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        deadline = time.monotonic() + _PATIENCE
        while True:
            self.kill()
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() > deadline:
                    return
                time.sleep(0.005)
            else:
                return

    def around(self, launch: Launch) -> Launch:
        """Return a launch that enters the group before it does anything else."""
        enter = ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(self._folder / "cgroup.procs")]
        command = [*enter, *launch.command]
        return replace(
            launch, command=command, kill=self.kill, give_way=self.give_way, out_of_memory=self.out_of_memory
        )

    def give_way(self) -> None:
        """Let it get less of a CPU than the groups beside it."""
        with suppress(OSError):
            (self._folder / "cpu.weight").write_text(str(_LIGHT))

    def out_of_memory(self) -> bool:
        """Return whether the kernel has killed processes of it for their memory."""
        with suppress(OSError):
            events = dict(line.split() for line in (self._folder / "memory.events").read_text().splitlines())
            return int(events.get("oom_kill", "0")) > 0
        return False

    def kill(self) -> None:
        """Kill every process in it."""
        with suppress(OSError):
            (self._folder / "cgroup.kill").write_text("1")


def _parent() -> Path | None:
    """Return the folder below which groups are made; None where there is no cgroup v2."""
    try:
        groups = Path("/proc/self/cgroup").read_text().splitlines()
        mounts = Path("/proc/self/mounts").read_text().splitlines()
    except OSError:
        return None
    path = next((line[3:] for line in groups if line.startswith("0::")), None)
    mounted = next((line.split()[1] for line in mounts if line.split()[2] == "cgroup2"), None)
    if path is None or mounted is None:
        return None
    own = Path(mounted + path)
    return own.parent if own.name == _OURS else own


def _make_room(own: Path) -> None:
    """Let groups below ours be counted; OSError if that is not allowed."""
    wanted = " ".join(f"+{name}" for name in sorted(_CONTROLLERS))
    with suppress(OSError):  # the topmost group may hold processes all the same
        (own / "cgroup.subtree_control").write_text(wanted)
        return
    below = own / _OURS
    below.mkdir(exist_ok=True)
    for pid in (own / "cgroup.procs").read_text().split():
        with suppress(ProcessLookupError):
            (below / "cgroup.procs").write_text(pid)
    (own / "cgroup.subtree_control").write_text(wanted)
