"""How an attempt at a match ends: its result is stored, or it is void; and what stays of it in Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TypeVar

import structlog

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import FarfaliaServerError, NotFound, UnstorableValue
from farfalia_server.contract.untrusted import clean
from farfalia_server.net.backoff import backoff
from farfalia_server.net.measures import Measures
from farfalia_server.net.tracing import span
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.recording import record_of, without_texts
from farfalia_server.play.seats import BotSeat
from farfalia_server.play.table import Table
from farfalia_server.store import ClaimedMatch, Match, Store, VoidReason, retrying

log = structlog.get_logger(__name__)

T = TypeVar("T")

#: Seconds before the first retry of a step that must succeed, and most seconds between later ones.
_BACKOFF = (0.1, 5.0)
#: Finished matches that are remembered.
_REMEMBERED = 10_000
#: Most characters of the sentence that says why a match is void.
_LONGEST_TEXT = 500
#: The beginnings of that sentence, which name no card.
_VOIDED = {
    VoidReason.UNPLAYABLE: "the match could not be played on",
    VoidReason.JOURNAL_LOST: "the journal of the match was lost with its Redis",
    VoidReason.SERVER_FAILED: "the server failed while the match was played",
    VoidReason.ABANDONED: "too few of its bots were left for a result; it is played again when they are back",
}


class MatchEndings:
    """Stores results and voids attempts, for the matches that are played here."""

    def __init__(self, store: Store, journal: MatchJournal, measures: Measures) -> None:
        self._store = store
        self._journal = journal
        self._measures = measures
        #: Matches whose results were stored here, newest last, with their attempts: a failover may lose results.
        self._finished: dict[int, int] = {}
        #: Held while a record is made.
        self._making_record = asyncio.Lock()

    def attempt_finished(self, match_id: int) -> int:
        """Return the attempt of a match whose result was stored here, whatever the database knows; 0 for none."""
        return self._finished.get(match_id, 0)

    async def finish(self, claimed: ClaimedMatch, table: Table) -> None:
        """Store the result. Only a newer owner or a cancelled tournament keeps it from being stored."""
        match = claimed.match
        store = partial(self._store_record, claimed, table, table.finished_ms())
        with span("store"):
            record = await _until_done("finishing match", match.id, store)
        if record is None:
            log.warning("result_refused", match=match.id)
            now = await self.clear(match.id)
            if now.state.over or now.attempt > match.attempt:  # nobody plays this attempt on
                for seat in table.bots.values():
                    seat.send_given_up(voided=not now.state.over)
            return
        shown = await self._public_record(match.id) if any(seat.wants_record for seat in table.bots.values()) else None
        for seat in table.bots.values():
            seat.send_finished(record.outcome, shown)
        self._measures.finished += 1
        self._finished[match.id] = match.attempt
        if len(self._finished) > _REMEMBERED:
            del self._finished[next(iter(self._finished))]
        await self._journal.drop(match.id, match.attempt)

    async def _store_record(self, claimed: ClaimedMatch, table: Table, finished_ms: int) -> record_pb2.Record | None:
        """Store the record and return it; None if the match is no longer ours."""
        match, finish = claimed.match, self._store.claims.finish
        async with self._making_record:  # it takes milliseconds, and many matches can end at the same time
            record = record_of(claimed, table, finished_ms)
            await asyncio.sleep(0)
        try:
            done = await finish(match.id, match.epoch, record, table.core.trumps.by_deal)
        except UnstorableValue as error:
            log.error("incident_texts_dropped", match=match.id, error=str(error))
            record = without_texts(record)
            done = await finish(match.id, match.epoch, record, table.core.trumps.by_deal)
        return record if done else None

    async def _public_record(self, match_id: int) -> record_pb2.Record | None:
        """Return the record of a match that has just ended; None if its board is still in play,
        or if the database does not answer.
        """
        try:
            return await self._store.records.get(match_id)
        except FarfaliaServerError:
            return None

    async def void(
        self,
        match: Match,
        reason: VoidReason,
        seats: Collection[BotSeat] = (),
        *,
        detail: str = "",
        walked_out: Collection[int] = (),
    ) -> None:
        """Void an attempt, by a fault of the server or because its bots are gone: the match is replayed on a new board.

        The database decides: from then on the old attempt's journal is never read, deleted or not. The detail may name
        a card of a board that is in play at other tables: it is stored with the match, and not logged.
        """
        why = _VOIDED[reason]
        text = clean(f"{why}: {detail}" if detail else why, _LONGEST_TEXT)
        void = partial(self._store.claims.void, match.id, match.epoch, reason, text, walked_out)
        await _until_done("voiding match", match.id, void)
        now = await self.clear(match.id)
        if not now.state.over and now.attempt == match.attempt:
            log.warning("match_superseded", match=match.id, epoch=match.epoch)
            return
        if reason is VoidReason.ABANDONED:
            log.info("match_abandoned", match=match.id, reason=why)
        else:
            log.error("match_voided", match=match.id, reason=why)
        for seat in seats:
            seat.send_given_up(voided=not now.state.over)

    async def clear(self, match_id: int) -> Match:
        """Delete everything of a finished match from Redis; of an unfinished one, its void attempts."""
        match = await retrying("looking up match", partial(self._store.matches.get, match_id), match=match_id)
        if match.state.over:
            await self._journal.drop(match_id, match.attempt)
        else:
            await self._journal.forget(match_id, match.attempt - 1)
        return match


async def _until_done(what: str, match: int, call: Callable[[], Awaitable[T]]) -> T:
    """Repeat a call until it succeeds, whatever the error: for calls that must succeed and may be repeated.

    Raises NotFound if there is no such match any more.
    """
    for pause in backoff(*_BACKOFF):
        try:
            return await retrying(what, call, match=match)
        except NotFound:
            raise
        except Exception:
            log.exception("step_failed", what=what, match=match, retry_seconds=pause)
        await asyncio.sleep(pause)
    raise AssertionError("unreachable")
