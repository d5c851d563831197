"""The page of a bot, which shows one game at a time, and the pages of all its opponents and incidents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

from farfalia.v1 import bots_pb2, matches_pb2, record_pb2
from farfalia_engine.hints import did_you_mean
from farfalia_server.arena.bot_history import LOOKED_AT
from farfalia_server.arena.reading import NEWEST_INCIDENTS, Reader
from farfalia_server.contract.conduct import ASKED
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.charts import Axis, round_steps
from farfalia_server.web.prices import bot_prices
from farfalia_server.web.query_parameters import PAGE, check_names, number_asked, one_of

#: Opponents and rated versions on the page; the JSON has more.
_OPPONENTS, _RATED = 20, 10
#: Incidents on the page; they have a page of their own.
_INCIDENTS = 10
#: Versions that the page offers.
_OFFERED = 10
#: Most finished matches on the page, and most matches in play.
_MATCHES = 10
#: Most versions in the chart.
_VERSIONS = 10
_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 220, 36, 14
#: Half-width of an interval up to which a rating says enough to be drawn, unless it never does.
_NARROW = 12.0
#: Rows of the table behind the chart: the newest.
_ROWS = 20


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of equal skill."""

    value: float
    y: float


@dataclass(frozen=True, slots=True)
class Part:
    """The history of one version: a line, the band around it, and where it begins."""

    version: str
    x: float
    line: str
    band: str


@dataclass(frozen=True, slots=True)
class HistoryChart:
    """Ratings over time, as coordinates; `shown` are the rows of the table behind it, newest first."""

    ladder: str
    width: int
    height: int
    grid: list[GridLine]
    parts: list[Part]
    points: list[bots_pb2.RatingPoint]
    shown: list[bots_pb2.RatingPoint]

    @property
    def first(self) -> bots_pb2.RatingPoint:
        """The oldest point."""
        return self.points[0]

    @property
    def last(self) -> bots_pb2.RatingPoint:
        """The newest point."""
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """How often a bot came in each place at tables of one size, first place first."""

    matches: int
    places: list[bots_pb2.PlaceCount]


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """How a bot did against another one; `heat` is 0 if it was never ahead and 10 if it always was."""

    bot: str
    met: int
    better: int
    worse: int
    margin: float
    heat: int | None


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many incidents had a cause, and what the cause is called in addresses."""

    name: str
    cause: int
    incidents: int


@dataclass(frozen=True, slots=True)
class Choice:
    """The game and the version that a page of a bot is about, and the others; the version is empty for all together."""

    games: list[str]
    game: str
    versions: list[str]
    version: str

    @property
    def asked(self) -> str:
        """The parameters of an address with the same choice, for pages and JSON alike."""
        return urlencode({name: value for name, value in (("game", self.game), ("version", self.version)) if value})

    @property
    def shown(self) -> list[str]:
        """The versions that are offered: the newest, and the chosen one."""
        return list(dict.fromkeys([*self.versions[:_OFFERED], *([self.version] if self.version else [])]))


async def _choice(reader: Reader, name: str, request: Request, *others: str) -> Choice:
    """Return which game and version a request is about: by default the game of the last match, and all versions."""
    games = await reader.games(name)
    check_names(request, [*(["game", "version"] if games else []), *others])
    game = one_of(request, "game", games) if games else ""
    version, versions = request.query_params.get("version", ""), await reader.versions(name)
    if version and version not in versions:
        raise InvalidArgument(
            "version", f"version is {quoted(version)}; expected one of the bot's{did_you_mean(version, versions)}"
        )
    return Choice(games, game, versions, version)


async def bot_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot shows."""
    choice = await _choice(reader, name, request)
    found = await reader.bot_with_versions(name, choice.game, choice.version)
    every = [*found.bot.ratings, *(rating for version in found.versions[1:] for rating in version.ratings)]
    games = await reader.ladder_games()
    ratings = [one for one in every if games[one.ladder] == choice.game and choice.version in ("", one.version)]
    asked = matches_pb2.ListMatchesRequest(bot=name, game=choice.game, version=choice.version, limit=_MATCHES)
    asked.state = matches_pb2.MATCH_STATE_FINISHED
    finished = (await reader.matches(asked)).matches
    asked.state = matches_pb2.MATCH_STATE_RUNNING
    # At which version a bot plays is known of its finished matches.
    playing = [] if choice.version else (await reader.matches(asked)).matches
    history = next(iter(found.histories), None)
    rows = _place_rows(found.places)
    return {
        "found": found,
        "info": found.bot,
        "choice": choice,
        "ratings": ratings[:_RATED],
        "more_ratings": len(ratings) > _RATED,
        "chart": history and history_chart(history),
        "window": LOOKED_AT,
        "place_rows": rows,
        "counted": sum(row.matches for row in rows),
        "roles": found.roles,
        "opponents": _opponent_rows(found.opponents[:_OPPONENTS]),
        "prices": bot_prices(found, choice.game),
        **_incident_values(found.incidents),
        "incidents": found.incidents[:_INCIDENTS],
        "playing": playing,
        "match_rows": finished,
        "names": await reader.tournament_names([*playing, *finished]),
        "twin": _twin(name, choice),
    }


async def opponents_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot's opponents shows: one part of them."""
    choice = await _choice(reader, name, request, "skip")
    skip = number_asked(request, "skip", 2**31)
    found = await reader.opponents(name, choice.game, choice.version)
    here, total = f"/bots/{quote(name)}/opponents?{choice.asked}", len(found.opponents)
    return {
        "info": found.bot,
        "choice": choice,
        "window": LOOKED_AT,
        "opponents": _opponent_rows(found.opponents[skip : skip + PAGE]),
        "first": skip + 1,
        "total": total,
        "before": f"{here}&skip={max(0, skip - PAGE)}" if skip else None,
        "after": f"{here}&skip={skip + PAGE}" if skip + PAGE < total else None,
        "twin": _twin(name, choice),
    }


async def incidents_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot's incidents shows: all, or those of one cause."""
    choice = await _choice(reader, name, request, "cause")
    names = [_cause_name(cause) for cause in sorted(ASKED - {record_pb2.CAUSE_BOT})]  # the others cost nobody a strike
    cause = one_of(request, "cause", names) if request.query_params.get("cause") else ""
    found = await reader.incidents(name, choice.game, choice.version)
    return {
        "info": found.bot,
        "choice": choice,
        "cause": cause,
        "number": len(found.incidents),
        "incidents": [one for one in found.incidents if cause in ("", _cause_name(one.incident.cause))],
        **_incident_values(found.incidents),
        "twin": _twin(name, choice),
    }


def _twin(name: str, choice: Choice) -> str:
    return f"/api/bots/{quote(name)}?{choice.asked}".rstrip("?")


def _incident_values(incidents: Sequence[bots_pb2.BotIncident]) -> dict[str, Any]:
    """Return how many incidents had which cause, the most frequent first, and whether there are older ones."""
    counts = Counter(one.incident.cause for one in incidents).most_common()
    return {
        "causes": [CauseCount(_cause_name(cause), cause, number) for cause, number in counts],
        "older_incidents": len(incidents) == NEWEST_INCIDENTS,
    }


def _cause_name(cause: int) -> str:
    return record_pb2.Cause.Name(cause).removeprefix("CAUSE_").lower()


def _opponent_rows(opponents: Sequence[bots_pb2.Opponent]) -> list[OpponentRow]:
    rows = []
    for one in opponents:
        decided = one.better + one.worse
        heat = round(10 * one.better / decided) if decided else None
        rows.append(OpponentRow(one.bot, decided + one.equal, one.better, one.worse, one.margin, heat))
    return rows


def _place_rows(places: Sequence[bots_pb2.PlaceCount]) -> list[PlaceRow]:
    rows = []
    for _, group in groupby(places, key=lambda one: one.seats):
        counts = list(group)
        rows.append(PlaceRow(sum(one.matches for one in counts), counts))
    return rows


def history_chart(history: bots_pb2.RatingHistory) -> HistoryChart | None:
    """Return the chart of a history, from when the rating is settled; None if there is no line to draw."""
    versions = list(dict.fromkeys(point.version for point in reversed(history.points)))[:_VERSIONS]
    every = [point for point in history.points if point.version in versions]
    narrow = [number for number, point in enumerate(every) if point.high - point.low <= 2 * _NARROW]
    points = every[narrow[0] :] if narrow and len(every) - narrow[0] > 1 else every
    if len(points) < 2:
        return None
    low, high = min(point.low for point in points), max(point.high for point in points)
    x, y = Axis(0, len(points) - 1, _WIDTH - _LEFT - 4), Axis(low, high, _HEIGHT - _TOP - 4)

    def place(number: int, value: float) -> str:
        return f"{_LEFT + x.at(number):g},{round(_HEIGHT - 2 - y.at(value), 1):g}"

    parts = []
    for version, group in groupby(enumerate(points), key=lambda one: one[1].version):
        own = list(group)
        parts.append(
            Part(
                version,
                _LEFT + x.at(own[0][0]),
                " ".join(place(number, point.mu) for number, point in own),
                " ".join(
                    [place(number, point.high) for number, point in own]
                    + [place(number, point.low) for number, point in reversed(own)]
                ),
            )
        )
    grid = [GridLine(value, round(_HEIGHT - 2 - y.at(value), 1)) for value in round_steps(low, high)]
    return HistoryChart(history.ladder, _WIDTH, _HEIGHT, grid, parts, points, points[: -_ROWS - 1 : -1])
