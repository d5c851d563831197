"""Plays matches on this node: claims them, seats their bots, and plays them to their end (`match_endings`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import structlog
from structlog.contextvars import bound_contextvars

from farfalia.v1 import play_pb2
from farfalia_engine import Deals, EngineError, board_key, ruleset
from farfalia_server.contract.errors import NotFound, StoreUnavailable
from farfalia_server.net import wall_clock
from farfalia_server.net.backoff import backoff
from farfalia_server.net.measures import Measures
from farfalia_server.net.tracing import span
from farfalia_server.play.attendance import Attendance
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.house_search import HouseSearch
from farfalia_server.play.journal import JournalCorrupt, JournalLost
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.match_core import SeatState
from farfalia_server.play.match_endings import MatchEndings
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.questions import Seating
from farfalia_server.play.seats import BotSeat
from farfalia_server.play.table import MatchAbandoned, StaleEpoch, Table, TakenBack
from farfalia_server.records.codec import time_control_message
from farfalia_server.records.house_bot import LOADING, HouseBot, load
from farfalia_server.store import ClaimedMatch, Match, MatchState, Store, VoidReason, retrying

log = structlog.get_logger(__name__)

#: Seconds before the first retry of a step that must succeed, and most seconds between later ones.
_BACKOFF = (0.1, 5.0)


class MatchRunner:
    """Plays the matches that the queue hands over; `fallback` names the house bot that plays for absent bots.

    `now` returns the time of day, for when a match begins and ends.
    """

    def __init__(
        self,
        store: Store,
        journal: MatchJournal,
        lobby: Lobby,
        nonces: NonceCollector,
        *,
        node: str,
        fallback: str,
        measures: Measures,
        house_scheduler: HouseScheduler | None = None,
        house_search: HouseSearch | None = None,
        now: Callable[[], datetime] = wall_clock.now,
    ) -> None:
        self._store = store
        self._nonces = nonces
        self._journal = journal
        self._lobby = lobby
        #: The name under which it claims matches; in a cluster a new one after this node was taken for dead.
        self.node = node
        self._fallback = fallback
        self._measures = measures
        self._house_scheduler = house_scheduler or HouseScheduler()
        self._house_search = house_search or HouseSearch()
        self._now = now
        self._tables: dict[int, asyncio.Task[None] | None] = {}
        self._tournaments: dict[int, int | None] = {}
        self._cancelled: set[int] = set()
        #: House bots that have loaded what they need, with their games.
        self._loaded: set[tuple[str, str]] = set()
        self._endings = MatchEndings(store, journal, measures)

    @property
    def playing(self) -> int:
        """How many matches are in play here."""
        return len(self._tables)

    async def idle(self) -> None:
        """Wait until no match is in play here."""
        while self._tables:
            await asyncio.wait([task for task in self._tables.values() if task is not None])

    async def play(self, match_id: int, epoch: int) -> None:
        """Play a match to its end, from the end of its journal; return at once if `epoch` is stale, or as soon as the
        database is seen to have lost the match in a failover.
        """
        if match_id in self._tables:
            return
        self._tables[match_id] = asyncio.current_task()
        try:
            with bound_contextvars(match=match_id), span("match", match_id):
                stopped = await self._claim_and_play(match_id, epoch, ())
                while stopped is not None:
                    if stopped.takes_back:
                        log.info("decision_taken_back", match=match_id)
                    else:
                        log.warning("journal_lost", match=match_id)
                    stopped = await self._play_on(match_id, stopped)
        except NotFound:
            log.warning("match_lost", match=match_id)
        except asyncio.CancelledError:
            if match_id not in self._cancelled:
                raise
            await self._endings.clear(match_id)
        finally:
            del self._tables[match_id]
            self._tournaments.pop(match_id, None)
            self._cancelled.discard(match_id)

    def cancel_tournament(self, tournament: int) -> None:
        """Stop the matches here of a cancelled tournament."""
        for match_id, of in self._tournaments.items():
            task = self._tables.get(match_id)
            if of == tournament and task is not None and match_id not in self._cancelled:
                self._cancelled.add(match_id)
                task.cancel()

    def cancel_match(self, match_id: int) -> None:
        """Stop a match that is void by an organiser's decision, if it is in play here."""
        task = self._tables.get(match_id)
        if task is not None and match_id not in self._cancelled:
            self._cancelled.add(match_id)
            task.cancel()

    async def _claim_and_play(self, match_id: int, epoch: int, entries: Sequence[bytes]) -> Table | None:
        """Play a match from these entries, or by default from those in its journal.

        Return the table, which has every entry, if Redis loses the match meanwhile or a decision is taken back.
        """
        are_lost = bool(entries)
        with span("claim"):
            claimed, entries, ended_at = await self._claim(match_id, epoch, entries)
        if claimed is None:
            return None
        if claimed.match.attempt <= ended_at:  # its bots have seen its cards
            log.warning("result_lost", match=match_id)
            await self._endings.void(
                claimed.match, VoidReason.UNPLAYABLE, detail="the database no longer knows how it ended"
            )
            return None
        return await self._play(claimed, entries, are_lost=are_lost)

    async def _claim(
        self, match_id: int, epoch: int, known: Sequence[bytes]
    ) -> tuple[ClaimedMatch | None, Sequence[bytes], int]:
        """Claim a match, and read its journal unless its entries are known; None if it is not to be played.

        The last value is the newest attempt that has ended on any node, whatever the database knows; 0 for none.
        """
        # Redis first: then a match that is claimed in SQL but unknown to Redis was lost with its Redis. SQL gets this
        # claim only once the entries are here, so a crash before that changes nothing.
        node = self.node
        before = await self._journal.claim(match_id, epoch + 1, "" if known else node)
        # Redis tells of all nodes' matches; what ended here is known here even if Redis has lost its data.
        ended_at = max(before.ended, self._endings.attempt_finished(match_id))
        entries = known
        if epoch and not known:
            match = await self._store.matches.get(match_id)
            if match.state is MatchState.RUNNING and match.epoch == epoch:
                found = await self._read(match)
                if found is None:
                    return None, (), ended_at
                entries = found
        claimed = await self._store.claims.claim(match_id, node, epoch)
        if claimed is None:
            await self._endings.clear(match_id)
            return None, (), ended_at
        match = claimed.match
        self._tournaments[match_id] = match.tournament_id
        if before.epoch >= match.epoch:
            # Another node claims it, too, or the database has lost claims in a failover: a table may still write under
            # this epoch, or a later one, and must not go on once this one does.
            return await self._claim(match_id, match.epoch, known)
        return claimed, entries, ended_at

    async def _play_on(self, match_id: int, stopped: Table) -> Table | None:
        """Continue a match from its table's entries: Redis has lost it, or a decision is taken back."""
        epoch, entries = stopped.epoch, stopped.journal_so_far()
        for pause in backoff(*_BACKOFF):
            try:
                return await self._claim_and_play(match_id, epoch, entries)
            except StoreUnavailable as error:
                log.warning("store_unavailable", what="claiming match", match=match_id, error=str(error))
            await asyncio.sleep(pause)
            # The claim may have been made all the same.
            match = await retrying("looking up match", partial(self._store.matches.get, match_id), match=match_id)
            if match.state is not MatchState.RUNNING or match.node != self.node:
                return None
            epoch = match.epoch
        raise AssertionError("unreachable")

    async def _read(self, match: Match) -> Sequence[bytes] | None:
        """Return the entries of a match that has begun, or void it and return None if they are lost or unreadable."""
        try:
            entries = await self._journal.read(match.id, match.attempt)
        except JournalCorrupt as error:
            await self._endings.void(match, VoidReason.UNPLAYABLE, detail=str(error))
            return None
        # A node writes its claim of a match to Redis before SQL. If SQL has a claim that Redis does not know, Redis has
        # lost its data since, even if it knows a later claim by another node. Check this after reading the entries,
        # because Redis may have lost them just before.
        if not entries and not await self._journal.knows(match.id, match.epoch, match.node or ""):
            await self._endings.void(match, VoidReason.JOURNAL_LOST)
            return None
        return entries

    async def _play(self, claimed: ClaimedMatch, entries: Sequence[bytes], *, are_lost: bool) -> Table | None:
        match = claimed.match
        if entries and not claimed.source.settled:  # its bots have seen cards that nobody can deal again
            await self._endings.void(
                match, VoidReason.UNPLAYABLE, detail="the database no longer knows the nonces of its cards"
            )
            return None
        with span("seats"):
            settled = await self._settle_nonces(claimed)
            if settled is None:
                log.warning("match_superseded", match=match.id, epoch=match.epoch)
                return None
            claimed = settled
            await self._load_house_bots(claimed)
            table = self._table(claimed, await self._will_not_come(match))
        try:
            if await self._is_played_out(claimed, table, entries, are_lost=are_lost):
                await self._endings.finish(claimed, table)
        except (JournalLost, TakenBack):
            return table
        except NotFound:
            for seat in table.bots.values():
                seat.send_given_up()
            raise
        except asyncio.CancelledError:
            if match.id in self._cancelled:
                for seat in table.bots.values():
                    seat.send_given_up()
            raise
        finally:
            for seat in table.bots.values():
                seat.leave()
            table.close()
        return None

    async def _is_played_out(
        self, claimed: ClaimedMatch, table: Table, entries: Sequence[bytes], *, are_lost: bool
    ) -> bool:
        """Play to the last card; return False if the match has a newer owner or is void. Raises JournalLost."""
        match = claimed.match
        try:
            with span("play"):
                await table.play(entries, are_lost=are_lost)
        except (JournalLost, TakenBack):
            raise
        except StaleEpoch:
            log.warning("match_superseded", match=match.id, epoch=match.epoch)
        except MatchAbandoned as abandoned:
            await self._endings.void(match, VoidReason.ABANDONED, table.bots.values(), walked_out=abandoned.walked_out)
        except (JournalCorrupt, EngineError) as error:
            await self._endings.void(claimed.match, VoidReason.UNPLAYABLE, table.bots.values(), detail=str(error))
        except Exception:
            log.exception("table_failed", match=match.id)
            await self._endings.void(claimed.match, VoidReason.SERVER_FAILED, table.bots.values())
        else:
            return True
        return False

    async def _settle_nonces(self, claimed: ClaimedMatch) -> ClaimedMatch | None:
        """Return the match with all nonces of its secret, which are asked for if that was never done;
        None if it was lost.
        """
        match, source = claimed.match, claimed.source
        if source.settled:
            return claimed
        bots = sorted({bot.id for bot in claimed.bots if not bot.house})
        entered = play_pb2.Entered(match=match.id, commitment=source.commitment, value_function=source.value_function)
        given = await self._nonces.gather(entered, bots)
        if not await self._store.nonces.settle_match(match.id, match.epoch, given):
            return None
        source = replace(source, nonces=tuple(sorted(given.values())), given=given, settled=True)
        return replace(claimed, source=source)

    async def _will_not_come(self, match: Match) -> frozenset[int]:
        """Return bots of a match that it does not wait for: they have withdrawn, or have no token any more."""
        if all(self._lobby.is_connected(seat.bot_id) for seat in match.seats):
            return frozenset()
        gone = await retrying("looking up who is gone", self._store.entrants.gone, match=match.id)
        return gone.get(0, frozenset()) | gone.get(match.tournament_id or 0, frozenset())

    async def _load_house_bots(self, claimed: ClaimedMatch) -> None:
        """Load what house bots of a match need for their first card, in a thread: all tables would wait meanwhile."""
        match = claimed.match
        for house in LOADING.intersection(bot.house for bot in claimed.bots):
            if (house, match.ruleset) not in self._loaded:
                await asyncio.to_thread(load, house, ruleset(match.ruleset, match.options))
                self._loaded.add((house, match.ruleset))

    def _table(self, claimed: ClaimedMatch, gone: Collection[int]) -> Table:
        match = claimed.match
        rules = ruleset(match.ruleset, match.options)
        source = claimed.source
        deals = Deals(board_key(source.secret, source.nonces, match.board))
        return Table(
            match.id,
            match.attempt,
            match.epoch,
            rules.new_match(deals),
            *self._seats(claimed, deals, gone),
            self._journal,
            replayed=match.tournament_id is not None,
            takes_back=_is_practice(claimed),
            house=partial(HouseBot, self._fallback, deals),
            measures=self._measures,
            now=self._now,
            house_scheduler=self._house_scheduler,
            house_search=self._house_search,
        )

    def _seats(
        self, claimed: ClaimedMatch, deals: Deals, gone: Collection[int]
    ) -> tuple[list[SeatState], dict[int, BotSeat]]:
        """Return the states of all seats, and the seats of bots by number."""
        match = claimed.match
        absent = self._lobby.absent(match.id)
        states: list[SeatState] = []
        bots: dict[int, BotSeat] = {}
        for seat, bot in enumerate(claimed.bots):
            if bot.house:
                fills = match.seats[seat].filler or match.tournament_id is None  # nobody entered it
                attendance = Attendance.FILLS if fills else Attendance.PLAYS
                states.append(SeatState(SeatClock(match.time_control), HouseBot(bot.house, deals), attendance))
                continue
            connection = self._lobby.seat_connection(bot.id)
            clock = SeatClock(match.time_control)
            seating = Seating(match.id, seat, clock, self._seated(claimed, seat), epoch=match.epoch)
            if self._lobby.absence_is_loss or match.seats[seat].walked_out or bot.id in gone:
                seating.due = Attendance.LOST
            if not connection.connected:
                if not claimed.first:  # its bots were connected then and have to come back
                    connection.suspend_clocks()
                elif bot.id in absent or connection.will_not_come:
                    seating.absence = "the bot was not connected"  # the wait was long enough, or it will not come
            elif connection.rulesets and match.ruleset not in connection.rulesets:
                seating.absence = f"the bot does not play {match.ruleset}, as its hello says"
                seating.due = Attendance.LOST
            states.append(seating)
            bots[seat] = BotSeat(connection, seating)
        return states, bots

    def _seated(self, claimed: ClaimedMatch, seat: int) -> play_pb2.Seated:
        match = claimed.match
        return play_pb2.Seated(
            match=match.id,
            tournament=match.tournament_id or 0,
            ruleset=match.ruleset,
            options=match.options,
            seat=seat,
            seats=len(match.seats),
            board=match.board,
            commitment=claimed.source.commitment,
            nonces=claimed.source.nonces,
            time_control=time_control_message(match.time_control),
            lasting_process=claimed.lasting_processes,
            persons=[at for at, bot in enumerate(claimed.bots) if bot.person],
        )


def _is_practice(claimed: ClaimedMatch) -> bool:
    """Return whether one person plays with house bots alone, in no tournament, for no ladder and on no day's board."""
    match, others = claimed.match, [bot for bot in claimed.bots if not bot.house]
    counts = match.tournament_id is not None or match.ladder or match.daily
    return not counts and len(others) == 1 and others[0].person
