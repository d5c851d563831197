"""What people cost: pages of a large arena, the steps of a replay, viewers of one live table, and people who play.

Four scenes. A server whose database holds years of matches is asked for its pages, first while nobody plays and then
beside tables of house bots. In one of its deals the next card is asked for, again and again, in a real browser. Another
server lets bots play while a crowd watches one of its tables, and while it does not, in turn. A last one does the same
with people who have tables of their own.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from farfalia.arena import Arena
from farfalia.v1 import matches_pb2, tournaments_pb2
from farfalia_server.contract.errors import ProgramError
from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.processes import output_of
from farfalia_tools.bench.server.systems import started_server
from farfalia_tools.bench.web import pages as web_pages
from farfalia_tools.bench.web import replay
from farfalia_tools.bench.web.large_arena import Size
from farfalia_tools.bench.web.played_tables import TABLES as BESIDE
from farfalia_tools.bench.web.played_tables import PeopleFigures, measure_people
from farfalia_tools.bench.web.watched_table import DATABASE, PACE, TABLES, ViewerFigures, measure_viewers

#: The field of the tables of house bots, and matches that are waited for before pages are asked for.
_HOUSE, _FIRST = tuple(f"house-greedy-{number}" for number in range(1, 6)), 2
_PATIENCE = 300.0
#: What has to be known to read the figures.
_METHOD = (
    "Milliseconds, middle / slowest of 95 %, over HTTP from this machine, each page made again where there are several",
    "like it; bytes as they are sent. With and without viewers the same bots play in turn; all run on this machine.",
    "What viewers see is timed from when the journal of the match has it, once all of them watch. People who do not",
    "play have their tables as well, and hold back.",
)


@dataclass(frozen=True, slots=True)
class Report:
    """All that was measured."""

    size: Size
    tables: int
    pages: list[web_pages.PageRow]
    steps: list[tuple[str, float, float]]
    missing: str
    viewers: ViewerFigures
    people: PeopleFigures


async def run(
    seconds: float = 20.0,
    size: Size | None = None,
    *,
    tables: int = 200,
    viewers: int = 500,
    people: int = 200,
    done: Callable[[int, int], object] = lambda *_: None,
) -> Report:
    """Measure each scene for this many seconds; `done` is told how many steps are over, of how many.

    Raises ProgramError if a server or its bots end early, or do not get as far as is measured.
    """
    size = size or Size()
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        amounts = map(str, (size.bots, size.tournaments, size.matches))
        await output_of("farfalia_tools.bench.web.large_arena", str(Path(folder) / DATABASE), *amounts)
        done(1, 5)
        pages, steps, missing = await _pages(Path(folder), seconds, size, tables)
        done(3, 5)
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        watched = await measure_viewers(Path(folder), seconds, viewers)
        done(4, 5)
    with tempfile.TemporaryDirectory(prefix="farfalia-bench-") as folder:
        beside = await measure_people(Path(folder), seconds, people)
        done(5, 5)
    return Report(size, tables, pages, steps, missing, watched, beside)


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


def table(report: Report) -> str:
    """Return the report as plain text."""
    size, viewers, people = report.size, report.viewers, report.people
    steps = [f"{name}, processor slowed {replay.SLOWED}×: {_ms(*took)} ms" for name, *took in report.steps]
    return "\n".join(
        [
            f"{size.matches} matches, {size.bots} bots, {size.tournaments} tournaments",
            *web_pages.table(report.pages, report.tables),
            "",
            *(steps or [report.missing]),
            "",
            f"decisions a second at {TABLES} tables: {viewers.alone:.0f}, with {viewers.viewers} viewers of one"
            f" {viewers.watched:.0f} ({_ratio(viewers.watched, viewers.alone)})",
            f"from the journal to 95 % of the viewers: {_ms(viewers.delay_p50, viewers.delay_p95)} ms,"
            f" {viewers.events} events at {PACE:.0f} answers a second",
            "",
            f"decisions a second at {BESIDE} tables of bots: {people.alone:.0f}, beside {people.people} people who play"
            f" {people.beside:.0f} ({_ratio(people.beside, people.alone)}); the people's: {people.decisions:.0f}",
            f"  the server's CPU for each decision of a bot: {people.alone_cpu * 1000:.3f} ms, beside people"
            f" {people.beside_cpu * 1000:.3f} ms; what plays the people takes {people.clients_cores:.2f} cores",
            "",
            *_METHOD,
        ]
    )


def _ratio(one: float, other: float) -> str:
    return f"{one / other if other else 0.0:.2f}"


def _ms(middle: float, slow: float) -> str:
    return f"{middle * 1000:.1f} / {slow * 1000:.1f}"
