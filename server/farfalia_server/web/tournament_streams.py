"""Streams of what happens in tournaments, and in the whole arena.

A viewer that reads so slowly that it has missed events is let go, comes back by itself, and is told the state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from typing import Final

from farfalia_server.arena.reading import Reader
from farfalia_server.contract.said import said
from farfalia_server.web.arena_feed import ArenaFeed
from farfalia_server.web.event_streams import Broadcast, EventStreams, NewsOfViewer, encoded
from farfalia_server.web.match_feed import FeedEvent, MatchFeed
from farfalia_server.web.tournament_feed import TournamentFeed

#: Tournaments that are watched at a time.
_MOST_TOURNAMENTS = 100
#: News that viewers may be behind.
_KEPT = 100


#: The parameters by which somebody asks for a part of what happens in the arena, and what its events are about.
ARENA_PARTS: Final = {"bots": "bot", "matches": "match", "tournaments": "tournament"}


def tournament_streams(opened: Callable[[], Awaitable[Reader]]) -> EventStreams:
    """Return the streams of tournaments; `opened` returns what reads them."""

    def make(number: int) -> Broadcast:
        return _FeedBroadcast(opened, lambda reader: TournamentFeed(reader, number), tournament=number)

    return EventStreams("tournament", said("tournaments"), _MOST_TOURNAMENTS, make)


def arena_stream(opened: Callable[[], Awaitable[Reader]]) -> EventStreams:
    """Return the stream of all matches; `opened` returns what reads them."""
    return EventStreams("", said("matches"), 1, lambda number: _FeedBroadcast(opened, ArenaFeed), ARENA_PARTS)


class _FeedBroadcast(Broadcast):
    """A feed with viewers: how things stand, and its last news."""

    def __init__(
        self, opened: Callable[[], Awaitable[Reader]], make: Callable[[Reader], MatchFeed], **which: int
    ) -> None:
        super().__init__(**which)
        self._opened = opened
        self._make = make
        self._feed: MatchFeed | None = None
        #: How many news there were, and the last of them.
        self._count = 0
        self._news: deque[list[FeedEvent]] = deque(maxlen=_KEPT)

    async def read(self) -> bool:
        self._feed = self._feed or self._make(await self._opened())
        news = await self._feed.news()
        self.over = self._feed.over
        if news:
            self._news.append(news)
            self._count += 1
        return bool(news) or not self.begun.is_set()  # the first look says how things stand, even if that is nothing

    def viewer(self, last_id: str, *, lines: bool, about: Collection[str]) -> NewsOfViewer:
        position, known = self._count, _known(last_id)
        assert self._feed is not None
        missed = [event for event in self._feed.results if known is not None and event.id and event.id > known]
        events: Iterable[FeedEvent] = (*self._feed.state, *missed)

        def news() -> bytes | None:
            nonlocal position, events
            behind = self._count - position
            if behind > len(self._news):
                return None
            new = list(self._news)[-behind:] if behind else []
            told, events, position = (*events, *(event for news in new for event in news)), (), self._count
            wanted = (event for event in told if not about or not event.about.isdisjoint(about))
            return b"".join(encoded(event.body, _id(event), lines) for event in wanted)

        return news


def _id(event: FeedEvent) -> str:
    return "" if event.id is None else f"{event.id[0]}.{event.id[1]}"


def _known(id: str) -> tuple[int, int] | None:
    """Return when the last match ended of which a viewer knows, and its number; None if it names none of ours."""
    ended, _, number = id.partition(".")
    with suppress(ValueError):
        if len(id) <= 40:
            return int(ended), int(number)
    return None
