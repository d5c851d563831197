"""The page of matches: its tabs and filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from farfalia_engine import GAMES
from farfalia_server.arena.reading import Reader
from farfalia_server.web.query_parameters import MATCHES, check_names, matches_asked
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import MATCH_TABS

#: The tab that is shown first: what is planned never hides what was played.
_FIRST = "finished"
#: Parameters that say where a page begins, not which matches are meant.
_PAGING = ("before", "limit")
#: Parameters that only finished matches can be asked for by.
_OF_FINISHED = ("version", "place", "strikes", "newest")


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

    last = rows[-1].id if len(rows) == asked.limit else 0
    return {
        "twin": _address("/api/matches", {**given, "state": state}),
        "asked": asked,
        "state": state,
        "filters": filters,
        "games": sorted(GAMES),
        "tabs": [Tab(gettext(text), address(name), name == state) for name, text in MATCH_TABS.items()],
        "match_rows": rows,
        "names": await reader.tournament_names(rows),
        "older_url": _address("/matches", {**given, "state": state, "before": last}) if last else "",
    }


def _address(path: str, asked: dict[str, str | int]) -> str:
    return f"{path}?{urlencode(asked)}" if asked else path
