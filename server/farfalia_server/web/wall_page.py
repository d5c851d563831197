"""What a tournament shows on a wall: scenes that follow each other, and what each of them says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from farfalia.v1 import matches_pb2, tournaments_pb2
from farfalia_engine import Ruleset, ruleset
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.states import TOURNAMENT_OVER
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.exciting_table import TableScore, most_exciting
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.match_streams import LiveSource
from farfalia_server.web.qr_code import qr_code
from farfalia_server.web.tournament_page import PlacedEntrant, TournamentValues, tournament_values
from farfalia_server.web.tournament_story import BracketRound
from farfalia_server.wording.amounts import roughly

#: Rows of the standings at a time.
_ROWS: Final = 10
#: Entrants in the rounds of a bracket that are shown, and the last rounds that are looked at: more cannot be read.
_WIDEST, _LAST_ROUNDS = 16, 3
#: Tables that are compared, and queued matches that are read and shown.
_COMPARED, _QUEUED, _COMING = 20, 200, 6
#: Places on the podium.
_PODIUM = 3


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """The table to watch, and its entrants with their points, best first; 0 before the first deal is over."""

    match: matches_pb2.Match
    score: TableScore
    entrants: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the podium."""

    entrant: PlacedEntrant
    place: int
    owner: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Something to look at for a while; scenes of one kind are pages of it."""

    kind: str
    page: int = 1
    rows: Sequence[PlacedEntrant] = field(default_factory=list)

    @property
    def id(self) -> str:
        """What the scene is called in the page and its address."""
        return f"{self.kind}-{self.page}" if self.page > 1 else self.kind


async def wall_values(
    reader: Reader, live: LiveSource | None, number: int, address: str, asked: str = ""
) -> dict[str, Any]:
    """Return what is shown of a tournament; `address` is that of the server's pages, and `asked` the scene to begin
    with. NotFound; InvalidArgument for a scene that there never is.
    """
    values = await tournament_values(reader, number)
    row = values["row"]
    over = row.state in TOURNAMENT_OVER
    table = None if over else await _table(live, values)
    bracket = _bracket(values)
    result = next((match for match in values["last"] if match.outcome.places), None)
    current = next((one for one in row.schedule if one.over < one.matches), None)
    left = _round_left(row, current)
    coming = [] if over or not row.HasField("started") else await _coming(reader, number)
    played = any(standing.matches for standing in row.standings)
    podium = await _podium(reader, values) if played and row.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED else []
    scenes = [Scene("podium")] if podium else []
    scenes += [Scene("table")] if table else []
    if played:
        placed = values["placed"]
        pages = [placed[first : first + _ROWS] for first in range(0, len(placed), _ROWS)]
        scenes += [Scene("standings", page, rows) for page, rows in enumerate(pages, 1)]
    scenes += [Scene("bracket")] if bracket else []
    scenes += [Scene("round")] if current and (coming or left) else []
    scenes += [Scene("result")] if result else []
    scenes = scenes or [Scene("entrants")]
    names = [scene.id for scene in scenes]
    if asked and asked not in ("podium", "table", "bracket", "round", "result", "entrants", *names):
        raise InvalidArgument(
            "scene",
            said(
                "%(field)s is %(value)s; expected %(expected)s",
                field="scene",
                value=quoted(asked),
                expected=", ".join(names),
            ),
        )
    return {
        **values,
        "scenes": scenes,
        "shown": asked if asked in names else names[0],
        "table": table,
        "bracket": bracket,
        "result": _by_place(result) if result else [],
        "result_of": result,
        "current": current,
        "round_left": left,
        "coming": coming,
        "podium": podium,
        "page_address": f"{address}tournaments/{number}",
        "picture": qr_code(f"{address}tournaments/{number}"),
    }


def table_score(match: int, rules: Ruleset, news: LiveNews) -> TableScore:
    """Return how a table stands by what is shown of it; without points before its first deal is over."""
    points, deal = _points(news)
    sides = rules.teams or [(seat,) for seat in range(len(points))]
    return TableScore(
        match,
        tuple(sorted((points[side[0]] for side in sides), reverse=True)) if points else (),
        max(1, deal),
        rules.last_deal,
    )


def _points(news: LiveNews) -> tuple[list[int], int]:
    """Return the points by seat after the last deal that is shown, and the number of the deal that is."""
    points: list[int] = []
    for body in reversed(news.events):
        if b'"totals":' in body:
            event = json.loads(body)
            points = points or list(event["totals"])
            if "number" in event:
                return (points if any(points) else []), event["number"]
    return points, 1


async def _table(live: LiveSource | None, values: TournamentValues) -> WatchedTable | None:
    """Return the most exciting of the tables that are played."""
    rules = ruleset(values["row"].ruleset, dict(values["row"].options))
    playing = {match.id: match for match in values["playing"][:_COMPARED]}
    points: dict[int, list[int]] = {}
    scores = []
    for number in playing:
        try:
            news = await live(number, LiveNews()) if live else LiveNews()
        except NotFound:
            continue
        points[number] = _points(news)[0]
        scores.append(table_score(number, rules, news))
    best = most_exciting(scores)
    if best is None:
        return None
    match = playing[best.match]
    named = list(zip(match.entrants, points[best.match] or [0] * len(match.entrants), strict=True))
    return WatchedTable(match, best, sorted(named, key=lambda one: -one[1]))


async def _coming(reader: Reader, number: int) -> list[matches_pb2.Match]:
    """Return the next matches of the earliest round that has some, as far as they are among the queue's last ones."""
    asked = matches_pb2.ListMatchesRequest(tournament=number, state=matches_pb2.MATCH_STATE_QUEUED, limit=_QUEUED)
    queued = list((await reader.matches(asked)).matches)
    if not queued or len(queued) == _QUEUED:
        return []
    first = min((match.stage, match.round) for match in queued)
    return sorted((match for match in queued if (match.stage, match.round) == first), key=lambda one: one.id)[:_COMING]


async def _podium(reader: Reader, values: TournamentValues) -> list[Place]:
    """Return who has the first places, with their owners; those of a place that many share are left out."""
    found: list[Place] = []
    for standing, placed in zip(values["row"].standings, values["placed"], strict=False):
        if standing.place <= _PODIUM and standing.matches and len(found) < _PODIUM + 1:
            owner = "" if standing.house else (await reader.bots.one(standing.entrant)).owner
            found.append(Place(placed, standing.place, owner))
    return found


def _bracket(values: TournamentValues) -> list[BracketRound]:
    """Return the last rounds of the last knock-out that has begun, as far as they can be read from afar."""
    brackets: Mapping[int, list[BracketRound]] = values["brackets"]
    rounds = brackets[max(brackets)] if brackets else []
    shown: list[BracketRound] = []
    for one in reversed(rounds[-_LAST_ROUNDS:]):
        if sum(len(table.results) for table in one.tables) + len(one.byes) > _WIDEST:
            break
        shown.insert(0, one)
    return shown


def _by_place(match: matches_pb2.Match) -> list[tuple[int, str, int]]:
    return sorted(zip(match.outcome.places, match.entrants, match.outcome.points, strict=True))


def _round_left(row: tournaments_pb2.Tournament, current: tournaments_pb2.RoundProgress | None) -> str:
    """Return how long a round will still take at the present pace; empty if nobody can tell."""
    if current is None or not row.HasField("expected_end") or not row.matches_per_hour:
        return ""
    return roughly((current.matches - current.over) / row.matches_per_hour * 3600)
