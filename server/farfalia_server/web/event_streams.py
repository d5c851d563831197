"""Streams of events: one reader for each watched thing passes its news on to all viewers.

A viewer that does not read delays nobody else, until its connection is closed.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from farfalia_server.contract.errors import FarfaliaServerError, NotFound, RecordDamaged, ResourceExhausted
from farfalia_server.contract.said import Said, said
from farfalia_server.web.problem import FAULT
from farfalia_server.web.query_parameters import check_names, number_of, one_of
from farfalia_server.wording.language import LANGUAGES, speaking

log = structlog.get_logger(__name__)

#: Most viewers of one kind of streams.
_MOST_VIEWERS = 2000
#: Seconds of silence after which a viewer gets a keep-alive, and seconds before a reader tries again.
_SILENCE, _AGAIN = 15.0, 2.0
#: Seconds for which something is still followed after its last viewer has left.
_LINGER = 5.0
#: The media type of a stream of lines.
NDJSON: Final = "application/x-ndjson"
#: Of the answer that is a stream.
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}  # a proxy passes each event on at once

#: For streams of which nobody asks for a part.
NO_PARTS: Final[Mapping[str, str]] = MappingProxyType({})

#: Returns what is new for a viewer since the last call; None if it has missed something.
NewsOfViewer = Callable[[], bytes | None]


class Broadcast(ABC):
    """Something with viewers, and the task that reads what is new of it; `which` names it in logs."""

    def __init__(self, **which: int) -> None:
        self._which = which
        self.viewers = 0
        self.over = False
        self.refused: FarfaliaServerError | None = None
        #: Set when there is something to tell.
        self.begun = asyncio.Event()
        #: Set at the next news; then there is another one.
        self._changed = asyncio.Event()
        self.reading = asyncio.create_task(self._follow())

    @abstractmethod
    async def read(self) -> bool:
        """Wait for news, keep it, and return whether there is any; set `over` if no more follows."""

    @abstractmethod
    def viewer(self, last_id: str, *, lines: bool, about: Collection[str]) -> NewsOfViewer:
        """Return what tells a viewer, as `lines` or as server-sent events, everything after its last event: all of it,
        or what is `about` some things.
        """

    def pause(self) -> float:
        """Return for how many seconds news is gathered before it is sent."""
        return 0.0

    async def parts(self, last_id: str, *, lines: bool, about: Collection[str]) -> AsyncIterator[bytes]:
        """Yield everything after a viewer's last event, and keep-alives, until no more follows or it misses some."""
        if not lines:
            yield b"retry: 2000\n\n"
        news = self.viewer(last_id, lines=lines, about=about)
        while True:
            changed, over = self._changed, self.over
            part = news()
            if part is None:
                return  # when it comes back, it is told how things stand
            if over:
                part += encoded(b'{"type":"end"}', "", lines)
            if part:
                yield part
            if over:
                return
            while not changed.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_SILENCE):
                        await changed.wait()
                        continue
                yield b"\n" if lines else b":\n\n"

    async def _follow(self) -> None:
        alone = 0.0
        loop = asyncio.get_running_loop()
        while not self.over:
            alone = 0.0 if self.viewers else alone or loop.time()
            if alone and loop.time() - alone > _LINGER:
                return
            new = True
            try:
                new = await self.read()
            except (NotFound, RecordDamaged) as error:
                self.refused, self.over = error, True
            except FarfaliaServerError as error:
                log.warning("spectators_wait", **self._which, error=str(error))
                if self.begun.is_set():
                    await asyncio.sleep(_AGAIN)
                    continue
                self.refused, self.over = error, True  # nobody has an answer yet: they may ask again
            except Exception:
                log.exception("spectators_failed", **self._which)
                self.over = True
                if not self.begun.is_set():
                    self.refused = FarfaliaServerError(FAULT)
            if new or self.over:
                self.begun.set()
                self._changed.set()
                self._changed = asyncio.Event()
                if not self.over:
                    await asyncio.sleep(self.pause())


class EventStreams(Route):
    """The streams of one kind of things at the HTTP port.

    Each `thing` has a number, `make` returns the broadcast of that number, and `most` of these `things` are watched at
    once, in any language. Without a `thing` there is one stream of all, number 0, of which a viewer may ask for some:
    `parts` has the parameters, with what an event about one of their words is about.
    """

    def __init__(
        self, thing: str, things: Said, most: int, make: Callable[[int], Broadcast], parts: Mapping[str, str] = NO_PARTS
    ) -> None:
        super().__init__(f"/api/{things}/{{id}}/events" if thing else f"/api/{things}/events", self.watch)
        self._thing, self._things, self._some = thing, things, parts
        self._most = most
        self._make = make
        self._broadcasts: dict[tuple[int, str], Broadcast] = {}

    async def watch(self, request: Request) -> ASGIApp:
        """Return the events until nothing follows; raises FarfaliaServerError if there are none."""
        check_names(request, ["language", *self._some])
        number = number_of(request, self._thing) if self._thing else 0
        asked = {kind: request.query_params.get(name, "").split(",") for name, kind in self._some.items()}
        about = {f"{kind}:{one}" for kind, words in asked.items() for one in words if one}
        broadcast = self._broadcast(number, one_of(request, "language", list(LANGUAGES)))
        lines = NDJSON in request.headers.get("accept", "")
        broadcast.viewers += 1
        try:
            if not await _begins(broadcast, request):
                return _nothing
            if broadcast.refused is not None:
                raise broadcast.refused
        finally:
            broadcast.viewers -= 1
        parts = self._parts(broadcast, request.headers.get("last-event-id", ""), lines=lines, about=about)
        kind = NDJSON if lines else "text/event-stream"
        return StreamingResponse(parts if request.method == "GET" else (), headers={**HEADERS, "content-type": kind})

    async def _parts(
        self, broadcast: Broadcast, last_id: str, *, lines: bool, about: Collection[str]
    ) -> AsyncIterator[bytes]:
        broadcast.viewers += 1
        try:
            async for part in broadcast.parts(last_id, lines=lines, about=about):
                yield part
        finally:
            broadcast.viewers -= 1

    def _broadcast(self, number: int, language: str) -> Broadcast:
        if sum(broadcast.viewers for broadcast in self._broadcasts.values()) >= _MOST_VIEWERS:
            raise ResourceExhausted(said("too many people are watching; try again in a moment"), "TOO_MANY_READERS")
        broadcast = self._broadcasts.get((number, language))
        if broadcast is None or (broadcast.reading.done() and not broadcast.viewers):
            self._broadcasts = {
                other: one for other, one in self._broadcasts.items() if one.viewers or not one.reading.done()
            }
            if len({watched for watched, _ in self._broadcasts} | {number}) > self._most:
                raise ResourceExhausted(
                    said("too many %(things)s are being watched", things=self._things), "TOO_MANY_READERS"
                )
            with speaking(language):  # so does the task that reads what is new
                broadcast = self._broadcasts[number, language] = self._make(number)
        return broadcast


def encoded(event: bytes, id: str, lines: bool) -> bytes:
    """Return an event as it is sent: as a line, or as a server-sent event with an id if it has one."""
    if lines:
        return event + b"\n"
    return (f"id: {id}\n".encode() if id else b"") + b"data: " + event + b"\n\n"


async def _begins(broadcast: Broadcast, request: Request) -> bool:
    """Wait until there is something to tell; return False if the viewer leaves before."""
    begun, left = asyncio.ensure_future(broadcast.begun.wait()), asyncio.ensure_future(_left(request.receive))
    await asyncio.wait((begun, left), return_when=asyncio.FIRST_COMPLETED)
    for waiting in (begun, left):
        waiting.cancel()
    return broadcast.begun.is_set()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing: nobody is there to read it."""
