"""Follows matches for spectators, in the process that reads: tables neither wait for it nor know of it.

A match is read from its journal, the Redis stream that its table writes, and from its record once it is over. Its
events are always the same, in the same order, so a spectator can resume from a number. If several tables play the same
cards, nothing of a deal is shown before the last of them has played it.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia.v1 import record_pb2
from farfalia_engine import EngineError
from farfalia_server.contract.errors import RecordDamaged
from farfalia_server.play.journal import log_name
from farfalia_server.play.record_pieces import events as events_of
from farfalia_server.records.spectator_events import SpectatorEvents
from farfalia_server.store import LiveTable, Match, MatchState, Store

log = structlog.get_logger(__name__)

#: Most seconds between two looks at the database.
_STEP = 1.0
#: Most attempts of matches whose state is kept.
_KEPT = 300


@dataclass(frozen=True, slots=True)
class LiveNews:
    """What is shown of a match: the `events` of its last attempt, as JSON.

    `behind` is how many deals its table has begun that stay closed for now; `over` says that no more follows.
    """

    attempt: int = 0
    events: tuple[bytes, ...] = ()
    behind: int = 0
    over: bool = False


@dataclass(slots=True)
class _FollowedAttempt:
    """An attempt of a match as far as its journal has been read."""

    story: SpectatorEvents
    entries: int = 0
    encoded: list[bytes] = field(default_factory=list)


class LiveFeed:
    """The events of matches for spectators; `redis` is this process' own connection to where journals are."""

    def __init__(self, store: Store, redis: Redis, database: str) -> None:
        self._store = store
        self._redis = redis
        self._database = database
        self._followed: OrderedDict[tuple[int, int], _FollowedAttempt] = OrderedDict()
        #: One at a time: two broadcasts of one board must not read the same journal twice.
        self._reading = asyncio.Lock()

    async def news(self, match_id: int, before: LiveNews) -> LiveNews:
        """Return what is shown of a match; if it is what was `before`, once a table has written or later; NotFound."""
        table = await self._store.live_tables.get(match_id)
        async with self._reading:
            found = await self._found(table)
        if found == before and not found.over:
            await self._journal_moves(table)
        return found

    async def _found(self, table: LiveTable) -> LiveNews:
        match = table.match
        over = match.state.over
        if table.source is None or match.state not in (MatchState.RUNNING, MatchState.FINISHED):
            return LiveNews(match.attempt, over=over)
        followed = await self._follow(table, match)
        # With shared cards the last table is no exception: a deal is shown once it has been played.
        open_deals: float = followed.story.deals_over if table.shared else inf
        for other in table.beside:
            open_deals = min(open_deals, await self._deals_over(table, other))
        story = followed.story
        shown = next((n for n, event in enumerate(story.events) if event.deal > open_deals), len(story.events))
        while len(followed.encoded) < shown:
            number = len(followed.encoded)
            values = {"id": f"{match.attempt}.{number + 1}", **story.events[number].values}
            followed.encoded.append(json.dumps(values, separators=(",", ":")).encode())
        behind = int(max(0, story.deal - open_deals))
        return LiveNews(match.attempt, tuple(followed.encoded[:shown]), behind, over and not behind)

    async def _deals_over(self, table: LiveTable, other: Match) -> int:
        """Return how many deals of a board another table has played to their end."""
        if other.state is not MatchState.RUNNING:
            return 0
        return (await self._follow(table, other)).story.deals_over

    async def _follow(self, table: LiveTable, match: Match) -> _FollowedAttempt:
        """Return the present state of a match."""
        key = match.id, match.attempt
        followed = self._followed.get(key)
        if followed is None:
            story = SpectatorEvents(
                table.first_deal(match),
                [seat.name for seat in match.seats],
                match=match.id,
                attempt=match.attempt,
                ruleset=match.ruleset,
                options=dict(match.options),
            )
            followed = self._followed[key] = _FollowedAttempt(story)
            if len(self._followed) > _KEPT:
                self._followed.popitem(last=False)
        self._followed.move_to_end(key)
        if match.state is MatchState.FINISHED:
            record = await self._store.live_tables.record(match.id)
            try:
                _go_on(followed, record)
            except EngineError:
                raise RecordDamaged(match.id) from None
            return followed
        try:
            rows: Any = await self._redis.xrange(self._log(match), min=f"({followed.entries}-0")
        except (RedisError, OSError) as error:
            log.warning("spectators_wait", match=match.id, error=str(error))
            return followed
        for id, fields in rows:
            if id != b"%d-0" % (followed.entries + 1):
                break  # the table will write it again
            piece = record_pb2.Record.FromString(fields[b"e"])
            followed.story.follow_all(action for action, _ in events_of(piece, followed.story.actions))
            followed.entries += 1
        return followed

    async def _journal_moves(self, table: LiveTable) -> None:
        """Wait briefly until one of the tables concerned has written something."""
        running = [match for match in (table.match, *table.beside) if match.state is MatchState.RUNNING]
        streams = {self._log(match): f"{self._entries(match)}-0" for match in running}
        try:
            if streams:
                await self._redis.xread(streams, count=1, block=int(_STEP * 1000))  # type: ignore[arg-type]
                return
        except (RedisError, OSError) as error:
            log.warning("spectators_wait", match=table.match.id, error=str(error))
        await asyncio.sleep(_STEP)

    def _entries(self, match: Match) -> int:
        followed = self._followed.get((match.id, match.attempt))
        return 0 if followed is None else followed.entries

    def _log(self, match: Match) -> str:
        return log_name(self._database, match.id, match.attempt)


def _go_on(followed: _FollowedAttempt, record: record_pb2.Record) -> None:
    """Follow a match to its end from its record."""
    actions: Sequence[record_pb2.RecordAction] = record.actions[followed.story.actions :]
    rest = record_pb2.Record(actions=actions)
    followed.story.follow_all(action for action, _ in events_of(rest, followed.story.actions))
