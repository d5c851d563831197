"""Looks at what a program uses, and says which of its limits it has reached."""

from __future__ import annotations

import signal
import time

from farfalia_server.sandbox.driver import DiskUse, Launch
from farfalia_server.sandbox.ending import Limit, size
from farfalia_server.sandbox.giving_way import give_way, takes_much
from farfalia_server.sandbox.process_tree import Process, memory_of, send, tree
from farfalia_server.sandbox.program import Limits

#: Seconds between two looks: at a program that is young or takes much, and at another one; a look takes a third of a
#: millisecond.
_SOON, _LATER = 0.05, 0.25
#: Seconds for which a program is young, and the share of a limit that is much.
_YOUNG, _MUCH = 2.0, 0.5
#: Seconds of CPU that may be used beyond the share before a program is slowed down.
_BURST = 0.5


class Watch:
    """What was seen of one program: its peak memory, its CPU, and the first limit that it reached.

    Where the kernel counts for the whole program, by a cgroup, it enforces memory and CPU itself and is faster; these
    looks find out which limit it was.
    """

    def __init__(self, limits: Limits, launch: Launch) -> None:
        #: Bytes, seconds.
        self.peak_memory, self.cpu = 0, 0.0
        self.limit: Limit | None = None
        #: Seconds until it should be looked at again.
        self.pause = _SOON
        self._limits = limits
        self._launch = launch
        self._credit, self._at = _BURST, time.monotonic()
        self._paused = False
        self._gives_way = False
        #: Processes that let others go first.
        self._given_way: set[int] = set()

    def look(self, pid: int, age: float) -> None:
        """Look at the program below this process, which was started `age` seconds ago."""
        limits, everything = self._limits, tree(pid)
        own = [one for one in everything if one.depth >= self._launch.own_levels]
        cpu = max(self.cpu, sum(one.cpu for one in everything))
        used, self.cpu = cpu - self.cpu, cpu
        self._give_way(own, age)
        if limits.wall_seconds is not None and age >= limits.wall_seconds:
            self.reach(Limit.WALL)
        elif not self._launch.own_processes_seen:
            return
        elif limits.cpu_seconds is not None and cpu >= limits.cpu_seconds:
            self.reach(Limit.CPU)
        elif (processes := sum(one.threads for one in own)) > limits.processes:
            self.reach(Limit.PROCESSES)
        elif (memory := self._memory(own)) > limits.memory:
            self.reach(Limit.MEMORY)
        elif own:
            disk = self._launch.disk_use(own[0].pid)
            if disk is not None:
                self._look_at_disk(disk)
            much = memory > _MUCH * limits.memory or processes > _MUCH * limits.processes
            self.pause = _SOON if much or self._paused or age < _YOUNG else _LATER
        self._slow_down(own, used)

    def reach(self, limit: Limit) -> None:
        """Record that this limit was reached, if it is the first one."""
        self.limit = self.limit or limit

    def reason_of(self, limit: Limit) -> str:
        """Return what a limit was, as a sentence about it."""
        limits = self._limits
        match limit:
            case Limit.MEMORY:
                return f"it used more than {size(limits.memory)} of memory"
            case Limit.CPU:
                return f"it used more than {limits.cpu_seconds:g} seconds of CPU"
            case Limit.PROCESSES:
                return f"it had more than {limits.processes} processes and threads"
            case Limit.OUTPUT:
                return f"it wrote more than {size(limits.output)} of output within a minute"
            case Limit.DISK:
                return f"it filled its {size(limits.disk)} for temporary files"
            case Limit.FILES:
                return f"it had more than {limits.files:,} temporary files"
            case Limit.FILE_SIZE:
                return f"it wrote a file of more than {size(limits.disk)}"
            case Limit.WALL:
                return f"it ran for more than {limits.wall_seconds:g} seconds"

    def _memory(self, own: list[Process]) -> int:
        memory = sum(one.memory for one in own)
        if memory > self._limits.memory and len(own) > 1:
            memory = memory_of(own)  # what they share was counted more than once
        self.peak_memory = max(self.peak_memory, memory)
        return memory

    def _look_at_disk(self, disk: DiskUse) -> None:
        if disk.files > self._limits.files:
            self.reach(Limit.FILES)
        elif disk.bytes >= self._limits.disk:
            self.reach(Limit.DISK)

    def _give_way(self, own: list[Process], age: float) -> None:
        """Let others go first once it takes much, and from then on."""
        if not self._gives_way:
            self._gives_way = self._limits.gives_way or takes_much(self.cpu, age)
            if not self._gives_way:
                return
            self._launch.give_way()
        give_way(own, self._given_way)

    def _slow_down(self, own: list[Process], used: float) -> None:
        """Pause a program that has used more than its share of the CPU until the share has made up for it."""
        now = time.monotonic()
        self._credit = min(_BURST, self._credit + (now - self._at) * self._limits.cpu_share) - used
        self._at = now
        if self._credit < 0:
            self._paused = True
            send(own, signal.SIGSTOP)
        elif self._paused:
            self._paused = False
            send(own, signal.SIGCONT)
