"""The pages of events: all of them, one, and its times as a calendar."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia.v1 import tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.wall_clock import now
from farfalia_server.web.calendars import calendar
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.query_parameters import check_names
from farfalia_server.wording.event_words import coming, milestones

#: Tournaments on the page of an event: the newest.
_TOURNAMENTS = 50


class EventPages:
    """The pages of events that everybody may see."""

    def __init__(self, reader: Reader, renderer: PageRenderer, addresses: Callable[[], Awaitable[Addresses]]) -> None:
        self._reader = reader
        self._renderer = renderer
        self._addresses = addresses

    def routes(self) -> list[Route]:
        """Return the routes by address."""
        return [
            Route("/events", self._events),
            Route("/events/{event}", self._event),
            Route("/events/{event}/calendar.ics", self._calendar),
        ]

    async def _events(self, request: Request) -> Response:
        check_names(request, [])
        rows = [(event, coming(event)) for event in await self._reader.events.all()]
        return self._renderer.page("events.html", "events", "/api/events", rows=rows)

    async def _event(self, request: Request) -> Response:
        check_names(request, [])
        name = request.path_params["event"]
        found = await self._reader.events.public(name)
        tournaments = (await self._reader.tournaments(_TOURNAMENTS, event=name)).tournaments
        times = milestones(found.event)
        return self._renderer.page(
            "event.html",
            "events",
            f"/api/events/{name}",
            found=found,
            event=found.event,
            times=times,
            coming=coming(found.event),
            tournaments=_running_first(tournaments),
            teams=sorted({member.team for member in found.members} - {""}),
            ladders=found.ladders or ([] if name != "arena" else await self._reader.rated_ladders()),
        )

    async def _calendar(self, request: Request) -> Response:
        check_names(request, [])
        event = (await self._reader.events.public(request.path_params["event"])).event
        address = f"{(await self._addresses()).pages}events/{event.name}"
        return Response(calendar(event.title, milestones(event), address, now()), media_type="text/calendar")


def _running_first(rows: Iterable[tournaments_pb2.Tournament]) -> list[tournaments_pb2.Tournament]:
    running = tournaments_pb2.TOURNAMENT_STATE_RUNNING
    return sorted(rows, key=lambda row: row.state != running)
