"""A sheet of results for each entrant of a tournament, to print and hand out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from farfalia.v1 import matches_pb2, standings_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import MOST_ROWS

#: Matches on a sheet: the newest.
_ROWS = 30


@dataclass(frozen=True, slots=True)
class SheetMatch:
    """A match as one entrant's sheet has it; `place` is 0 until its result is shown."""

    match: matches_pb2.Match
    place: int
    points: int
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultSheet:
    """The results of one entrant, its newest match first, and how many others there were."""

    row: standings_pb2.Standing
    matches: list[SheetMatch] = field(default_factory=list)
    more: int = 0


async def result_sheets(reader: Reader, number: int) -> tuple[tournaments_pb2.Tournament, list[ResultSheet]]:
    """Return a tournament and the sheets of its entrants, best first, without house bots; NotFound."""
    tournament = await reader.tournament(number)
    played: dict[str, list[SheetMatch]] = {row.entrant: [] for row in tournament.standings if not row.house}
    now = {former: row.entrant for row in tournament.standings for former in row.formerly}
    asked = matches_pb2.ListMatchesRequest(tournament=number, state=matches_pb2.MATCH_STATE_FINISHED, limit=MOST_ROWS)
    while True:
        matches = (await reader.matches(asked)).matches
        _add(played, matches, now)
        if len(matches) < MOST_ROWS:
            break
        asked.before = matches[-1].id
    rows = (row for row in tournament.standings if row.entrant in played)
    sheets = [ResultSheet(row, played[row.entrant][:_ROWS], max(0, len(played[row.entrant]) - _ROWS)) for row in rows]
    return tournament, sheets


def _add(played: dict[str, list[SheetMatch]], matches: Iterable[matches_pb2.Match], now: Mapping[str, str]) -> None:
    """Add matches to the sheets of those that hold the entries `now`, by the names of bots that were replaced."""
    for match in matches:
        names, outcome = [now.get(name, name) for name in match.entrants], match.outcome
        for name in set(names) & played.keys():
            seat = names.index(name)
            is_open = match.record_open and len(outcome.places) > seat
            place, points = (outcome.places[seat], outcome.points[seat]) if is_open else (0, 0)
            others = tuple(dict.fromkeys(other for other in names if other != name))
            played[name].append(SheetMatch(match, place, points, others))
