"""The tables of tournaments, worked out anew only when matches have ended."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol
from uuid import uuid4

import structlog

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.arena.messages import rating_values
from farfalia_server.arena.stage_standings import in_final_order, stage_messages
from farfalia_server.errors import NotReady
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.records.results import board_identity, match_result
from farfalia_server.store import Entrant, Match, MatchState, Store, Tournament
from farfalia_tournaments import (
    MatchResult,
    Rating,
    RatingSystem,
    Standing,
    crosstable,
    pair_probabilities,
    rate_units,
    standings,
    units,
)
from farfalia_tournaments.schedules import Boards

log = structlog.get_logger(__name__)

#: Tournaments whose tables are kept at hand.
KEPT = 64
#: A table that took longer than this many seconds to make is shown for `PATIENCE` times as long before it is made
#: anew, however many ask for it. The last one is always exact.
LONG, PATIENCE = 0.1, 10


@dataclass(frozen=True, slots=True)
class StandingsSnapshot:
    """What is shown of a tournament beside its row, the bots that still have matches to play, and the first match that
    is not over.

    `shown` has `standings`, `pairs`, `stages` and `baselines_missing`; one message, since tables go from one process
    to another. Snapshots of different stamps may differ.
    """

    shown: tournaments_pb2.Tournament = field(default_factory=tournaments_pb2.Tournament)
    unfinished: frozenset[int] = frozenset()
    front: int = 0
    stamp: str = ""


class StandingsSource(Protocol):
    """Where the tables of tournaments come from."""

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        """The table of a tournament that has as many matches in each state; NotReady after `wait` seconds."""


@dataclass(frozen=True, slots=True)
class _RatingPrefix:
    """Ratings after the first matches of the schedule, all of which are over.

    The order of rating is the schedule's, so these need not be gone through again.
    """

    matches: int = 0
    ratings: Mapping[str, Rating] = field(default_factory=dict)


# Matches that are over, all matches, who has come and gone, and how many baselines are known: what a table is made of.
_Fingerprint = tuple[int, int, frozenset[tuple[int, int | None]], int]


@dataclass(slots=True)
class _CacheEntry:
    """What is remembered of a tournament."""

    seen: _Fingerprint | None = None
    good_until: float = 0.0
    long: bool = False  # it took long to make
    making: asyncio.Task[None] | None = None
    table: StandingsSnapshot = field(default_factory=StandingsSnapshot)
    rated: _RatingPrefix = field(default_factory=_RatingPrefix)


class StandingsCache:
    """Looks results up in the store and works the tables out in a thread, one at a time for each tournament."""

    def __init__(self, store: Store, system: RatingSystem) -> None:
        self._store = store
        self._system = system
        self._kept: OrderedDict[int, _CacheEntry] = OrderedDict()

    async def of(
        self, tournament: Tournament, counts: Mapping[MatchState, int], wait: float | None = None
    ) -> StandingsSnapshot:
        """The table of a tournament that has as many matches in each state.

        Everyone who asks while it is being made waits for the same one. If it takes long and there is an older one,
        the older one is returned meanwhile; but once the tournament is over its last results are always in. Raises
        NotReady if there is none after `wait` seconds.
        """
        kept = self._kept.setdefault(tournament.id, _CacheEntry())
        self._kept.move_to_end(tournament.id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        seen = await self._seen(tournament, counts)
        for _ in range(2):  # one that was being made already may have begun before the last result
            if kept.seen == seen:
                break
            needed = kept.seen is None or (tournament.state.over and kept.seen[:-1] != seen[:-1])
            if not needed and time.monotonic() < kept.good_until:
                break
            if kept.making is None:
                kept.making = asyncio.create_task(self._make(kept, tournament))
                kept.making.add_done_callback(_failed)
            if kept.long and not needed:
                break
            try:
                await asyncio.wait_for(asyncio.shield(kept.making), wait)
            except TimeoutError:
                raise NotReady(f"the tables of tournament {tournament.id} are being worked out") from None
        return kept.table

    async def _seen(self, tournament: Tournament, counts: Mapping[MatchState, int]) -> _Fingerprint:
        entrants = await self._store.tournaments.entrants(tournament.id)
        known = await self._store.baselines.count(tournament.id)
        return _seen(sum(count for state, count in counts.items() if state.over), sum(counts.values()), entrants, known)

    async def _make(self, kept: _CacheEntry, tournament: Tournament) -> None:
        try:
            began = time.monotonic()
            baselines = await self._store.baselines.of(tournament.id)
            matches = await self._store.matches.of_tournament(tournament.id)
            entrants = await self._store.tournaments.entrants(tournament.id)
            bots = await self._store.bots.by_ids(entrant.bot_id for entrant in entrants)
            house = {entrant.name for entrant in entrants if bots[entrant.bot_id].house}
            kept.rated, kept.table = await asyncio.to_thread(
                _made, self._system, kept.rated, tournament, matches, entrants, house, baselines
            )
            kept.seen = _seen(sum(match.state.over for match in matches), len(matches), entrants, len(baselines))
            took = time.monotonic() - began
            kept.long = took > LONG
            kept.good_until = began + took * (1 + PATIENCE) if kept.long else 0.0
        finally:
            kept.making = None


def _failed(making: asyncio.Task[None]) -> None:
    """Says that a table could not be made, whether or not anyone is still waiting for it."""
    if not making.cancelled() and (error := making.exception()) is not None:
        log.warning("standings_failed", error=str(error))


def _seen(over: int, matches: int, entrants: Sequence[Entrant], known: int) -> _Fingerprint:
    return over, matches, frozenset((entrant.bot_id, entrant.gone) for entrant in entrants), known


def _made(
    system: RatingSystem,
    rated: _RatingPrefix,
    tournament: Tournament,
    matches: Sequence[Match],
    entrants: Sequence[Entrant],
    house: set[str],
    baselines: Mapping[str, Sequence[int]],
) -> tuple[_RatingPrefix, StandingsSnapshot]:
    rated, ratings = _ratings(system, rated, matches)
    called = {board_identity(match): baselines[match.board] for match in matches if match.board in baselines}
    table = _table(ratings, tournament, matches, entrants, house, called)
    table.shown.baselines_missing = _missing(tournament, matches, baselines)
    return rated, table


def _table(
    ratings: Mapping[str, Rating],
    tournament: Tournament,
    matches: Sequence[Match],
    entrants: Sequence[Entrant],
    house: set[str],
    baselines: Mapping[str, Sequence[int]],
) -> StandingsSnapshot:
    results = [_result(match) for match in matches if match.result is not None]
    ranked = standings(results, ratings, baselines)
    rows = [_standing(row, tournament.ruleset, row.entrant in house) for row in ranked]
    played = {row.entrant for row in rows}
    rows += [
        standings_pb2.Standing(place=len(ranked) + 1, entrant=entrant.name, house=entrant.name in house)
        for entrant in entrants
        if entrant.name not in played
    ]
    stages: list[stages_pb2.StageStandings] = []
    if tournament.stages:
        progress = StageProgress.of(tournament, entrants, matches)
        stages = stage_messages(progress, entrants)
        rows = in_final_order(rows, progress, entrants)
    gone = {entrant.name for entrant in entrants if entrant.gone is not None}
    for line in rows:
        line.withdrawn = line.entrant in gone
    numbers = {row.entrant: number for number, row in enumerate(rows)}
    stronger = pair_probabilities(units(results, baselines))
    pairs = (
        standings_pb2.Pair(
            row=numbers[one],
            column=numbers[other],
            meetings=pair.meetings,
            better=pair.better,
            equal=pair.equal,
            stronger=stronger[one, other],
        )
        for (one, other), pair in crosstable(results).items()
    )
    unfinished = [match for match in matches if not match.state.over]
    shown = tournaments_pb2.Tournament(standings=rows, pairs=pairs, stages=stages)
    return StandingsSnapshot(
        shown,
        frozenset(bot for match in unfinished for bot in match.bot_ids),
        min((match.id for match in unfinished), default=0),
        uuid4().hex,
    )


def _missing(tournament: Tournament, matches: Sequence[Match], baselines: Mapping[str, Sequence[int]]) -> int:
    """How many boards that one table alone has played house bots are still to play."""
    if tournament.boards != Boards.DATUM:
        return 0
    tables = Counter(match.board for match in matches)
    alone = {match.board for match in matches if match.result is not None and tables[match.board] == 1}
    return len(alone - baselines.keys())


def _ratings(
    system: RatingSystem, rated: _RatingPrefix, matches: Sequence[Match]
) -> tuple[_RatingPrefix, Mapping[str, Rating]]:
    """What is settled by now, and the ratings after all finished matches, in the order of the schedule.

    The matches of one table in one round are rated together, as far as they have equal cards.
    """
    ratings, front, settled, settling = dict(rated.ratings), rated.matches, rated, True
    for _, group in groupby(matches[rated.matches :], key=_table_of):
        table = list(group)
        results = [_result(match) for match in table if match.result is not None]
        ratings = rate_units(units(results), system, ratings)
        front += len(table)
        settling = settling and all(match.state.over for match in table)
        if settling:
            settled = _RatingPrefix(front, ratings)
    return settled, ratings


def _table_of(match: Match) -> tuple[int, int, frozenset[int]]:
    return match.stage, match.round, frozenset(match.bot_ids)


def _result(match: Match) -> MatchResult[str]:
    return match_result(match, [seat.name for seat in match.seats])


def _standing(row: Standing[str], ladder: str, house: bool) -> standings_pb2.Standing:
    rating = row.rating
    return standings_pb2.Standing(
        place=row.place,
        entrant=row.entrant,
        house=house,
        matches=row.matches,
        points=row.points,
        relative=row.relative,
        adjusted=row.adjusted,
        units=row.units,
        places=row.places,
        rating=None if rating is None else rating_values(ladder, rating.mu, rating.sigma, row.matches),
        strikes=row.strikes,
        forfeits=row.forfeits,
        margin=0.0 if row.interval is None else (row.interval[1] - row.interval[0]) / 2,
    )
