"""Streams of what happens in tournaments.

A viewer that reads so slowly that it has missed events is let go, comes back by itself, and is told the state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from farfalia_server.arena.reading import Reader
from farfalia_server.web.event_streams import Broadcast, EventStreams, NewsOfViewer, encoded
from farfalia_server.web.tournament_feed import TournamentEvent, TournamentFeed

#: Tournaments that are watched at a time.
_MOST_TOURNAMENTS = 100
#: News that viewers may be behind.
_KEPT = 100


def tournament_streams(opened: Callable[[], Awaitable[Reader]]) -> EventStreams:
    """Return the streams of tournaments; `opened` returns what reads them."""
    return EventStreams(
        "tournament", "tournaments", _MOST_TOURNAMENTS, lambda number: _TournamentBroadcast(number, opened)
    )


class _TournamentBroadcast(Broadcast):
    """A tournament with viewers: how it stands, and its last news."""

    def __init__(self, number: int, opened: Callable[[], Awaitable[Reader]]) -> None:
        super().__init__(tournament=number)
        self._number = number
        self._opened = opened
        self._feed: TournamentFeed | None = None
        #: How many news there were, and the last of them.
        self._count = 0
        self._news: deque[list[TournamentEvent]] = deque(maxlen=_KEPT)

    async def read(self) -> bool:
        self._feed = self._feed or TournamentFeed(await self._opened(), self._number)
        news = await self._feed.news()
        self.over = self._feed.over
        if news:
            self._news.append(news)
            self._count += 1
        return bool(news)

    def viewer(self, last_id: str, *, lines: bool) -> NewsOfViewer:
        position, known = self._count, _known(last_id)
        assert self._feed is not None
        missed = [event for event in self._feed.results if known is not None and event.id and event.id > known]
        events: Iterable[TournamentEvent] = (*self._feed.state, *missed)

        def news() -> bytes | None:
            nonlocal position, events
            behind = self._count - position
            if behind > len(self._news):
                return None
            new = list(self._news)[-behind:] if behind else []
            told, events, position = (*events, *(event for news in new for event in news)), (), self._count
            return b"".join(encoded(event.body, _id(event), lines) for event in told)

        return news


def _id(event: TournamentEvent) -> str:
    return "" if event.id is None else f"{event.id[0]}.{event.id[1]}"


def _known(id: str) -> tuple[int, int] | None:
    """Return when the last match ended of which a viewer knows, and its number; None if it names none of ours."""
    ended, _, number = id.partition(".")
    with suppress(ValueError):
        if len(id) <= 40:
            return int(ended), int(number)
    return None
