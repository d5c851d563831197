"""Streams of what happens in tournaments: one reader for each that is watched, and what it finds goes to all viewers.

As `streams`, it only passes on bytes. A viewer that reads so slowly that it has missed events is let go, comes back by
itself, and is told the state.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

import structlog
from starlette.types import Receive, Scope, Send

from farfalia_server.errors import FarfaliaServerError, NotFound, ResourceExhausted
from farfalia_server.web.streams import NDJSON, encoded, left, send_parts, start
from farfalia_server.web.tournament_feed import TournamentEvent, TournamentNews

log = structlog.get_logger(__name__)

#: Returns what is new of a tournament: its number, and the version that is known.
TournamentSource = Callable[[int, int], Awaitable[TournamentNews]]

#: Tournaments that are watched at once, and viewers of all of them.
_MOST_TOURNAMENTS, _MOST_VIEWERS = 100, 2000
#: Seconds without an event after which a viewer is sent a sign of life, and before a reader tries again.
_SILENCE, _AGAIN = 15.0, 2.0
#: Seconds for which a tournament is followed after its last viewer has left.
_LINGER = 5.0
#: News that viewers may be behind.
_KEPT = 100
_ADDRESS = re.compile(r"/api/tournaments/([0-9]{1,18})/events")


class _Watched:
    """A tournament with viewers: how it stands, its last news, and the task that reads more."""

    def __init__(self, number: int, source: TournamentSource) -> None:
        self._number = number
        self._source = source
        self.latest = TournamentNews(0)
        #: How many news there were, and the last of them.
        self.count = 0
        self.news: deque[tuple[TournamentEvent, ...]] = deque(maxlen=_KEPT)
        self.viewers = 0
        self.over = False
        self.refused: FarfaliaServerError | None = None
        #: Set, and replaced by another one, when there is something new.
        self.moved = asyncio.Event()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        alone = 0.0
        loop = asyncio.get_running_loop()
        while not self.over:
            alone = 0.0 if self.viewers else alone or loop.time()
            if alone and loop.time() - alone > _LINGER:
                return
            try:
                news = await self._source(self._number, self.latest.version)
            except NotFound as error:
                self.refused, self.over = error, True
            except FarfaliaServerError as error:
                log.warning("spectators_wait", tournament=self._number, error=str(error))
                await asyncio.sleep(_AGAIN)
                continue
            except Exception:
                log.exception("spectators_failed", tournament=self._number)
                self.over = True
            else:
                if news.version == self.latest.version and not news.over:
                    continue
                # Who reads for us may have been started again, and then knows what is, not what is new.
                told = news.events if news.known == self.latest.version else news.state
                self.latest, self.over = news, news.over
                self.news.append(told)
                self.count += 1
            moved, self.moved = self.moved, asyncio.Event()
            moved.set()


class TournamentStreams:
    """The streams of tournaments at the HTTP port, an ASGI application.

    Raises FarfaliaServerError before it has answered.
    """

    def __init__(self, source: TournamentSource) -> None:
        self._source = source
        self._watched: dict[int, _Watched] = {}

    def serves(self, path: str) -> bool:
        """Return whether there is a stream at this path."""
        return _ADDRESS.fullmatch(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events of a tournament until it is over, or the viewer leaves."""
        found = _ADDRESS.fullmatch(scope["path"])
        assert found is not None
        watched = self._watch(int(found[1]))
        watched.viewers += 1
        try:
            if not watched.count and not watched.over:
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

    def _watch(self, number: int) -> _Watched:
        if sum(watched.viewers for watched in self._watched.values()) >= _MOST_VIEWERS:
            raise ResourceExhausted("as many watch as the server takes; try again in a moment", "TOO_MANY_READERS")
        watched = self._watched.get(number)
        if watched is None or (watched.reading.done() and not watched.viewers):
            self._watched = {
                other: one for other, one in self._watched.items() if one.viewers or not one.reading.done()
            }
            if len(self._watched) >= _MOST_TOURNAMENTS:
                raise ResourceExhausted("as many tournaments are watched as the server takes", "TOO_MANY_READERS")
            watched = self._watched[number] = _Watched(number, self._source)
        return watched


async def _show(
    watched: _Watched, known: tuple[int, int] | None, lines: bool, send: Send, gone: asyncio.Task[None]
) -> None:
    position = watched.count
    latest = watched.latest
    missed = [event for event in latest.results if known is not None and event.id is not None and event.id > known]
    events: Iterable[TournamentEvent] = (*latest.state, *missed)
    while not gone.done():
        over, moves = watched.over, asyncio.create_task(watched.moved.wait())
        try:
            if behind := watched.count - position:
                if behind > len(watched.news):
                    return  # it has missed some: when it comes back, it is told how things stand
                events = (*events, *(event for news in list(watched.news)[-behind:] for event in news))
                position = watched.count
            told = [encoded(event.body, _id(event), lines) for event in events]
            events = ()
            if over:
                told.append(encoded(b'{"type":"end"}', "", lines))
            if told:
                await send_parts(send, told, more=not over)
            if over:
                return
            if position == watched.count:
                await asyncio.wait((moves, gone), timeout=_SILENCE, return_when=asyncio.FIRST_COMPLETED)
                if not moves.done():
                    await send_parts(send, [b"\n" if lines else b":\n\n"], more=True)
        finally:
            moves.cancel()


def _id(event: TournamentEvent) -> str:
    return "" if event.id is None else f"{event.id[0]}.{event.id[1]}"


def _known(id: bytes) -> tuple[int, int] | None:
    """Return when the last match ended of which a viewer knows, and its number; None if it names none of ours."""
    ended, _, number = id.partition(b".")
    with suppress(ValueError):
        if len(id) <= 40:
            return int(ended), int(number)
    return None
