"""The tables of tournaments, worked out anew only when matches have ended."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from farfalia.v1 import arena_pb2
from farfalia_server.course import Course
from farfalia_server.results import match_result
from farfalia_server.store import Entrant, Match, MatchState, Store, Tournament
from farfalia_tournaments import (
    MatchResult,
    Rating,
    RatingSystem,
    Standing,
    chances,
    crosstable,
    rate_units,
    standings,
    units,
)

from .baselines import Baselines
from .messages import rating_values
from .stage_tables import in_final_order, stage_messages

#: Tournaments whose tables are kept at hand.
KEPT = 64
#: A table that took longer than this many seconds to make is shown for `PATIENCE` times as long before it is made
#: anew, however many ask for it: tables with clocks need the processor more. The last one is always exact.
LONG, PATIENCE = 0.1, 10
_OVER = frozenset({MatchState.FINISHED, MatchState.VOID, MatchState.CANCELLED})


@dataclass(frozen=True, slots=True)
class Table:
    """Standings and crosstable, the bots that still have matches to play, and the first match that is not over."""

    standings: tuple[arena_pb2.Standing, ...] = ()
    pairs: tuple[arena_pb2.Pair, ...] = ()
    unfinished: frozenset[int] = frozenset()
    front: int = 0
    stages: tuple[arena_pb2.TournamentStage, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rated:
    """Ratings after the first matches of the schedule, all of which are over.

    The order of rating is the schedule's, so these need not be gone through again.
    """

    matches: int = 0
    ratings: Mapping[str, Rating] = field(default_factory=dict)


_Seen = tuple[int, int, frozenset[tuple[int, int | None]]]


@dataclass(slots=True)
class _Kept:
    """What is remembered of a tournament."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: _Seen | None = None  # what the table was made of
    good_until: float = 0.0
    table: Table = field(default_factory=Table)
    rated: _Rated = field(default_factory=_Rated)
    baselines: Baselines = field(default_factory=Baselines)


class Tables:
    """Looks results up in the store and works the tables out aside, in a thread."""

    def __init__(self, store: Store, system: RatingSystem) -> None:
        self._store = store
        self._system = system
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    async def of(self, tournament: Tournament, counts: Mapping[MatchState, int]) -> Table:
        """The table of a tournament that has so many matches in each state."""
        kept = self._kept.setdefault(tournament.id, _Kept())
        self._kept.move_to_end(tournament.id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        over = sum(counts.get(state, 0) for state in _OVER)
        entrants = await self._store.tournaments.entrants(tournament.id)
        async with kept.lock:
            patient = not tournament.state.over and time.monotonic() < kept.good_until
            if kept.seen != _seen(over, sum(counts.values()), entrants) and not patient:
                await self._make(kept, tournament)
            return kept.table

    async def _make(self, kept: _Kept, tournament: Tournament) -> None:
        began = time.monotonic()
        matches = await self._store.matches.of_tournament(tournament.id)
        entrants = await self._store.tournaments.entrants(tournament.id)
        bots = await self._store.bots.by_ids(entrant.bot_id for entrant in entrants)
        house = {entrant.name for entrant in entrants if bots[entrant.bot_id].house}
        kept.rated, ratings = await asyncio.to_thread(_ratings, self._system, kept.rated, matches)
        baselines: Mapping[str, Sequence[int]] = {}
        if any(match.result is not None for match in matches):
            source = await self._store.matches.source(tournament.id)
            baselines = await asyncio.to_thread(kept.baselines.of, tournament, source, matches)
        kept.table = await asyncio.to_thread(_table, ratings, tournament, matches, entrants, house, baselines)
        kept.seen = _seen(sum(match.state in _OVER for match in matches), len(matches), entrants)
        took = time.monotonic() - began
        kept.good_until = began + took * (1 + PATIENCE) if took > LONG else 0.0


def _seen(over: int, matches: int, entrants: Sequence[Entrant]) -> _Seen:
    """Matches that are over, all matches, and who has come and gone: when these are the same, so is the table."""
    return over, matches, frozenset((entrant.bot_id, entrant.gone) for entrant in entrants)


def _table(
    ratings: Mapping[str, Rating],
    tournament: Tournament,
    matches: Sequence[Match],
    entrants: Sequence[Entrant],
    house: set[str],
    baselines: Mapping[str, Sequence[int]],
) -> Table:
    results = [_result(match) for match in matches if match.result is not None]
    ranked = standings(results, ratings, baselines)
    rows = [_standing(row, tournament.ruleset, row.entrant in house) for row in ranked]
    shown = {row.entrant for row in rows}
    rows += [
        arena_pb2.Standing(place=len(ranked) + 1, entrant=entrant.name, house=entrant.name in house)
        for entrant in entrants
        if entrant.name not in shown
    ]
    stages: list[arena_pb2.TournamentStage] = []
    if tournament.stages:
        course = Course.of(tournament, entrants, matches)
        stages = stage_messages(course, entrants)
        rows = in_final_order(rows, course, entrants)
    gone = {entrant.name for entrant in entrants if entrant.gone is not None}
    for line in rows:
        line.withdrawn = line.entrant in gone
    numbers = {row.entrant: number for number, row in enumerate(rows)}
    stronger = chances(units(results, baselines))
    pairs = tuple(
        arena_pb2.Pair(
            row=numbers[one],
            column=numbers[other],
            meetings=pair.meetings,
            better=pair.better,
            equal=pair.equal,
            stronger=stronger[one, other],
        )
        for (one, other), pair in crosstable(results).items()
    )
    unfinished = [match for match in matches if match.state not in _OVER]
    return Table(
        tuple(rows),
        pairs,
        frozenset(bot for match in unfinished for bot in match.bot_ids),
        min((match.id for match in unfinished), default=0),
        tuple(stages),
    )


def _ratings(system: RatingSystem, rated: _Rated, matches: Sequence[Match]) -> tuple[_Rated, Mapping[str, Rating]]:
    """What is settled by now, and the ratings after all finished matches, in the order of the schedule.

    The matches of one table in one round are rated together, as far as they have equal cards.
    """
    ratings, front, settled, settling = dict(rated.ratings), rated.matches, rated, True
    for _, group in groupby(matches[rated.matches :], key=_table_of):
        table = list(group)
        results = [_result(match) for match in table if match.result is not None]
        ratings = rate_units(units(results), system, ratings)
        front += len(table)
        settling = settling and all(match.state in _OVER for match in table)
        if settling:
            settled = _Rated(front, ratings)
    return settled, ratings


def _table_of(match: Match) -> tuple[int, int, frozenset[int]]:
    return match.stage, match.round, frozenset(match.bot_ids)


def _result(match: Match) -> MatchResult[str]:
    return match_result(match, [seat.name for seat in match.seats])


def _standing(row: Standing[str], ladder: str, house: bool) -> arena_pb2.Standing:
    rating = row.rating
    return arena_pb2.Standing(
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
