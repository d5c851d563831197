"""The page of a bot, which shows one game at a time, and the pages of all its opponents and incidents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from farfalia.v1 import bots_pb2, matches_pb2, record_pb2
from farfalia_server.arena.bot_history import LOOKED_AT
from farfalia_server.arena.bot_reading import NEWEST_INCIDENTS
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.conduct import ASKED
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.said_below import perhaps_meant
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.bot_charts import history_chart, time_chart
from farfalia_server.web.prices import bot_prices
from farfalia_server.web.query_parameters import PAGE, bot_asked, check_names, number_asked, one_of
from farfalia_server.wording.bots import standing_words, verdict

#: Opponents and rated versions on the page; the JSON has more.
_OPPONENTS, _RATED = 20, 10
#: Groups of incidents on the page; they have a page of their own.
_GROUPS = 6
#: Versions that the page offers.
_OFFERED = 10
#: In what order opponents can be shown, by what addresses call it.
ORDERS: Final[dict[str, Callable[[bots_pb2.Opponent], float]]] = {
    "met": lambda one: 0,
    "losses": lambda one: one.better - one.worse,
    "wins": lambda one: one.worse - one.better,
    "surprise": lambda one: -abs(one.share - one.expected) if one.HasField("expected") else 0,
}
#: Most finished matches on the page, and most matches in play.
_MATCHES = 10


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """How often a bot came in each place at tables of one size, first place first."""

    matches: int
    places: list[bots_pb2.PlaceCount]


@dataclass(frozen=True, slots=True)
class IncidentGroup:
    """Incidents of one cause, at one kind of decision, of one version; `latest` is the newest of them."""

    incidents: int
    latest: bots_pb2.BotIncident


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many incidents had a cause, and what the cause is called in addresses."""

    name: str
    cause: int
    incidents: int


@dataclass(frozen=True, slots=True)
class Choice:
    """What a page of a bot is about: a game, a version, an event, and since which day; all that can be chosen.

    The version is empty for all together, the event and the day for everything.
    """

    games: list[str]
    versions: list[str]
    events: list[str]
    wanted: bots_pb2.GetBotRequest
    since: str

    @property
    def game(self) -> str:
        """The game."""
        return self.wanted.game

    @property
    def version(self) -> str:
        """The version."""
        return self.wanted.version

    @property
    def event(self) -> str:
        """The event."""
        return self.wanted.event

    @property
    def asked(self) -> str:
        """The parameters of an address with the same choice, for pages and JSON alike."""
        given = {"game": self.game, "version": self.version, "event": self.event, "since": self.since}
        return urlencode({name: value for name, value in given.items() if value})

    @property
    def shown(self) -> list[str]:
        """The versions that are offered: the newest, and the chosen one."""
        return list(dict.fromkeys([*self.versions[:_OFFERED], *([self.version] if self.version else [])]))


async def _choice(reader: Reader, name: str, request: Request, *others: str) -> Choice:
    """Return what a request is about: by default the game of the last match, and all versions."""
    games = await reader.bots.games(name)
    check_names(request, [*(["game", "version", "event", "since"] if games else []), *others])
    wanted, versions = bot_asked(request, name), await reader.bots.versions(name)
    wanted.game = one_of(request, "game", games) if games else ""
    if (version := wanted.version) and version not in versions:
        raise InvalidArgument(
            "version",
            said(
                "version is %(version)s; expected one of the bot's%(near)s",
                version=quoted(version),
                near=perhaps_meant(version, versions),
            ),
        )
    events = [event.name for event in await reader.events.all()][:_OFFERED]
    return Choice(games, versions, events, wanted, request.query_params.get("since", ""))


async def bot_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot shows."""
    choice = await _choice(reader, name, request, "sort")
    sort = one_of(request, "sort", list(ORDERS))
    found = await reader.bots.with_versions(choice.wanted)
    every = [*found.bot.ratings, *(rating for version in found.versions[1:] for rating in version.ratings)]
    games = await reader.ladder_games()
    ratings = [one for one in every if games[one.ladder] == choice.game and choice.version in ("", one.version)]
    asked = matches_pb2.ListMatchesRequest(
        bot=name,
        game=choice.game,
        version=choice.version,
        event=choice.event,
        since=choice.wanted.since if choice.since else None,
        limit=_MATCHES,
    )
    asked.state = matches_pb2.MATCH_STATE_FINISHED
    finished = (await reader.matches(asked)).matches
    asked.state = matches_pb2.MATCH_STATE_RUNNING
    # At which version a bot plays is known of its finished matches.
    playing = [] if choice.version or choice.since else (await reader.matches(asked)).matches
    history = next(iter(found.histories), None)
    rows = _place_rows(found.places)
    results = [one for one in found.results if one.ruleset == choice.game]
    return {
        "found": found,
        "info": found.bot,
        "choice": choice,
        "sort": sort,
        "line": standing_words(
            found.bot,
            [one for one in found.ladder_places if one.ladder == choice.game],
            verdict(results[0]) if results and results[0].version == found.bot.version else "",
        ),
        "results": results,
        "version_prices": _version_prices(found, choice.game),
        "ratings": ratings[:_RATED],
        "rated": {one.version: one for one in every if one.ladder == choice.game},
        "more_ratings": len(ratings) > _RATED,
        "chart": history and history_chart(history),
        "history_asked": _with_amp(choice),
        "time_chart": time_chart(found.times),
        "window": LOOKED_AT,
        "place_rows": rows,
        "counted": sum(row.matches for row in rows),
        "profile": found.profile,
        "opponents": in_order(found.opponents, sort)[:_OPPONENTS],
        "prices": bot_prices(found, choice.game),
        **_incident_values(found.incidents),
        "groups": incident_groups(found.incidents)[:_GROUPS],
        "playing": playing,
        "match_rows": finished,
        "names": await reader.tournament_names([*playing, *finished]),
        "twin": _twin(name, choice),
    }


async def opponents_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot's opponents shows: one part of them."""
    choice = await _choice(reader, name, request, "skip", "sort")
    skip, sort = number_asked(request, "skip", 2**31), one_of(request, "sort", list(ORDERS))
    found = await reader.bots.opponents(choice.wanted)
    here, total = f"/bots/{quote(name)}/opponents?{choice.asked}&sort={sort}", len(found.opponents)
    return {
        "info": found.bot,
        "choice": choice,
        "sort": sort,
        "window": LOOKED_AT,
        "opponents": in_order(found.opponents, sort)[skip : skip + PAGE],
        "first": skip + 1,
        "total": total,
        "before": f"{here}&skip={max(0, skip - PAGE)}" if skip else None,
        "after": f"{here}&skip={skip + PAGE}" if skip + PAGE < total else None,
        "twin": _twin(name, choice),
    }


def in_order(opponents: Sequence[bots_pb2.Opponent], sort: str) -> list[bots_pb2.Opponent]:
    """Return opponents, which come with the most frequent first, in one of the orders of `ORDERS`."""
    return sorted(opponents, key=ORDERS[sort])


async def incidents_values(reader: Reader, name: str, request: Request) -> dict[str, Any]:
    """Return what the page of a bot's incidents shows: all, or those of one cause."""
    choice = await _choice(reader, name, request, "cause")
    names = [_cause_name(cause) for cause in sorted(ASKED - {record_pb2.CAUSE_BOT})]  # the others cost nobody a strike
    cause = one_of(request, "cause", names) if request.query_params.get("cause") else ""
    found = await reader.bots.incidents(choice.wanted)
    return {
        "info": found.bot,
        "choice": choice,
        "cause": cause,
        "number": len(found.incidents),
        "incidents": (own := [one for one in found.incidents if cause in ("", _cause_name(one.incident.cause))]),
        "groups": incident_groups(own),
        **_incident_values(found.incidents),
        "twin": _twin(name, choice),
    }


def _with_amp(choice: Choice) -> str:
    """Return the parameters of the history behind the chart, to go on from."""
    given = {"version": choice.version, "event": choice.event, "since": choice.since}
    return "".join(f"{urlencode({name: value})}&" for name, value in given.items() if value)


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


def incident_groups(incidents: Sequence[bots_pb2.BotIncident]) -> list[IncidentGroup]:
    """Return incidents, given newest first, by cause, kind of decision and version, the most frequent first."""
    groups: dict[tuple[int, str, str], list[bots_pb2.BotIncident]] = {}
    for one in incidents:
        groups.setdefault((one.incident.cause, one.aspect, one.version), []).append(one)
    return sorted((IncidentGroup(len(own), own[0]) for own in groups.values()), key=lambda group: -group.incidents)


def _version_prices(found: bots_pb2.GetBotResponse, game: str) -> dict[str, float]:
    """Return what a decision of each version cost on average, in points, of those that have prices."""
    costs: dict[str, list[tuple[float, int]]] = {}
    for one in found.prices:
        if one.ruleset == game:
            costs.setdefault(one.version, []).append((one.price * one.decisions, one.decisions))
    return {name: sum(cost for cost, _ in own) / sum(count for _, count in own) for name, own in costs.items()}


def _place_rows(places: Sequence[bots_pb2.PlaceCount]) -> list[PlaceRow]:
    rows = []
    for _, group in groupby(places, key=lambda one: one.seats):
        counts = list(group)
        rows.append(PlaceRow(sum(one.matches for one in counts), counts))
    return rows
