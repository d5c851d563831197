"""Who plays in the long run, and in which tournaments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from tests.server.live import LiveServer

from farfalia.v1 import record_pb2, stages_pb2, tournaments_pb2

#: Sample bots, each in a process of its own, and how many matches each of them plays at once.
LIVE = {
    "live-1": "greedy",
    "live-2": "cautious",
    "live-3": "random",
    "live-4": "greedy",
    "live-5": "cautious",
    "live-6": "greedy",
}
AT_ONCE = 64
#: A bot that never connects, and hostile ones.
AWAY = "away"
HOSTILE = tuple(f"hostile-{number}" for number in range(1, 8))
#: Nobody plays out of time, however busy the machine is; beside hostile bots nobody waits for them for long.
_PATIENT = record_pb2.TimeControl(limit_ms=60_000, bank_ms=600_000, grace=3)
_STRICT = record_pb2.TimeControl(limit_ms=5000, bank_ms=0, grace=0)


@dataclass(frozen=True)
class Event:
    """A tournament of one table: who plays, and its share of all matches."""

    bots: tuple[str, ...]
    share: float
    control: record_pb2.TimeControl = field(default_factory=lambda: _PATIENT)
    #: Points to which a match is played: a few deals, so that the server is killed in the middle of many.
    target: int = 20


EVENTS = (
    Event(("live-1", "live-2", "live-3", "live-4"), 0.45),
    Event(("live-5", "live-6", "house-greedy-1", "house-random-1"), 0.40),
    Event(("live-3", "live-5", AWAY, "house-cautious-1"), 0.05),
    Event(("live-1", "live-6", *HOSTILE[0:2]), 0.025, _STRICT, target=1),
    Event(("live-2", "live-5", *HOSTILE[2:4]), 0.025, _STRICT, target=1),
    Event(("live-3", "live-6", *HOSTILE[4:6]), 0.025, _STRICT, target=1),
    Event(("live-4", "live-5", HOSTILE[6], "house-greedy-1"), 0.025, _STRICT, target=1),
)
#: Longer matches, since nodes go every few seconds.
CLUSTER_EVENTS = (
    Event(("live-1", "live-2", "live-3", "live-4"), 0.4, target=100),
    Event(("live-5", "live-6", "house-greedy-1", "house-random-1"), 0.3, target=100),
    Event(("live-1", "live-3", "live-5", "house-cautious-1"), 0.3, target=100),
)

#: Hostile bots leave together, which looks like an outage, and their strikes are to count.
_NEVER = tournaments_pb2.NetworkRule(percent=0, seconds=30, settling=10)


class Field:
    """The processes of all bots, which dial `dial`, and the numbers of the tournaments."""

    def __init__(
        self, server: LiveServer, stack: ExitStack, *, dial: str = "", events: Sequence[Event] = EVENTS
    ) -> None:
        self._server = server
        self._stack = stack
        self._dial = dial or server.grpc_address
        self._events = events
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def connect(self) -> None:
        """Register all bots, and start those that ever connect."""
        server = self._server
        for name, sample in LIVE.items():
            environment = {"FARFALIA_SERVER": self._dial, "FARFALIA_TOKEN": server.register(name)}
            command = ["farfalia.bots", sample, "--quiet", "--matches", str(AT_ONCE), "--questions", str(AT_ONCE)]
            self._start(name, command, environment)
        playing = {name for event in self._events for name in event.bots}
        if AWAY in playing:
            server.register(AWAY)
        if not playing.isdisjoint(HOSTILE):
            self._connect_hostile()

    def _connect_hostile(self) -> None:
        server = self._server
        hostile = [(name, server.register(name)) for name in HOSTILE]
        process = self._start("hostile", ["tests.endurance.hostile_bots", self._dial], {}, stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(json.dumps(hostile).encode() + b"\n")
        process.stdin.flush()

    def begin(self, matches: int) -> dict[int, int]:
        """Start all tournaments, with about this many matches in total; return the matches of each, by number."""
        numbers = {}
        for event in self._events:
            rounds = max(1, round(event.share * matches))
            number = self._server.tournament(
                event.bots,
                rounds=rounds,
                control=event.control,
                ruleset="four",
                options={"target": str(event.target)},
                boards=stages_pb2.BOARDS_FRESH,
                network_rule=None if set(event.bots).isdisjoint(HOSTILE) else _NEVER,
            )
            numbers[number] = rounds
        return numbers

    def lost(self) -> list[str]:
        """Return the bots whose process has ended."""
        return [name for name, process in self.processes.items() if process.poll() is not None]

    def _start(
        self, name: str, command: list[str], environment: dict[str, str], stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self._server.folder / f"{name}.log").open("wb"))
        process = subprocess.Popen(
            [sys.executable, "-m", *command], env=os.environ | environment, stdin=stdin, stdout=log, stderr=log
        )
        self.processes[name] = process
        self._stack.callback(_end, process)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()
