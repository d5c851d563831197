"""What the bots of a benchmark share: when they answer, and what is counted while they are measured.

All bots of a system play in one process, so that an answer of one and the next question to another are timed by the
same clock. They answer at once, or at a pace, or not at all: a system whose bots hold their answers back is idle, and
another can be measured meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import NamedTuple, Protocol

import grpc

from farfalia import grpc_wakeups
from farfalia.bot_stream import OPTIONS
from farfalia.channels import open_channel
from farfalia.settings import Server
from farfalia_server.net.measures import percentile
from farfalia_tools.bench.processes import cpu_seconds

#: Seconds that releases may lie behind; what was due before is left out instead of caught up with.
_BEHIND = 0.05
#: Seconds that a slice goes on, at most, until something was timed in it.
_PATIENCE = 60.0


class TimedAnswer(NamedTuple):
    """An answer to a question."""

    match: int
    number: int
    action: int


class BenchStream(Protocol):
    """What answers are sent by."""

    def put(self, answers: Sequence[TimedAnswer]) -> None:
        """Send these in one message, soon."""


@dataclass(slots=True)
class Slice:
    """What was counted in one slice of time; times in seconds."""

    seconds: float = 0.0
    decisions: int = 0
    #: Messages with questions, by how many were in them.
    batches: dict[int, int] = field(default_factory=dict)
    #: Matches finished.
    matches: float = 0.0
    server_cpu: float = 0.0
    redis_cpu: float = 0.0
    bot_cpu: float = 0.0
    #: From handing an answer to gRPC until the next question of its match was read.
    overhead_p50: float = 0.0
    overhead_p99: float = 0.0


def added(slices: Sequence[Slice]) -> Slice:
    """Return the slices of several processes of bots, which were counted at the same time, as one.

    A percentile of its waits comes from the process that waited longest.
    """
    return Slice(
        max(entry.seconds for entry in slices),
        sum(entry.decisions for entry in slices),
        dict(sum((Counter(entry.batches) for entry in slices), Counter())),
        sum(entry.matches for entry in slices),
        server_cpu=sum(entry.server_cpu for entry in slices),
        redis_cpu=sum(entry.redis_cpu for entry in slices),
        bot_cpu=sum(entry.bot_cpu for entry in slices),
        overhead_p50=max(entry.overhead_p50 for entry in slices),
        overhead_p99=max(entry.overhead_p99 for entry in slices),
    )


class Load:
    """The bots' answers, held back or sent, and the counters of a slice."""

    def __init__(self, seed: int = 1) -> None:
        self.random = Random(seed)
        self._rate: float | None = 0.0
        self._held: deque[tuple[BenchStream, TimedAnswer]] = deque()
        self._wake = asyncio.Event()
        self._answered: dict[int, float] = {}
        self._overheads: list[float] = []
        self._timed = asyncio.Event()
        self._batches = Counter[int]()
        self._decisions = 0
        self._matches = 0.0
        self._releasing = asyncio.create_task(self._release())

    def asked(self, stream: BenchStream, answers: Sequence[TimedAnswer]) -> None:
        """Count the questions of a message, which these answer, and answer them when it is time."""
        now = time.perf_counter()
        self._batches[len(answers)] += 1
        for answer in answers:
            before = self._answered.pop(answer.match, None)
            if before is not None:
                self._overheads.append(now - before)
                self._timed.set()
        if self._rate is None:
            self._send(stream, answers)
        else:
            self._held.extend((stream, answer) for answer in answers)
            self._wake.set()

    def finished(self, matches: float) -> None:
        """Count matches, or a seat's share of one."""
        self._matches += matches

    async def slice(
        self, seconds: float, rate: float | None, settle: float, servers: Iterable[int], redis: Iterable[int]
    ) -> Slice:
        """Answer at this rate a second (None: at once), count after `settle` seconds, and hold answers back again.

        On a machine that is too busy for one answer in that time, a slice goes on until one has been timed.
        """
        servers, redis = list(servers), list(redis)
        self._set_rate(rate)
        await asyncio.sleep(settle)
        self._answered.clear()
        self._overheads.clear()
        self._timed.clear()
        self._batches.clear()
        decisions, matches, began = self._decisions, self._matches, time.perf_counter()
        cpu = _cpu(servers), _cpu(redis), time.process_time()
        await asyncio.sleep(seconds)
        if rate != 0:
            await asyncio.wait_for(self._timed.wait(), _PATIENCE)
        counted = Slice(
            time.perf_counter() - began,
            self._decisions - decisions,
            dict(self._batches),
            self._matches - matches,
            server_cpu=_cpu(servers) - cpu[0],
            redis_cpu=_cpu(redis) - cpu[1],
            bot_cpu=time.process_time() - cpu[2],
            overhead_p50=percentile(self._overheads, 0.5),
            overhead_p99=percentile(self._overheads, 0.99),
        )
        self._set_rate(0.0)
        return counted

    async def obey(self, lines: asyncio.StreamReader) -> None:
        """Measure a slice for each line, which gives the arguments, until there is no more."""
        while line := await lines.readline():
            print(json.dumps(asdict(await self.slice(**json.loads(line)))), flush=True)

    def _set_rate(self, rate: float | None) -> None:
        self._rate = rate
        self._wake.set()

    def _send(self, stream: BenchStream, answers: Sequence[TimedAnswer]) -> None:
        now = time.perf_counter()
        for answer in answers:
            self._answered[answer.match] = now
        self._decisions += len(answers)
        stream.put(answers)

    async def _release(self) -> None:
        """Send what is held: all of it, or one answer at a time at moments that chance decides, at the rate given."""
        due = 0.0
        while True:
            if not self._held or self._rate == 0:
                self._wake.clear()
                await self._wake.wait()
            elif self._rate is None:
                by_stream: dict[BenchStream, list[TimedAnswer]] = {}
                while self._held:
                    stream, answer = self._held.popleft()
                    by_stream.setdefault(stream, []).append(answer)
                for stream, answers in by_stream.items():
                    self._send(stream, answers)
            else:
                now = time.perf_counter()
                due = max(due, now - _BEHIND) + self.random.expovariate(self._rate)
                if due > now:
                    await asyncio.sleep(due - now)
                if self._rate and self._held:
                    stream, answer = self._held.popleft()
                    self._send(stream, [answer])


def _cpu(pids: Iterable[int]) -> float:
    return sum(cpu_seconds(pid) for pid in pids)


def channel(address: str) -> grpc.aio.Channel:
    """Return a connection of its own, as each bot has one."""
    grpc_wakeups.read_all(asyncio.get_running_loop())
    return open_channel(Server(address, tls=False, token=""), OPTIONS)
