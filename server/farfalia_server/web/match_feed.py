"""Following matches for viewers: which have begun and which results are shown since the last look.

Results alone are told, never a card, and each when every list of matches shows it: once no table plays its board.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader

#: Seconds between two looks at the database while nothing happens.
_STEP = 1.0
#: Tables and results that are kept.
_MATCHES = 200
_EPOCH = datetime.fromtimestamp(0, UTC)
#: Matches that have ended and are read at a time; most that have begun and are read one by one.
_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """Something that has happened, as JSON; a result has an id: since when it is shown, in milliseconds, and its
    match.

    `about` names what it is about, as `bot:ada` or `match:12`, for viewers who want some of them alone.
    """

    body: bytes
    id: tuple[int, int] | None = None
    about: frozenset[str] = frozenset()


class MatchFeed(ABC):
    """What happens in the matches of a tournament, or in all: `news` since the last call, and how things stand."""

    def __init__(self, reader: Reader, tournament: int = 0) -> None:
        self._reader = reader
        self._number = tournament
        self._playing: dict[int, FeedEvent] = {}
        self._results: dict[int, FeedEvent] = {}
        #: Matches that are finished and whose results are withheld.
        self._withheld: set[int] = set()
        #: Whether it has looked before.
        self._looked = False
        #: Whether nothing follows.
        self.over = False

    @property
    def state(self) -> Sequence[FeedEvent]:
        """How things stand, for somebody who knows nothing."""
        return ()

    @property
    def results(self) -> list[FeedEvent]:
        """The last results, oldest first."""
        return sorted(self._results.values(), key=lambda event: event.id or (0, 0))

    async def news(self) -> list[FeedEvent]:
        """Return what is new since the last call; nothing after a moment without news; NotFound."""
        looked, events = self._looked, await self._tick()
        self._looked = True
        if looked and not events and not self.over:
            await asyncio.sleep(_STEP)
        return events

    @abstractmethod
    async def _tick(self) -> list[FeedEvent]:
        """Return what has changed since the last look, and keep it."""

    def _values(self, match: matches_pb2.Match) -> dict[str, Any]:
        """Return what each event about a match says of it."""
        return {"stage": match.stage, "round": match.round, "entrants": list(match.entrants)}

    def _about(self, match: matches_pb2.Match) -> Iterable[str]:
        """Return what each event about a match is about."""
        return ()

    def _begun(self, match: matches_pb2.Match) -> FeedEvent:
        return event_of("started", self._about(match), match=match.id, **self._values(match))

    def _result(self, match: matches_pb2.Match, since: datetime) -> FeedEvent:
        moment = (since - _EPOCH) // timedelta(milliseconds=1), match.id
        values = {"id": f"{moment[0]}.{match.id}", "match": match.id, **self._values(match)}
        values |= {"places": list(match.outcome.places), "points": list(match.outcome.points)}
        return replace(event_of("result", self._about(match), **values), id=moment)

    async def _look(self) -> tuple[dict[int, FeedEvent], dict[int, FeedEvent]]:
        """Return the results that are shown by now and were not, and the beginnings of the matches that are played."""
        # In this order: a match that ends meanwhile is shown as being played a moment longer, not left out.
        shown = await self._shown(await self._ended(self._results.keys() | self._withheld))
        return shown, await self._played()

    def _keep(self, shown: dict[int, FeedEvent], now: dict[int, FeedEvent]) -> list[FeedEvent]:
        """Keep what a look has shown, and return what is new of it; results are not at the first look."""
        self._results |= shown
        events = list(shown.values()) if self._looked else []
        if len(self._results) > 2 * _MATCHES:
            self._results = dict(sorted(self._results.items(), key=lambda one: one[1].id or (0, 0))[-_MATCHES:])
        events += [event for id, event in now.items() if id not in self._playing]
        gone = self._playing.keys() - now.keys() - self._results.keys()
        events += [event_of("gone", match=id) for id in sorted(gone)]  # void, or one of very many
        self._playing = now
        return events

    async def _ended(self, known: Collection[int]) -> list[matches_pb2.Match]:
        """Return the last matches that have ended, as far as they are new, and a few that are known already."""
        # Each has ended after all that were known before it.
        ended: list[matches_pb2.Match] = []
        limit = _OVERLAP if known else _MATCHES
        while len(ended) < _MATCHES:
            before = ended[-1].id if ended else 0
            more = await self._matches(matches_pb2.MATCH_STATE_FINISHED, limit, before)
            ended += more
            if len(more) < limit or any(match.id in known for match in more):
                break
        return ended

    async def _shown(self, ended: Iterable[matches_pb2.Match]) -> dict[int, FeedEvent]:
        """Return the results that are shown by now and were not, in the order in which they came to be shown."""
        new = {match.id: match for match in ended if match.id not in self._results}
        since = await self._reader.results_open(new.keys() | self._withheld)
        self._withheld = (new.keys() | self._withheld) - since.keys()
        shown = {}
        for id in sorted(since, key=lambda id: (since[id], id)):
            match = new.get(id)
            if match is None or not match.record_open:
                match = await self._reader.match(id)
            shown[id] = self._result(match, since[id])
        return shown

    async def _played(self) -> dict[int, FeedEvent]:
        """Return the beginnings of the matches that are being played; the known ones are not read again."""
        asked = matches_pb2.ListMatchesRequest(
            tournament=self._number, state=matches_pb2.MATCH_STATE_RUNNING, limit=_MATCHES
        )
        playing = await self._reader.match_numbers(asked)
        new = [match for match in playing if match not in self._playing]
        if len(new) > _OVERLAP:
            return {match.id: self._begun(match) for match in await self._matches(asked.state, _MATCHES)}
        begun = {match: self._begun(await self._reader.match(match)) for match in new}
        return {match: self._playing.get(match) or begun[match] for match in playing}

    async def _matches(self, state: matches_pb2.MatchState, limit: int, before: int = 0) -> list[matches_pb2.Match]:
        asked = matches_pb2.ListMatchesRequest(tournament=self._number, state=state, limit=limit, before=before)
        return list((await self._reader.matches(asked)).matches)


def event_of(kind: str, about: Iterable[str] = (), /, **values: Any) -> FeedEvent:
    """Return an event of a kind with these values, and without an id of its own."""
    body = json.dumps({"type": kind, **values}, separators=(",", ":")).encode()
    return FeedEvent(body, about=frozenset(about))
