"""The page of matches: its tabs and filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from farfalia.v1 import matches_pb2
from farfalia_engine import GAMES
from farfalia_server.arena.reading import Reader
from farfalia_server.web.query_parameters import MATCHES, check_names, matches_asked
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import MATCH_TABS, date, game_name, ordinal

#: The tab that is shown first: what is planned never hides what was played.
_FIRST = "finished"
#: Parameters that say where a page begins, not which matches are meant.
_PAGING = ("before", "limit")
#: Parameters that only finished matches can be asked for by.
_OF_FINISHED = ("version", "place", "strikes", "newest", "since")


@dataclass(frozen=True, slots=True)
class Tab:
    """Matches in one state, and where they are."""

    text: str
    address: str
    current: bool


async def matches_values(reader: Reader, request: Request) -> dict[str, Any]:
    """Return what the page of matches shows."""
    check_names(request, [name for name, _ in MATCHES])
    asked = matches_asked(request, _FIRST)
    rows = list((await reader.matches(asked)).matches)
    given: dict[str, str | int] = {name: value for name, value in request.query_params.items() if value}
    state = str(given.pop("state", _FIRST))
    filters = {name: value for name, value in given.items() if name not in _PAGING}

    def address(name: str) -> str:
        kept = {key: value for key, value in filters.items() if name == _FIRST or key not in _OF_FINISHED}
        return _address("/matches", kept if name == _FIRST else {**kept, "state": name})

    tournament = (await reader.tournament_alone(asked.tournament)).name if asked.tournament else ""
    last = rows[-1].id if len(rows) == asked.limit else 0
    return {
        "twin": _address("/api/matches", {**given, "state": state}),
        "asked": asked,
        "title": _title(asked, gettext(MATCH_TABS[state]) if state in MATCH_TABS else "", tournament),
        "state": state,
        "filters": filters,
        "games": sorted(GAMES),
        "tabs": [Tab(gettext(text), address(name), name == state) for name, text in MATCH_TABS.items()],
        "match_rows": rows,
        "names": await reader.tournament_names(rows),
        "older_url": _address("/matches", {**given, "state": state, "before": last}) if last else "",
    }


def _title(asked: matches_pb2.ListMatchesRequest, state: str, tournament: str) -> str:
    """Return which matches they are, in words: `Matches of ada at Chinkway, version 2.0, before match 40`."""
    said = gettext("Matches")
    if asked.bot and asked.against:
        said = gettext("Matches of {bot} against {other}").format(bot=asked.bot, other=asked.against)
    elif asked.bot:
        said = gettext("Matches of {bot}").format(bot=asked.bot)
    if asked.game:
        said = gettext("{matches} at {game}").format(matches=said, game=game_name(asked.game))
    parts = [
        (tournament, gettext("tournament {value}")),
        (asked.version, gettext("version {value}")),
        (asked.event, gettext("event {value}")),
        (ordinal(asked.place) if asked.place else "", gettext("{value} place")),
        (asked.seats, gettext("tables of {value}")),
        (asked.newest, gettext("the newest {value}")),
        (date(asked.since) if asked.HasField("since") else "", gettext("since {value}")),
        (gettext("with strikes") if asked.strikes else "", "{value}"),
        (state if asked.state != matches_pb2.MATCH_STATE_FINISHED else "", "{value}"),
        (asked.before, gettext("after match {value}")),
    ]
    return ", ".join([said, *(words.format(value=value) for value, words in parts if value)])


def _address(path: str, asked: dict[str, str | int]) -> str:
    return f"{path}?{urlencode(asked)}" if asked else path
