"""Streams of events: one reader for each watched thing passes its news on to all viewers.

The event loop that plays the matches runs this, so nothing is computed here: events come as bytes from the process that
makes pages and are only passed on. A viewer that does not read delays nobody else, until its connection is closed.
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qsl

import structlog
from starlette.types import Receive, Scope, Send

from farfalia_server.contract.errors import (
    FarfaliaServerError,
    InvalidArgument,
    NotFound,
    RecordDamaged,
    ResourceExhausted,
)
from farfalia_server.web.problem import FAULT
from farfalia_server.web.query_parameters import no_such_parameter
from farfalia_server.web.safe_headers import with_safe_headers

log = structlog.get_logger(__name__)

#: Most viewers of one kind of streams.
_MOST_VIEWERS = 2000
#: Seconds of silence after which a viewer gets a keep-alive, and seconds before a reader tries again.
_SILENCE, _AGAIN = 15.0, 2.0
#: Seconds for which something is still followed after its last viewer has left.
_LINGER = 5.0
#: The media type of a stream of lines.
NDJSON: Final = b"application/x-ndjson"


class Viewer:
    """A viewer's stream: as `lines`, or as server-sent events."""

    def __init__(self, lines: bool, send: Send, gone: asyncio.Task[None]) -> None:
        self.lines = lines
        self._send = send
        self._gone = gone
        #: What the viewer waits for; true for news.
        self._woken: asyncio.Future[bool] | None = None
        gone.add_done_callback(lambda _: self.wake(news=False))

    @property
    def gone(self) -> bool:
        """Whether the viewer has left."""
        return self._gone.done()

    async def tell(self, part: bytes, *, over: bool) -> None:
        """Send this part, if it is not empty, and the end of the stream if it is `over`."""
        if over:
            part += encoded(b'{"type":"end"}', "", self.lines)
        if part:
            await send_part(self._send, part, more=not over)

    async def wait(self) -> bool:
        """Return whether there is news, once somebody wakes the viewer."""
        self._woken = asyncio.get_running_loop().create_future()
        return await self._woken

    def wake(self, *, news: bool) -> None:
        """End the viewer's wait, if it waits."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(news)

    async def keep_alive(self) -> None:
        """Send something that says nothing."""
        await send_part(self._send, b"\n" if self.lines else b":\n\n", more=True)


class Broadcast(ABC):
    """Something with viewers, and the task that reads what is new of it; `which` names it in logs.

    Whatever is done for each viewer and part is done by the thousand, so viewers have no task and no timer of their own
    while they wait: the broadcast wakes them.
    """

    def __init__(self, **which: int) -> None:
        self._which = which
        self.viewers = 0
        self.over = False
        self.refused: FarfaliaServerError | None = None
        #: Set when there is something to tell.
        self.begun = asyncio.Event()
        #: How often there was news.
        self.turn = 0
        self._waiting: set[Viewer] = set()
        self._silence = self._keep_alive_later()
        self.reading = asyncio.create_task(self._follow())

    @abstractmethod
    async def read(self) -> bool:
        """Wait for news, keep it, and return whether there is any; set `over` if no more follows."""

    @abstractmethod
    async def show(self, viewer: Viewer, last_id: bytes) -> None:
        """Send a viewer everything after its last event, until no more follows or it leaves."""

    def pause(self) -> float:
        """Return for how many seconds news is gathered before it is sent."""
        return 0.0

    async def wait(self, viewer: Viewer, turn: int) -> None:
        """Return when there is news since that turn, or the viewer has left; send keep-alives during a silence."""
        while self.turn == turn and not viewer.gone:
            self._waiting.add(viewer)
            try:
                if await viewer.wait():
                    return
            finally:
                self._waiting.discard(viewer)
            if not viewer.gone:
                await viewer.keep_alive()

    def _wake(self, *, news: bool) -> None:
        for viewer in self._waiting:
            viewer.wake(news=news)
        self._silence.cancel()
        self._silence = self._keep_alive_later()

    def _keep_alive_later(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(_SILENCE, lambda: self._wake(news=False))

    async def _follow(self) -> None:
        try:
            await self._read_on()
        finally:
            self._silence.cancel()  # nobody waits any longer

    async def _read_on(self) -> None:
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
                self.turn += 1
                self._wake(news=True)
                if not self.over:
                    await asyncio.sleep(self.pause())


class EventStreams:
    """The streams of one kind of things at the HTTP port, an ASGI application.

    `address` has the number of a thing as its group, `make` returns the broadcast of that number, `most` are watched at
    once, and `things` is what they are called.
    Raises FarfaliaServerError before it has answered.
    """

    def __init__(self, address: str, most: int, things: str, make: Callable[[int], Broadcast]) -> None:
        self._address = re.compile(address)
        self._most = most
        self._things = things
        self._make = make
        self._broadcasts: dict[int, Broadcast] = {}

    def serves(self, path: str) -> bool:
        """Return whether there is a stream at this path."""
        return self._address.fullmatch(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until nothing follows, or the viewer leaves."""
        found = self._address.fullmatch(scope["path"])
        assert found is not None
        if given := parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
            raise InvalidArgument("query", no_such_parameter(given[0][0], []))
        broadcast = self._broadcast(int(found[1]))
        broadcast.viewers += 1
        gone = asyncio.create_task(left(receive))
        try:
            begun = asyncio.ensure_future(broadcast.begun.wait())
            await asyncio.wait((begun, gone), return_when=asyncio.FIRST_COMPLETED)
            begun.cancel()
            if not broadcast.begun.is_set():
                return  # the viewer did not wait
            if broadcast.refused is not None:
                raise broadcast.refused
            headers = dict(scope["headers"])
            lines = NDJSON in headers.get(b"accept", b"")
            await _start(send, lines, scope)
            if scope["method"] != "HEAD":
                await broadcast.show(Viewer(lines, send, gone), headers.get(b"last-event-id", b""))
        finally:
            gone.cancel()
            broadcast.viewers -= 1

    def _broadcast(self, number: int) -> Broadcast:
        if sum(broadcast.viewers for broadcast in self._broadcasts.values()) >= _MOST_VIEWERS:
            raise ResourceExhausted("too many people are watching; try again in a moment", "TOO_MANY_READERS")
        broadcast = self._broadcasts.get(number)
        if broadcast is None or (broadcast.reading.done() and not broadcast.viewers):
            self._broadcasts = {
                other: one for other, one in self._broadcasts.items() if one.viewers or not one.reading.done()
            }
            if len(self._broadcasts) >= self._most:
                raise ResourceExhausted(f"too many {self._things} are being watched", "TOO_MANY_READERS")
            broadcast = self._broadcasts[number] = self._make(number)
        return broadcast


def encoded(event: bytes, id: str, lines: bool) -> bytes:
    """Return an event as it is sent: as a line, or as a server-sent event with an id if it has one."""
    if lines:
        return event + b"\n"
    return (f"id: {id}\n".encode() if id else b"") + b"data: " + event + b"\n\n"


async def _start(send: Send, lines: bool, scope: Scope) -> None:
    kind = NDJSON if lines else b"text/event-stream"
    headers = (
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),  # a proxy passes each event on at once
        (b"access-control-allow-origin", b"*"),
    )
    await send({"type": "http.response.start", "status": 200, "headers": with_safe_headers(headers)})
    ends = scope["method"] == "HEAD"
    await send(
        {"type": "http.response.body", "body": b"" if lines or ends else b"retry: 2000\n\n", "more_body": not ends}
    )


async def send_part(send: Send, part: bytes, *, more: bool) -> None:
    """Send a part of a stream."""
    await send({"type": "http.response.body", "body": part, "more_body": more})


async def left(receive: Receive) -> None:
    """Return when the viewer is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
