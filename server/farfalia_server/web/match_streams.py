"""Streams of the events of a match, while it is played and afterwards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from farfalia_server.contract.said import said
from farfalia_server.web.event_streams import Broadcast, EventStreams, NewsOfViewer, encoded
from farfalia_server.web.live_feed import LiveNews

#: Returns what is shown of a match of this number, as soon as it is more than what was shown before.
LiveSource = Callable[[int, LiveNews], Awaitable[LiveNews]]

#: Most matches that are watched at a time.
_MOST_MATCHES = 200
#: Seconds for each viewer, and at most, in which news gather before the next part is sent to all: many viewers get
#: fewer and larger parts, since each costs the processor something for each of them.
_GATHER, _LONGEST_GATHER = 0.0003, 0.14


def match_streams(source: LiveSource) -> EventStreams:
    """Return the streams of matches."""
    return EventStreams("match", said("matches"), _MOST_MATCHES, lambda number: _MatchBroadcast(number, source))


class _MatchBroadcast(Broadcast):
    """A watched match: what is shown of it so far."""

    def __init__(self, match: int, source: LiveSource) -> None:
        super().__init__(match=match)
        self._match = match
        self._source = source
        self._shown = LiveNews()
        #: Everything from a position on as it is sent, made once for all viewers: most of them are at the same one.
        self._parts: dict[tuple[int, bool], bytes] = {}

    async def read(self) -> bool:
        before, self._shown = self._shown, await self._source(self._match, self._shown)
        self._parts, self.over = {}, self._shown.over
        return self._shown != before

    def pause(self) -> float:
        return min(_LONGEST_GATHER, self.viewers * _GATHER)

    def viewer(self, last_id: str, *, lines: bool, about: Collection[str]) -> NewsOfViewer:
        # Not all of the events that the viewer has may have been read again yet: after a start, or without Redis.
        line, position = _known(last_id)
        behind = 0

        def news() -> bytes:
            nonlocal line, position, behind
            if line != self._shown.line:
                line, position = self._shown.line, 0
            told = self._part(position, lines)
            position = max(position, len(self._shown.events))
            if self._shown.behind != behind:
                behind = self._shown.behind
                told += encoded(b'{"type":"behind","deals":%d}' % behind, "", lines)
            return told

        return news

    def _part(self, position: int, lines: bool) -> bytes:
        """Return all events from a position on."""
        part = self._parts.get((position, lines))
        if part is None:
            rest = enumerate(self._shown.events[position:], position + 1)
            frames = (encoded(event, f"{self._shown.line}.{number}", lines) for number, event in rest)
            part = self._parts[position, lines] = b"".join(frames)
        return part


def _known(id: str) -> tuple[str, int]:
    """Return the line and the number of the last event that a viewer has; ("", 0) if it has none of ours."""
    line, _, number = id.partition(".")
    with suppress(ValueError):
        if len(id) <= 20:
            return line, int(number)
    return "", 0
