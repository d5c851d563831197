"""Plays matches on this node: claims them, seats their bots, and sees each to its end."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import structlog

from farfalia import bots as house_bots
from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Deals, EngineError, board_key, ruleset
from farfalia_server.chair import Chair
from farfalia_server.clock import SeatClock
from farfalia_server.errors import FarfaliaServerError
from farfalia_server.journal import Journal
from farfalia_server.lobby import Lobby
from farfalia_server.measures import Measures
from farfalia_server.nonces import NonceDesk
from farfalia_server.recording import record_of
from farfalia_server.seating import Seating
from farfalia_server.store import ClaimedMatch, MatchState, Store, retrying
from farfalia_server.table import BrokenJournal, LostMatch, Table

log = structlog.get_logger(__name__)


class MatchHost:
    """What the queue hands matches to; `fallback` names the house bot that stands in for others."""

    def __init__(
        self,
        store: Store,
        journal: Journal,
        lobby: Lobby,
        desk: NonceDesk,
        *,
        node: str,
        fallback: str,
        measures: Measures,
    ) -> None:
        self._store = store
        self._desk = desk
        self._journal = journal
        self._lobby = lobby
        self._node = node
        self._fallback = fallback
        self._measures = measures
        self._tables: dict[int, asyncio.Task[None] | None] = {}
        self._tournaments: dict[int, int | None] = {}
        self._given_up: set[int] = set()

    @property
    def playing(self) -> int:
        """Matches that are played here now."""
        return len(self._tables)

    async def idle(self) -> None:
        """Waits until no match is played here."""
        while self._tables:
            await asyncio.wait([task for task in self._tables.values() if task is not None])

    async def play(self, match_id: int, epoch: int) -> None:
        """Plays a match to its end, from where its journal stands; returns at once if `epoch` is over."""
        if match_id in self._tables:
            return
        self._tables[match_id] = asyncio.current_task()
        try:
            # Redis first: then a match that SQL calls claimed and Redis has never heard of was lost with its Redis.
            before = await self._journal.claim(match_id, epoch + 1)
            claimed = await self._store.matches.claim(match_id, self._node, epoch)
            if claimed is not None:
                self._tournaments[match_id] = claimed.match.tournament_id
                await self._play(claimed, before)
        except asyncio.CancelledError:
            if match_id not in self._given_up:
                raise
            await self._journal.drop(match_id)
        finally:
            del self._tables[match_id]
            self._tournaments.pop(match_id, None)
            self._given_up.discard(match_id)

    def give_up(self, tournament: int) -> None:
        """Stops what is played here of a tournament that was cancelled."""
        for match_id, of in self._tournaments.items():
            task = self._tables.get(match_id)
            if of == tournament and task is not None and match_id not in self._given_up:
                self._given_up.add(match_id)
                task.cancel()

    async def _play(self, claimed: ClaimedMatch, before: int) -> None:
        match = claimed.match
        if before > match.epoch:
            return  # somebody else owns it already
        entries = await self._journal.read(match.id)
        if not entries and not before and match.epoch > 1:
            await self._replay(claimed, "the journal of the match was lost with its Redis")
            return
        settled = await self._settled(claimed)
        if settled is None:
            log.warning("match taken over by a newer epoch", match=match.id, epoch=match.epoch)
            return
        claimed = settled
        # Claimed before, if only just: its bots were here then, and have to find their way back.
        chairs = self._chairs(claimed, taken_up=bool(entries or before))
        table = self._table(claimed, chairs)
        try:
            await table.play(entries)
            await self._finish(claimed, table)
        except LostMatch:
            log.warning("match taken over by a newer epoch", match=match.id, epoch=match.epoch)
        except FarfaliaServerError:
            raise  # the database is away; the match is taken up again
        except (BrokenJournal, EngineError) as error:
            await self._replay(claimed, f"the match could not be played on: {error}", chairs)
        except Exception:
            log.exception("a table failed", match=match.id)
            await self._replay(claimed, "the server failed while the match was played", chairs)
        except asyncio.CancelledError:
            if match.id in self._given_up:
                for chair in chairs:
                    chair.tell_given_up(match.id)
            raise
        finally:
            for chair in chairs:
                chair.leave()

    async def _settled(self, claimed: ClaimedMatch) -> ClaimedMatch | None:
        """The match with all that is added to its secret, asked for if that was never done; None if it was lost."""
        match, source = claimed.match, claimed.source
        if source.settled:
            return claimed
        bots = sorted({bot.id for bot in claimed.bots if not bot.house})
        given = await self._desk.gather(match.id, source.commitment, bots)
        if not await self._store.nonces.settle_match(match.id, match.epoch, given):
            return None
        source = replace(source, nonces=tuple(sorted(given.values())), given=given, settled=True)
        return replace(claimed, source=source)

    def _table(self, claimed: ClaimedMatch, chairs: Sequence[Chair]) -> Table:
        match = claimed.match
        rules = ruleset(match.ruleset, match.options)
        source = claimed.source
        state = rules.new_match(Deals(board_key(source.secret, source.nonces, match.board)))
        return Table(
            match.id,
            match.epoch,
            state,
            chairs,
            self._journal,
            house=self._fallback,
            seed=zlib.crc32(match.board.encode()),
            measures=self._measures,
            now=lambda: datetime.now(UTC),
        )

    def _chairs(self, claimed: ClaimedMatch, *, taken_up: bool) -> list[Chair]:
        match = claimed.match
        chairs = []
        for seat, bot in enumerate(claimed.bots):
            if bot.house:
                seed = zlib.crc32(f"{match.board}/{seat}".encode())
                house = house_bots.create(bot.house, seed)
                chairs.append(Chair(seat, line=None, seating=None, house=house))
                continue
            line = self._lobby.line(bot.id)
            seating = Seating(match.id, seat, SeatClock(match.time_control), self._seated(claimed, seat))
            if line.stream is None:
                if taken_up:
                    line.pardon()
                else:
                    seating.gone = "the bot was not connected"  # the lobby has waited for it long enough
            elif line.rulesets and match.ruleset not in line.rulesets:
                seating.gone = f"the bot does not play {match.ruleset}, as its hello says"
            chairs.append(Chair(seat, line=line, seating=seating, house=None))
        return chairs

    def _seated(self, claimed: ClaimedMatch, seat: int) -> play_pb2.Seated:
        match = claimed.match
        control = match.time_control
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
            time_control=record_pb2.TimeControl(
                limit_ms=control.limit_ms, bank_ms=control.bank_ms, grace=control.grace
            ),
        )

    async def _finish(self, claimed: ClaimedMatch, table: Table) -> None:
        match = claimed.match
        record = record_of(claimed, table, datetime.now(UTC))
        finish = partial(self._store.matches.finish, match.id, match.epoch, record)
        if not await retrying(f"finishing match {match.id}", finish):
            log.warning("result refused: the match has a newer owner or was given up", match=match.id)
            if (await self._store.matches.get(match.id)).state is MatchState.CANCELLED:
                await self._journal.drop(match.id)
            return
        for chair in table.chairs:
            chair.tell_finished(match.id, record)
        self._measures.finished += 1
        await self._journal.drop(match.id)

    async def _replay(self, claimed: ClaimedMatch, why: str, chairs: Sequence[Chair] = ()) -> None:
        """Through a fault of the server the match is played again, on a new board and from its first card."""
        match = claimed.match
        log.error("match is void", match=match.id, why=why)
        for chair in chairs:
            chair.tell_given_up(match.id, voided=True)
        await self._journal.clear(match.id)
        await self._store.matches.void(match.id, match.epoch, why)
