"""Feeds (Atom, RFC 4287): the results of a bot and of a tournament, and when a tournament starts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.wall_clock import now
from farfalia_server.web.calendars import calendar
from farfalia_server.web.match_page import summary
from farfalia_server.web.query_parameters import check_names, number_of
from farfalia_server.wording.event_words import Milestone
from farfalia_server.wording.language import gettext

#: Results of a feed: the last ones that are shown, among as many of the last matches.
_RESULTS, _LOOKED_AT = 20, 60
_ATOM: Final = "http://www.w3.org/2005/Atom"


class FeedPages:
    """What programs of readers look at now and then."""

    def __init__(self, reader: Reader, addresses: Callable[[], Awaitable[Addresses]]) -> None:
        self._reader = reader
        self._addresses = addresses

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/bots/{name}/feed.atom", self._bot),
            Route("/tournaments/{id}/feed.atom", self._tournament),
            Route("/tournaments/{id}/calendar.ics", self._calendar),
        ]

    async def _bot(self, request: Request) -> Response:
        check_names(request, [])
        bot = await self._reader.bots.one(request.path_params["name"])
        asked = matches_pb2.ListMatchesRequest(bot=bot.name)
        return await self._feed(f"bots/{bot.name}", bot.name, asked, bot.registered.ToDatetime(UTC))

    async def _tournament(self, request: Request) -> Response:
        check_names(request, [])
        row = await self._reader.tournament_alone(number_of(request, "tournament"))
        asked = matches_pb2.ListMatchesRequest(tournament=row.id)
        return await self._feed(f"tournaments/{row.id}", row.name, asked, row.created.ToDatetime(UTC))

    async def _calendar(self, request: Request) -> Response:
        check_names(request, [])
        row = await self._reader.tournament_alone(number_of(request, "tournament"))
        if not row.HasField("starts"):
            raise NotFound(
                said("tournament %(tournament)s does not start by itself at a time that is known", tournament=row.id)
            )
        address = f"{(await self._addresses()).pages}tournaments/{row.id}"
        start = Milestone("starts", gettext("start"), row.starts.ToDatetime(UTC))
        return Response(calendar(row.name, [start], address, now()), media_type="text/calendar")

    async def _feed(self, path: str, title: str, asked: matches_pb2.ListMatchesRequest, since: datetime) -> Response:
        asked.state, asked.limit = matches_pb2.MATCH_STATE_FINISHED, _LOOKED_AT
        shown = [match for match in (await self._reader.matches(asked)).matches if match.outcome.places]
        names = await self._reader.tournament_names(shown)
        body = feed((await self._addresses()).pages, path, title, shown[:_RESULTS], names, since)
        return Response(body, media_type="application/atom+xml")


def feed(
    pages: str,
    path: str,
    title: str,
    matches: Iterable[matches_pb2.Match],
    names: dict[int, str],
    since: datetime,
) -> bytes:
    """Return the results of some matches, newest first, as a feed of the page at a path of the server.

    `names` are those of tournaments, and `since` is when what the page is about came to be.
    """
    root = ElementTree.Element("feed", xmlns=_ATOM)
    found = list(matches)
    _add(root, "id", f"{pages}{path}")
    _add(root, "title", title)
    _add(root, "updated", max([since, *(_ended(match) for match in found)]).isoformat())
    _add(root, "link", href=f"{pages}{path}")
    _add(root, "link", href=f"{pages}{path}/feed.atom", rel="self")
    _add(_add(root, "author"), "name", "Farfalia")
    for match in found:
        entry, address = _add(root, "entry"), f"{pages}matches/{match.id}"
        _add(entry, "id", address)
        _add(entry, "title", summary(match, match.outcome.points))
        _add(entry, "updated", _ended(match).isoformat())
        _add(entry, "link", href=address)
        text = gettext("{game}, match {number}").format(game=match.ruleset, number=match.id)
        if match.tournament in names:
            text = gettext("{tournament}, {match}").format(tournament=names[match.tournament], match=text)
        _add(entry, "summary", text)
    body: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return body


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    found = ElementTree.SubElement(parent, name, attributes)
    found.text = "".join(one for one in text if one.isprintable()) or None
    return found


def _ended(match: matches_pb2.Match) -> datetime:
    return match.finished.ToDatetime(UTC)
