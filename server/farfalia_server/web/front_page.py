"""The front page: what is being played, who leads, and how to take part."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from farfalia.v1 import events_pb2, matches_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import DEFAULT_LADDER
from farfalia_server.net.addresses import Addresses
from farfalia_server.store import ARENA
from farfalia_server.web.ladder_page import top_values
from farfalia_server.web.wheel import filename
from farfalia_server.wording.event_words import coming
from farfalia_server.wording.language import gettext
from farfalia_server.wording.player import player_words
from farfalia_server.wording.stars import STARS

#: Tables, or finished matches, on the front page.
_TABLES = 4
#: Events on the front page.
_EVENTS = 3
#: Tournaments that are read, the newest, and that are shown.
_LOOKED_AT, _TOURNAMENTS = 20, 4
_LATER = {
    tournaments_pb2.TOURNAMENT_STATE_RUNNING: 0,
    tournaments_pb2.TOURNAMENT_STATE_PLANNED: 1,
}


async def front_values(reader: Reader, addresses: Callable[[], Awaitable[Addresses]], version: str) -> dict[str, Any]:
    """Return what the front page shows."""
    told, rated = await addresses(), await reader.rated_ladders()
    ladder = DEFAULT_LADDER if DEFAULT_LADDER in rated or not rated else rated[0]
    tournaments = list((await reader.tournaments(_LOOKED_AT)).tournaments)
    tournaments.sort(key=lambda row: _LATER.get(row.state, 2))  # among equals the newest first, as given
    playing = await _matches(reader, matches_pb2.MATCH_STATE_RUNNING)
    return {
        "top": await top_values(reader, ladder),
        "playing": playing,
        "table": _watched(playing),
        "words": player_words(),
        "star_words": {name: gettext(text) for name, text in STARS.items()},
        "ended": await _matches(reader, matches_pb2.MATCH_STATE_FINISHED),
        "tournaments": tournaments[:_TOURNAMENTS],
        "events": [(event, coming(event)) for event in await _events(reader)],
        "told": told,
        "wheel_url": f"{told.pages}downloads/{filename(version)}",
    }


async def _events(reader: Reader) -> list[events_pb2.Event]:
    """Return the newest events that are not over, without the public arena, which all other pages show."""
    closed = events_pb2.EVENT_STATE_CLOSED
    found = [event for event in await reader.events.all() if event.name != ARENA and event.state != closed]
    return found[:_EVENTS]


def _watched(playing: list[matches_pb2.Match]) -> matches_pb2.Match | None:
    """Return the table to watch, one of a ladder if possible: nobody else has its cards, and all of it is shown."""
    return min(playing, key=lambda match: match.tournament > 0, default=None)


async def _matches(reader: Reader, state: matches_pb2.MatchState) -> list[matches_pb2.Match]:
    asked = matches_pb2.ListMatchesRequest(state=state, limit=_TABLES)
    return list((await reader.matches(asked)).matches)
