"""The results of a ladder from published files, as the server has them, so that all that follows can be recomputed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

import farfalia_engine as engine
from farfalia.analysis.favours import favours
from farfalia_server.records.board_names import board_of
from farfalia_server.records.sides import sides_of
from farfalia_tournaments import MatchFavours, MatchResult, PublishedEntry, TournamentError


def ladder_results(
    published: Iterable[PublishedEntry], records: Mapping[int, engine.Record]
) -> dict[str, list[MatchResult[str]]]:
    """Return the results of each ladder, by entrants' names, in the order of its chain.

    `records` are by match; matches without one are left out, and damaged ones, of which `verify` tells.
    """
    found: defaultdict[str, list[MatchResult[str]]] = defaultdict(list)
    for ladder, record, outcome in _finished(published, records):
        with suppress(TournamentError, engine.EngineError):
            found[ladder].append(_result(record, outcome))
    return dict(found)


def ladder_favours(
    published: Iterable[PublishedEntry], records: Mapping[int, engine.Record]
) -> dict[str, list[MatchFavours[str]]]:
    """Return whom the cards of the same matches favoured, some 20 ms per match."""
    found: defaultdict[str, list[MatchFavours[str]]] = defaultdict(list)
    for ladder, record, _ in _finished(published, records):
        with suppress(engine.EngineError):
            found[ladder].append(match_favours([seat.name for seat in record.seats], favours(record).points))
    return dict(found)


def match_favours(entrants: Sequence[str], thousandths: Sequence[Sequence[int]]) -> MatchFavours[str]:
    """Return whom the cards of a match favoured, as the tournaments' room takes it."""
    return MatchFavours(tuple(entrants), tuple(tuple(points / 1000 for points in row) for row in thousandths))


def _finished(
    published: Iterable[PublishedEntry], records: Mapping[int, engine.Record]
) -> Iterator[tuple[str, engine.Record, engine.Outcome]]:
    """Yield ladder, record and outcome of finished matches, in the order of the chains."""
    for entry in sorted((one.entry for one in published), key=lambda entry: entry.number):
        record = records.get(entry.match)
        if record is not None and record.outcome is not None:
            yield entry.ladder, record, record.outcome


def _result(record: engine.Record, outcome: engine.Outcome) -> MatchResult[str]:
    return MatchResult(
        entrants=tuple(seat.name for seat in record.seats),
        points=outcome.points,
        places=outcome.places,
        forfeits=outcome.forfeits,
        missed=engine.missed(record),
        sides=sides_of(record.ruleset, record.options, len(record.seats)),
        board=board_of(record.tournament, record.match, record.source.board),
        # As the server keeps it, in whole thousandths.
        luck=tuple(Fraction(round(1000 * points), 1000) for points in engine.luck(record) or ()),
    )
