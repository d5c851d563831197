"""Follows matches for spectators, in the process that reads: tables neither wait for it nor know of it.

A match is read from its journal, the Redis stream that its table writes, and from its record once it is over. Its
events are always the same, in the same order, so a spectator can resume from a number. If several tables play the same
cards, nothing of a deal is shown before the last of them has played it.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
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
from farfalia_server.play.record_pieces import standing
from farfalia_server.records.spectator_events import SpectatorEvents
from farfalia_server.store import LiveTable, Match, MatchState, Store
from farfalia_server.web.watched_tables import STEP, WatchedTables
from farfalia_server.wording.language import language
from farfalia_server.wording.translating import event_in_language

log = structlog.get_logger(__name__)

#: Most attempts of matches whose state is kept.
_KEPT = 300


@dataclass(frozen=True, slots=True)
class LiveNews:
    """What is shown of a match: the `events` of its last attempt, as JSON.

    `line` is the attempt, with the number of decisions that were taken back if there are any: then the events begin
    anew. `behind` is how many deals its table has begun that stay closed for now; `over` says that no more follows.
    """

    line: str = ""
    events: tuple[bytes, ...] = ()
    behind: int = 0
    over: bool = False


@dataclass(slots=True)
class _FollowedAttempt:
    """An attempt of a match as far as its journal has been read."""

    story: SpectatorEvents
    entries: int = 0
    #: Decisions that were taken back.
    taken_back: int = 0
    #: As JSON, by the language of the words in them.
    encoded: dict[str, list[bytes]] = field(default_factory=dict)


class LiveFeed:
    """The events of matches for spectators; `redis` is this process' own connection to where journals are."""

    def __init__(self, store: Store, redis: Redis, database: str) -> None:
        self._store = store
        self._tables = WatchedTables(store)
        self._redis = redis
        self._database = database
        self._followed: OrderedDict[tuple[int, int], _FollowedAttempt] = OrderedDict()
        #: One at a time: two broadcasts of one board must not read the same journal twice.
        self._reading = asyncio.Lock()

    async def news(self, match_id: int, before: LiveNews, *, seated: bool = False) -> LiveNews:
        """Return what is shown of a match, in the language of the reader; NotFound.

        If it is what was `before`, once a table has written or later. Who is `seated` there sees the board of a day as
        well while others still play it.
        """
        table = await self._tables.get(match_id, seated=seated)
        async with self._reading:
            found = await self._found(table)
        if found == before and not found.over:
            await self._journal_moves(table)
        return found

    async def _found(self, table: LiveTable) -> LiveNews:
        match = table.match
        over = match.state.over
        if table.source is None or match.state not in (MatchState.RUNNING, MatchState.FINISHED):
            return LiveNews(str(match.attempt), over=over)
        followed = await self._follow(table, match)
        # With shared cards the last table is no exception: a deal is shown once it has been played.
        open_deals: float = followed.story.deals_over if table.shared else inf
        for other in table.beside:
            open_deals = min(open_deals, await self._deals_over(table, other))
        story = followed.story
        if story.deals_over == story.deal:
            self._tables.forget(match.id)
        shown = next((n for n, event in enumerate(story.events) if event.deal > open_deals), len(story.events))
        line = f"{match.attempt}-{followed.taken_back}" if followed.taken_back else str(match.attempt)
        encoded = followed.encoded.setdefault(language(), [])
        while len(encoded) < shown:
            number = len(encoded)
            values = {"id": f"{line}.{number + 1}", **event_in_language(story.events[number].values)}
            encoded.append(json.dumps(values, separators=(",", ":")).encode())
        behind = int(max(0, story.deal - open_deals))
        return LiveNews(line, tuple(encoded[:shown]), behind, over and not behind)

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
            followed = self._followed[key] = _begun(table, match)
            if len(self._followed) > _KEPT:
                self._followed.popitem(last=False)
        self._followed.move_to_end(key)
        if match.state is MatchState.FINISHED:
            record = await self._store.live_tables.record(match.id)
            try:
                return self._at(table, match, followed, record)
            except EngineError:
                raise RecordDamaged(match.id) from None
        try:
            rows: Any = await self._redis.xrange(self._log(match), min=f"({followed.entries}-0")
            new = _pieces(rows, followed.entries)
            if any(piece.taken_back for piece in new):
                rows = await self._redis.xrange(self._log(match))
        except (RedisError, OSError) as error:
            log.warning("spectators_wait", match=match.id, error=str(error))
            return followed
        if any(piece.taken_back for piece in new):
            pieces = _pieces(rows, 0)
            followed = self._at(table, match, followed, standing(pieces))
            followed.entries = len(pieces)
            return followed
        for piece in new:
            followed.story.follow_all(action for action, _ in events_of(piece, followed.story.actions))
            followed.entries += 1
        return followed

    def _at(
        self, table: LiveTable, match: Match, followed: _FollowedAttempt, record: record_pb2.Record
    ) -> _FollowedAttempt:
        """Return the state of a match at the end of a record, from its beginning if more was taken back since."""
        taken_back = sum(one.decisions for one in record.taken_back)
        if taken_back != followed.taken_back:
            followed = self._followed[match.id, match.attempt] = _begun(table, match)
            followed.taken_back = taken_back
        rest = record_pb2.Record(actions=record.actions[followed.story.actions :])
        followed.story.follow_all(action for action, _ in events_of(rest, followed.story.actions))
        return followed

    async def _journal_moves(self, table: LiveTable) -> None:
        """Wait briefly until one of the tables concerned has written something."""
        running = [match for match in (table.match, *table.beside) if match.state is MatchState.RUNNING]
        streams = {self._log(match): f"{self._entries(match)}-0" for match in running}
        try:
            if streams:
                await self._redis.xread(streams, count=1, block=int(STEP * 1000))  # type: ignore[arg-type]
                return
        except (RedisError, OSError) as error:
            log.warning("spectators_wait", match=table.match.id, error=str(error))
        await asyncio.sleep(STEP)

    def _entries(self, match: Match) -> int:
        followed = self._followed.get((match.id, match.attempt))
        return 0 if followed is None else followed.entries

    def _log(self, match: Match) -> str:
        return log_name(self._database, match.id, match.attempt)


def _begun(table: LiveTable, match: Match) -> _FollowedAttempt:
    """Return a match at its first deal."""
    return _FollowedAttempt(
        SpectatorEvents(
            table.first_deal(match),
            [seat.name for seat in match.seats],
            match=match.id,
            attempt=match.attempt,
            ruleset=match.ruleset,
            options=dict(match.options),
            limit_ms=match.time_control.limit_ms,
            bank_ms=match.time_control.bank_ms,
        )
    )


def _pieces(rows: Any, entries: int) -> list[record_pb2.Record]:
    """Return the pieces in a journal's rows after this number of entries; what follows a gap is read again later."""
    pieces: list[record_pb2.Record] = []
    for id, fields in rows:
        if id != b"%d-0" % (entries + len(pieces) + 1):
            break  # the table will write it again
        pieces.append(record_pb2.Record.FromString(fields[b"e"]))
    return pieces
