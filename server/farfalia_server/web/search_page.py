"""The page of a search, the near names of an address where nothing is, and the one function behind both."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import unquote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import search_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.searching import LONGEST_SEARCH
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.web.documents import documents
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.query_parameters import check_names

#: Where something has a name or a number, by how the address begins, and what can be meant there.
_PLACES = {
    "bots": search_pb2.SEARCH_KIND_BOT,
    "tournaments": search_pb2.SEARCH_KIND_TOURNAMENT,
    "events": search_pb2.SEARCH_KIND_EVENT,
    "ladders": search_pb2.SEARCH_KIND_LADDER,
    "rules": search_pb2.SEARCH_KIND_GAME,
    "docs": search_pb2.SEARCH_KIND_DOCUMENT,
}


async def found(reader: Reader, text: str) -> search_pb2.SearchResults:
    """Return what is called like this, documents too; InvalidArgument if the text is too long."""
    return await reader.search.found(
        text,
        [
            (
                search_pb2.SearchHit(
                    kind=search_pb2.SEARCH_KIND_DOCUMENT, name=one.title, address=one.address, detail=one.line
                ),
                (one.title, one.address.rpartition("/")[2]),
            )
            for one in documents().listed
        ],
    )


async def meant(reader: Reader, path: str) -> list[search_pb2.SearchHit]:
    """Return what may have been meant by the address of something that is not there; none if nobody can say."""
    place, _, name = path.strip("/").partition("/")
    if place not in _PLACES or not name:
        return []
    try:
        hits = (await found(reader, unquote(name.partition("/")[0])[:LONGEST_SEARCH])).hits
    except FarfaliaServerError:  # the page of the first error tells more than that of a second one
        return []
    return [hit for hit in hits if hit.kind == _PLACES[place] and hit.address != path]


class SearchPages:
    """The page of a search."""

    def __init__(self, reader: Reader, renderer: PageRenderer) -> None:
        self._reader, self._renderer = reader, renderer

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/search", self._search)]

    async def _search(self, request: Request) -> Response:
        """Return what was found; if one thing alone has just this name, the way to its page."""
        check_names(request, ["q"])
        text = request.query_params.get("q", "").strip()
        hits = (await found(self._reader, text)).hits
        exact = [hit.address for hit in hits if hit.match == search_pb2.SEARCH_MATCH_EXACT]
        if len(exact) == 1:
            return RedirectResponse(exact[0], 303)
        kinds = [(kind, list(some)) for kind, some in groupby(hits, lambda hit: hit.kind)]
        twin = f"/api/search?{urlencode({'q': text})}"
        return self._renderer.page("search.html", "search", twin, text=text, kinds=kinds, longest=LONGEST_SEARCH)
