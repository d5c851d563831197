"""What looking costs: pages of a large arena, the steps of a replay, and many viewers of one live table.

Three scenes. A server whose database holds years of matches is asked for its pages, first while nobody plays and then
beside tables of house bots. In one of its deals the next card is asked for, again and again, in a real browser. Another
server lets bots play while a crowd watches one of its tables, and while it does not, in turn.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from farfalia.v1 import matches_pb2, tournaments_pb2
from farfalia_server.bench.checkouts import HERE
from farfalia_server.bench.processes import output_of, python_process
from farfalia_server.bench.server.systems import ServerSystem, server_system, started_server
from farfalia_server.bench.web import pages as web_pages
from farfalia_server.bench.web import replay
from farfalia_server.bench.web.large_arena import Size
from farfalia_server.errors import ProgramError
from farfalia_server.local.client import Arena
from farfalia_server.net.measures import percentile
from farfalia_server.net.redis_connection import connect
from farfalia_server.store import Store
from farfalia_server.web.live_feed import LiveFeed

#: The field of the tables of house bots, and matches that are waited for before pages are asked for.
_HOUSE, _FIRST = tuple(f"house-greedy-{number}" for number in range(1, 6)), 2
#: Tables of the watched server, seconds of a slice, slices with and without viewers at least.
_TABLES, _SLICE, _LEAST = 16, 0.5, 3
#: Answers a second while it is timed when viewers see a card: bots that think, on a server that has time.
_PACE = 200.0
#: Tables that are watched in turn until a card is seen at one: a match may be over first, a busy machine play no card.
_TRIES = 20
#: Seconds after which viewers have seen what was played before they came.
_CATCH_UP = 3.0
_PATIENCE = 300.0
_DATABASE = "farfalia.db"
#: What has to be known to read the figures.
_METHOD = (
    "Milliseconds, middle / slowest of 95 %, over HTTP from this machine, each page made again where there are several",
    "like it; bytes as they are sent. With and without viewers the same bots play in turn, all on this machine. What a",
    "viewer sees is timed from when the journal of the match has it.",
)


@dataclass(frozen=True, slots=True)
class ViewerFigures:
    """What viewers of one table cost the tables, and when they see what happens; times in seconds."""

    viewers: int
    alone: float
    watched: float
    events: int
    delay_p50: float
    delay_p95: float


@dataclass(frozen=True, slots=True)
class Report:
    """All that was measured."""

    size: Size
    tables: int
    pages: list[web_pages.PageRow]
    steps: list[tuple[str, float, float]]
    missing: str
    viewers: ViewerFigures


async def run(
    seconds: float = 20.0,
    size: Size | None = None,
    *,
    tables: int = 200,
    viewers: int = 500,
    done: Callable[[int, int], object] = lambda *_: None,
) -> Report:
    """Measure each scene for this many seconds; `done` is told how many steps are over, of how many.

    Raises ProgramError if a server or its bots end early, or do not get as far as is measured.
    """
    size = size or Size()
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        amounts = map(str, (size.bots, size.tournaments, size.matches))
        await output_of("farfalia_server.bench.web.large_arena", f"sqlite:///{Path(folder) / _DATABASE}", *amounts)
        done(1, 4)
        pages, steps, missing = await _pages(Path(folder), seconds, size, tables)
        done(3, 4)
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        watched = await _viewers(Path(folder), seconds, viewers)
        done(4, 4)
    return Report(size, tables, pages, steps, missing, watched)


async def _pages(
    folder: Path, seconds: float, size: Size, tables: int
) -> tuple[list[web_pages.PageRow], list[tuple[str, float, float]], str]:
    async with started_server(HERE, folder, max_tables=tables) as started:
        address = f"http://127.0.0.1:{started.http}"
        first = await _tournament(started.arena, _FIRST)
        await _until_finished(started.arena, first, _FIRST)
        request = matches_pb2.ListMatchesRequest(tournament=first, limit=1)
        match = (await started.arena.ask("ListMatches", request)).matches[0].id
        pages = web_pages.lists(size, match)
        await web_pages.ask(address, pages, 0.0, 0)  # the server is warm then
        quiet = await web_pages.ask(address, pages, seconds, 1)
        steps, missing = await replay.measure(f"{address}/matches/{match}/1")
        playing = await _tournament(started.arena, max(2000, 20 * tables))
        await _until_finished(started.arena, playing, 1)
        beside = await web_pages.ask(address, pages, seconds, len(next(iter(quiet.values())).seconds) + 1)
        over = tournaments_pb2.CancelTournamentRequest(id=playing, reason="the measuring is over")
        await started.arena.ask("CancelTournament", over)
    return web_pages.rows(quiet, beside), steps, missing


async def _tournament(arena: Arena, rounds: int) -> int:
    request = tournaments_pb2.CreateTournamentRequest(name="house", bots=_HOUSE, rounds=rounds)
    number: int = (await arena.ask("CreateTournament", request)).tournament.id
    await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
    return number


async def _until_finished(arena: Arena, tournament: int, matches: int) -> None:
    give_up = time.monotonic() + _PATIENCE
    request = tournaments_pb2.GetTournamentRequest(id=tournament)
    while (await arena.ask("GetTournament", request)).tournament.finished < matches:
        if time.monotonic() > give_up:
            raise ProgramError(f"the server of the benchmark did not finish {matches} matches in {_PATIENCE:.0f} s")
        await asyncio.sleep(0.2)


async def _viewers(folder: Path, seconds: float, viewers: int) -> ViewerFigures:
    alone, watched = [], []
    async with AsyncExitStack() as stack:
        system = await stack.enter_async_context(server_system(HERE, folder, _TABLES, 5))
        address = f"http://127.0.0.1:{system.http}"
        crowd = await stack.enter_async_context(
            python_process("farfalia_server.bench.web.viewers", address, str(viewers))
        )
        store = await stack.enter_async_context(await Store.attach(f"sqlite:///{folder / _DATABASE}"))
        await _begin_to_watch(crowd, store, system)  # everything is warm then
        await _tell(crowd, 0)
        for _ in range(max(_LEAST, round(seconds / _SLICE / 2))):
            alone.append(await _decisions(system))
            await _tell(crowd, await _running(store))
            await system.slice(_SLICE)  # they catch up
            watched.append(await _decisions(system))
            await _tell(crowd, 0)
        delays = await _delays(folder, store, system, crowd, seconds)
    return ViewerFigures(
        viewers, median(alone), median(watched), len(delays), percentile(delays, 0.5), percentile(delays, 0.95)
    )


async def _decisions(system: ServerSystem) -> float:
    measured = await system.slice(_SLICE)
    return measured.decisions / measured.seconds


async def _running(store: Store) -> int:
    """Return the newest match at a table, as soon as there is one: all may end at the same moment."""
    give_up = time.monotonic() + _PATIENCE
    while not (running := await store.matches.running()):
        if time.monotonic() > give_up:
            raise ProgramError("no match of the benchmark is being played")
        await asyncio.sleep(_SLICE / 10)
    return running[-1].id


async def _begin_to_watch(crowd: Process, store: Store, system: ServerSystem) -> int:
    """Let the viewers watch a table until they have caught up with it; return its match."""
    match = await _running(store)
    await _tell(crowd, match)
    await system.slice(_CATCH_UP, _PACE)
    return match


async def _tell(crowd: Process, match: int) -> dict[str, Sequence[float]]:
    """Let the viewers watch a match, or nothing; return when they saw the events of the one before."""
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    crowd.stdin.write(b"%d\n" % match)
    line = await crowd.stdout.readline()
    if not line:
        raise ProgramError("the viewers of the benchmark have ended; their last lines say why")
    found: dict[str, Sequence[float]] = json.loads(line)
    return found


async def _delays(folder: Path, store: Store, system: ServerSystem, crowd: Process, seconds: float) -> list[float]:
    """Return how long after its journal entry each event was seen by 95 % of the viewers."""
    async with connect(f"unix://{folder / 'redis/redis.sock'}") as redis:
        feed = LiveFeed(store, redis, await store.meta.database())
        for _ in range(_TRIES):
            delays = await _delays_of_one_match(feed, store, system, crowd, seconds)
            if delays:
                return delays
    raise ProgramError("no viewer of the benchmark has seen a card")


async def _delays_of_one_match(
    feed: LiveFeed, store: Store, system: ServerSystem, crowd: Process, seconds: float
) -> list[float]:
    """Return the delays at one table; none if its match was over first, or if no card was played meanwhile."""
    written: dict[str, float] = {}
    match = await _begin_to_watch(crowd, store, system)
    reading = asyncio.create_task(_read(feed, match, written))
    try:
        await system.slice(seconds, _PACE)
        await asyncio.sleep(_SLICE)  # on a busy machine viewers are late
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
    seen = await _tell(crowd, 0)
    return [max(0.0, seen[event][1] - at) for event, at in written.items() if event in seen]


async def _read(feed: LiveFeed, match: int, written: dict[str, float]) -> None:
    """Note when each event of a match is in its journal; not of what was there before."""
    attempt = known = behind = 0
    begun = False
    while True:
        news = await feed.news(match, attempt, known, behind)
        attempt, known, behind = news.attempt, news.first + len(news.events), news.behind
        if begun:
            written |= {json.loads(event)["id"]: time.time() for event in news.events}
        begun = True
        if news.over:
            return


def table(report: Report) -> str:
    """Return the report as plain text."""
    size, viewers = report.size, report.viewers
    ratio = viewers.watched / viewers.alone if viewers.alone else 0.0
    steps = [f"{name}, processor slowed {replay.SLOWED}×: {_ms(*took)} ms" for name, *took in report.steps]
    return "\n".join(
        [
            f"{size.matches} matches, {size.bots} bots, {size.tournaments} tournaments",
            *web_pages.table(report.pages, report.tables),
            "",
            *(steps or [report.missing]),
            "",
            f"decisions a second at {_TABLES} tables: {viewers.alone:.0f}, with {viewers.viewers} viewers of one"
            f" {viewers.watched:.0f} ({ratio:.2f})",
            f"from the journal to 95 % of the viewers: {_ms(viewers.delay_p50, viewers.delay_p95)} ms,"
            f" {viewers.events} events at {_PACE:.0f} answers a second",
            "",
            *_METHOD,
        ]
    )


def _ms(middle: float, slow: float) -> str:
    return f"{middle * 1000:.1f} / {slow * 1000:.1f}"
