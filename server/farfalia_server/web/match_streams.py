"""Streams of the events of a match, while it is played and afterwards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from farfalia_server.web.event_streams import Broadcast, EventStreams, NewsOfViewer, encoded
from farfalia_server.web.live_feed import LiveNews

#: Returns what is new of a match: its number, and the attempt, events and deals behind that are known.
LiveSource = Callable[[int, int, int, int], Awaitable[LiveNews]]

#: Most matches that are watched at once.
_MOST_MATCHES = 200
#: Seconds for each viewer, and at most, in which news gather before the next part is sent to all: many viewers get
#: fewer and larger parts, since each costs the processor something for each of them.
_GATHER, _LONGEST_GATHER = 0.0003, 0.14


def match_streams(source: LiveSource) -> EventStreams:
    """Return the streams of matches."""
    return EventStreams("match", "matches", _MOST_MATCHES, lambda number: _MatchBroadcast(number, source))


class _MatchBroadcast(Broadcast):
    """A watched match: its events so far."""

    def __init__(self, match: int, source: LiveSource) -> None:
        super().__init__(match=match)
        self._match = match
        self._source = source
        self._attempt = 0
        self._events: list[bytes] = []
        #: The same as server-sent events.
        self._frames: list[bytes] = []
        #: Everything from a position on as it is sent, made once for all viewers: most of them are at the same one.
        self._parts: dict[tuple[int, bool], bytes] = {}
        #: Deals that its table has begun but that stay closed for now.
        self._behind = 0

    async def read(self) -> bool:
        before = self._attempt, len(self._events), self._behind
        news = await self._source(self._match, *before)
        if news.attempt != self._attempt:
            self._events, self._frames = [], []
        self._attempt, self._behind, self.over = news.attempt, news.behind, news.over
        # A new list: viewers keep reading the one that they began with.
        self._events = [*self._events[: news.first], *news.events]
        new = enumerate(news.events, news.first + 1)
        frames = (encoded(event, f"{self._attempt}.{number}", False) for number, event in new)
        self._frames = [*self._frames[: news.first], *frames]
        self._parts = {}
        return before != (self._attempt, len(self._events), self._behind)

    def pause(self) -> float:
        return min(_LONGEST_GATHER, self.viewers * _GATHER)

    def viewer(self, last_id: str, *, lines: bool) -> NewsOfViewer:
        # Not all of the events that the viewer has may have been read again yet: after a start, or without Redis.
        attempt, position = _known(last_id)
        behind = 0

        def news() -> bytes:
            nonlocal attempt, position, behind
            if attempt != self._attempt:
                attempt, position = self._attempt, 0
            told = self._part(position, lines)
            position = max(position, len(self._events))
            if self._behind != behind:
                behind = self._behind
                told += encoded(b'{"type":"behind","deals":%d}' % behind, "", lines)
            return told

        return news

    def _part(self, position: int, lines: bool) -> bytes:
        """Return all events from a position on."""
        part = self._parts.get((position, lines))
        if part is None:
            rest = [event + b"\n" for event in self._events[position:]] if lines else self._frames[position:]
            part = self._parts[position, lines] = b"".join(rest)
        return part


def _known(id: str) -> tuple[int, int]:
    """Return the attempt and the number of the last event that a viewer has; (0, 0) if it has none of ours."""
    attempt, _, number = id.partition(".")
    with suppress(ValueError):
        if len(id) <= 20:
            return int(attempt), int(number)
    return 0, 0
