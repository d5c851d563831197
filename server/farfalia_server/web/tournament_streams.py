"""Streams of what happens in tournaments.

A viewer that reads so slowly that it has missed events is let go, comes back by itself, and is told the state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from farfalia_server.web.event_streams import Broadcast, EventStreams, NewsOfViewer, encoded
from farfalia_server.web.tournament_feed import TournamentEvent, TournamentNews

#: Returns what is new of a tournament: its number, and the version that is known.
TournamentSource = Callable[[int, int], Awaitable[TournamentNews]]

#: Tournaments that are watched at once.
_MOST_TOURNAMENTS = 100
#: News that viewers may be behind.
_KEPT = 100


def tournament_streams(source: TournamentSource) -> EventStreams:
    """Return the streams of tournaments."""
    return EventStreams(
        "tournament", "tournaments", _MOST_TOURNAMENTS, lambda number: _TournamentBroadcast(number, source)
    )


class _TournamentBroadcast(Broadcast):
    """A tournament with viewers: how it stands, and its last news."""

    def __init__(self, number: int, source: TournamentSource) -> None:
        super().__init__(tournament=number)
        self._number = number
        self._source = source
        self._latest = TournamentNews(0)
        #: How many news there were, and the last of them.
        self._count = 0
        self._news: deque[tuple[TournamentEvent, ...]] = deque(maxlen=_KEPT)

    async def read(self) -> bool:
        news = await self._source(self._number, self._latest.version)
        if news.version == self._latest.version and not news.over:
            return False
        # Who reads for us may have been started again, and then knows what is, not what is new.
        told = news.events if news.known == self._latest.version else news.state
        self._latest, self.over = news, news.over
        self._news.append(told)
        self._count += 1
        return True

    def viewer(self, last_id: str, *, lines: bool) -> NewsOfViewer:
        position, known = self._count, _known(last_id)
        results = self._latest.results if known is not None else ()
        missed = [event for event in results if event.id is not None and event.id > (known or event.id)]
        events: Iterable[TournamentEvent] = (*self._latest.state, *missed)

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
