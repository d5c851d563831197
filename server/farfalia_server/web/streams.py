"""Streams of events: one reader for each match that is watched, and what it finds goes to all its viewers.

The event loop that plays the matches runs this, so nothing here is computed: events come as bytes from the process that
makes pages, and are only passed on. A viewer that does not read waits for itself alone, until its connection is closed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final

import structlog
from starlette.types import Receive, Scope, Send

from farfalia_server.errors import FarfaliaServerError, NotFound, ResourceExhausted
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.safe_headers import with_safe_headers

log = structlog.get_logger(__name__)

#: Returns what is new of a match: its number, and the attempt, events and deals behind that are known.
LiveSource = Callable[[int, int, int, int], Awaitable[LiveNews]]

#: Matches that are watched at once, and viewers of all of them.
_MOST_MATCHES, _MOST_VIEWERS = 200, 2000
#: Seconds without an event after which a viewer is sent a sign of life, and before a reader tries again.
_SILENCE, _AGAIN = 15.0, 2.0
#: Seconds for which a match is followed after its last viewer has left.
_LINGER = 5.0
#: Seconds for each viewer, and at most, in which news gather before the next part is sent to all: many viewers get
#: fewer and larger parts, since each costs the event loop something for each of them.
_GATHER, _LONGEST_GATHER = 0.0003, 0.12
_ADDRESS = re.compile(r"/api/matches/([0-9]{1,18})/events")
#: The media type of a stream of lines.
NDJSON: Final = b"application/x-ndjson"


class _Watched:
    """A match with viewers: its events so far, and the task that reads more."""

    def __init__(self, match: int, source: LiveSource) -> None:
        self._match = match
        self._source = source
        self.attempt = 0
        self.events: list[bytes] = []
        #: The same as server-sent events, made once for all viewers.
        self.frames: list[bytes] = []
        #: Deals that its table has begun and that stay closed for now.
        self.behind = 0
        self.over = False
        self.viewers = 0
        self.refused: FarfaliaServerError | None = None
        #: Set, and replaced by another one, when there is something new.
        self.moved = asyncio.Event()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        left = 0.0
        loop = asyncio.get_running_loop()
        while not self.over:
            before = self.attempt, len(self.events), self.behind
            left = 0.0 if self.viewers else left or loop.time()
            if left and loop.time() - left > _LINGER:
                return
            try:
                news = await self._source(self._match, self.attempt, len(self.events), self.behind)
            except NotFound as error:
                self.refused, self.over = error, True
            except FarfaliaServerError as error:
                log.warning("spectators_wait", match=self._match, error=str(error))
                await asyncio.sleep(_AGAIN)
                continue
            except Exception:
                log.exception("spectators_failed", match=self._match)
                self.over = True
            else:
                if news.attempt != self.attempt:
                    self.events, self.frames = [], []
                self.attempt, self.behind, self.over = news.attempt, news.behind, news.over
                # A list of its own: viewers look at the one that they began with.
                self.events = [*self.events[: news.first], *news.events]
                new = enumerate(news.events, news.first + 1)
                frames = (encoded(event, f"{self.attempt}.{number}", False) for number, event in new)
                self.frames = [*self.frames[: news.first], *frames]
            if self.over or before != (self.attempt, len(self.events), self.behind):
                moved, self.moved = self.moved, asyncio.Event()
                moved.set()
                if not self.over:
                    await asyncio.sleep(min(_LONGEST_GATHER, self.viewers * _GATHER))


class Streams:
    """The streams of events at the HTTP port, an ASGI application.

    Raises FarfaliaServerError before it has answered.
    """

    def __init__(self, source: LiveSource) -> None:
        self._source = source
        self._watched: dict[int, _Watched] = {}

    def serves(self, path: str) -> bool:
        """Return whether there is a stream at this path."""
        return _ADDRESS.fullmatch(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events of a match until it is over, or the viewer leaves."""
        found = _ADDRESS.fullmatch(scope["path"])
        assert found is not None
        watched = self._watch(int(found[1]))
        watched.viewers += 1
        try:
            if not watched.attempt and not watched.over:
                await watched.moved.wait()
            if watched.refused is not None:
                raise watched.refused
            headers = dict(scope["headers"])
            lines = NDJSON in headers.get(b"accept", b"")
            await start(send, lines, scope)
            if scope["method"] == "HEAD":
                return
            gone = asyncio.create_task(left(receive))
            try:
                await _show(watched, _known(headers.get(b"last-event-id", b"")), lines, send, gone)
            finally:
                gone.cancel()
        finally:
            watched.viewers -= 1

    def _watch(self, match: int) -> _Watched:
        if sum(watched.viewers for watched in self._watched.values()) >= _MOST_VIEWERS:
            raise ResourceExhausted("as many watch as the server takes; try again in a moment", "TOO_MANY_READERS")
        watched = self._watched.get(match)
        if watched is None or (watched.reading.done() and not watched.viewers):
            self._watched = {
                number: one for number, one in self._watched.items() if one.viewers or not one.reading.done()
            }
            if len(self._watched) >= _MOST_MATCHES:
                raise ResourceExhausted("as many matches are watched as the server takes", "TOO_MANY_READERS")
            watched = self._watched[match] = _Watched(match, self._source)
        return watched


async def _show(watched: _Watched, known: tuple[int, int], lines: bool, send: Send, gone: asyncio.Task[None]) -> None:
    # Not all of the events that the viewer has may have been read again yet: after a start, or without Redis.
    attempt, position = known
    behind = 0
    while not gone.done():
        if attempt != watched.attempt:
            attempt, position = watched.attempt, 0
        over, moves = watched.over, asyncio.create_task(watched.moved.wait())
        try:
            told = [event + b"\n" for event in watched.events[position:]] if lines else watched.frames[position:]
            position += len(told)
            if watched.behind != behind:
                behind = watched.behind
                told.append(encoded(b'{"type":"behind","deals":%d}' % behind, "", lines))
            if over:
                told.append(encoded(b'{"type":"end"}', "", lines))
            if told:
                await send_parts(send, told, more=not over)
            if over:
                return
            await asyncio.wait((moves, gone), timeout=_SILENCE, return_when=asyncio.FIRST_COMPLETED)
            if not moves.done():
                await send_parts(send, [b"\n" if lines else b":\n\n"], more=True)
        finally:
            moves.cancel()


def encoded(event: bytes, id: str, lines: bool) -> bytes:
    """Return an event as it is sent: as a line, or as a server-sent event with an id if it has one."""
    if lines:
        return event + b"\n"
    return (f"id: {id}\n".encode() if id else b"") + b"data: " + event + b"\n\n"


async def start(send: Send, lines: bool, scope: Scope) -> None:
    """Begin to answer with a stream."""
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


async def send_parts(send: Send, parts: Iterable[bytes], *, more: bool) -> None:
    """Send a part of a stream."""
    await send({"type": "http.response.body", "body": b"".join(parts), "more_body": more})


async def left(receive: Receive) -> None:
    """Return when the viewer is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _known(id: bytes) -> tuple[int, int]:
    """Return the attempt and the number of the last event that a viewer has; (0, 0) if it has none of ours."""
    attempt, _, number = id.partition(b".")
    with suppress(ValueError):
        if len(id) <= 20:
            return int(attempt), int(number)
    return 0, 0
