"""One long run: matches, kills and outages at moments that a seed decides."""

from __future__ import annotations

import os
import random
import re
import signal
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.field import Field
from tests.endurance.memory import Memory
from tests.endurance.verdict import Verdict, judge
from tests.server.live import LiveServer
from tests.server.postgres_fixture import Postgres

#: The share of the matches in which something happens: afterwards the server lives on, and its memory can be watched.
_TROUBLED = 0.5
#: Seconds between two looks, after which a server that does nothing any more is given up, and between two lines.
_LOOK, _STILL, _SAY = 0.2, 300.0, 15.0
#: Seconds that an outage lasts at most.
_LONGEST_OUTAGE = 8.0
_OPEN = re.compile(r'^farfalia_matches\{state="(?:queued|running)"\} (\S+)$', re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """How long a run is, and how much happens in it."""

    matches: int
    kills: int
    outages: int
    seed: int


class LongRun:
    """A run on one database: SQLite, or this PostgreSQL."""

    def __init__(self, folder: Path, plan: Plan, postgres: Postgres | None) -> None:
        self._folder = folder
        self._plan = plan
        self._postgres = postgres
        self._random = random.Random(plan.seed)
        self._memory = Memory()
        self._verdict = Verdict("sqlite" if postgres is None else "postgresql")
        self._matches = 0
        self._finished = 0

    def run(self) -> Verdict:
        """Play, and judge."""
        settings: dict[str, object] = {
            "max_tables": 256,
            "absence_ms": 20_000,
            "log_level": "warning",
            "database_url": "" if self._postgres is None else self._postgres.database(),
        }
        # Not forked: its memory is to be that of a server.
        self._server = LiveServer(self._folder, settings, program=("-m", "farfalia_server"), patience=_STILL)
        began = time.monotonic()
        with ExitStack() as stack:
            self._start()
            stack.callback(self._stop)
            self._field = Field(self._server, stack)
            self._field.connect()
            tournaments = self._field.begin(self._plan.matches)
            self._matches = sum(tournaments.values())
            happened = self._go_through(self._events())
            took = time.monotonic() - began
            self._verdict.figures |= {
                "kills": str(happened["kill"]),
                "outages of PostgreSQL": str(happened["postgresql"]),
                "outages of Redis": str(happened["redis"]),
                "minutes": f"{took / 60:.1f}",
                "matches a second": f"{self._finished / took:.1f}",
            }
            judge(self._verdict, [self._server], tournaments, [self._memory])
        return self._verdict

    def _events(self) -> list[tuple[int, str]]:
        """What happens, each when so many matches have been finished."""
        kinds = ["kill"] * self._plan.kills
        if self._postgres is not None:
            kinds += ["postgresql", "redis"] * self._plan.outages
        most = int(self._matches * _TROUBLED)
        return sorted((self._random.randint(1, max(1, most)), kind) for kind in kinds)

    def _go_through(self, events: list[tuple[int, str]]) -> dict[str, int]:
        """Play to the end, and let everything happen on the way; return what did, and how often."""
        act: dict[str, Callable[[], None]] = {
            "kill": self._kill,
            "postgresql": self._stop_postgres,
            "redis": self._stop_redis,
        }
        happened = dict.fromkeys(act, 0)
        said, moved = 0.0, time.monotonic()
        while self._finished < self._matches:
            if self._tick():
                moved = time.monotonic()
            if time.monotonic() - moved > _STILL:
                self._verdict.faults.append(f"nothing has ended for {_STILL:.0f} s")
                break
            if lost := self._field.lost():
                self._verdict.faults.append(f"the processes of {', '.join(lost)} have ended")
                break
            if events and self._finished >= events[0][0]:
                _, kind = events.pop(0)
                time.sleep(self._random.uniform(0, 0.5))  # in the middle of anything
                act[kind]()
                happened[kind] += 1
            if time.monotonic() - said > _SAY:
                said = time.monotonic()
                self._say(happened)
            time.sleep(_LOOK)
        self._say(happened)
        return happened

    def _tick(self) -> bool:
        """Read how far the server is; return whether matches have ended since."""
        before = self._finished
        try:
            with urllib.request.urlopen(f"http://{self._server.http_address}/metrics", timeout=10) as answer:
                open_matches = [int(float(number)) for number in _OPEN.findall(answer.read().decode())]
        except OSError:  # it is being started, or its database does not answer
            return False
        if len(open_matches) == 2:
            self._finished = max(before, self._matches - sum(open_matches))
            self._memory.look(self._server.process.pid, self._finished)
        return self._finished > before

    def _say(self, happened: dict[str, int]) -> None:
        size = self._memory.lives[-1][-1][1] / 2**20 if self._memory.lives[-1] else 0
        told = ", ".join(f"{kind} {number}" for kind, number in happened.items() if number) or "no trouble yet"
        print(f"{self._verdict.name}: {self._finished}/{self._matches} matches, {size:.0f} MiB, {told}", flush=True)

    def _start(self) -> None:
        try:
            self._server.start()
        except BaseException:
            self._server.process.kill()
            raise
        self._memory.lives.append([])

    def _stop(self) -> None:
        if self._server.process.poll() is None:
            self._server.stop()

    def _kill(self) -> None:
        self._server.kill()
        time.sleep(self._random.uniform(0, 1))
        self._start()

    def _stop_postgres(self) -> None:
        assert self._postgres is not None
        self._postgres.stop()
        time.sleep(self._random.uniform(0.5, _LONGEST_OUTAGE))
        if self._random.random() < 0.5:
            self._postgres.go_on()
        else:
            with self._postgres.starting_up():
                time.sleep(self._random.uniform(0, 1))

    def _stop_redis(self) -> None:
        """Kill Redis, which the server starts again, or stop it for a while."""
        process = int((self._folder / "data" / "redis" / "redis.pid").read_text() or 0)
        if not process:
            return
        if self._random.random() < 0.5:
            os.kill(process, signal.SIGKILL)
            time.sleep(1)
            return
        os.kill(process, signal.SIGSTOP)
        try:
            time.sleep(self._random.uniform(0.5, _LONGEST_OUTAGE))
        finally:
            os.kill(process, signal.SIGCONT)
