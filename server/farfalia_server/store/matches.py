"""Matches from the queue to the archive."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, select, update
from sqlalchemy.exc import DataError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from farfalia.v1 import record_pb2
from farfalia_engine import TimeControl
from farfalia_server.errors import FailedPrecondition, NotFound, UnstorableValue
from farfalia_server.store import boards, schema
from farfalia_server.store.archive import incident_rows, pack, result_of, unpack, without_cards
from farfalia_server.store.changes import Changes, Topic
from farfalia_server.store.database import Database
from farfalia_server.store.nonces import source_of, source_of_match
from farfalia_server.store.planning import index_bots, match_values
from farfalia_server.store.rows import from_result, now, to_bot, to_match, to_seats
from farfalia_server.store.tournaments import end_if_complete, lock_tournament_of
from farfalia_server.store.values import (
    ACTIVE,
    OPEN,
    WAITING,
    Bot,
    ClaimedMatch,
    Match,
    MatchState,
    NewLadderMatch,
    Source,
    TournamentState,
)
from farfalia_server.store.void_attempts import remember

#: Rows that are made into values at once, some four milliseconds' work.
_ROWS = 50
#: How often a match is tried before it is given up.
ATTEMPTS = 5

# What every match needs is put together once: that takes longer than the database does.
_match = schema.match
_CLAIM = (
    update(_match)
    .where(
        _match.c.id == bindparam("wanted"),
        _match.c.state.in_(ACTIVE),
    )
    .values(
        epoch=_match.c.epoch + 1,
        state=MatchState.RUNNING,
        node=bindparam("by"),
        started=func.coalesce(_match.c.started, bindparam("at", type_=_match.c.started.type)),
    )
    .returning(_match)
)
_CLAIM_KNOWN = _CLAIM.where(_match.c.epoch == bindparam("known"))
# Ends a match's run under its epoch; touches no row if the caller does not own it.
_LEAVE_RUNNING = (
    update(_match)
    .where(
        _match.c.id == bindparam("wanted"),
        _match.c.epoch == bindparam("owned"),
        _match.c.state == MatchState.RUNNING,
    )
    .returning(_match.c.tournament_id, _match.c.seats)
)
_FINISH = _LEAVE_RUNNING.values(state=MatchState.FINISHED, result=bindparam("ending"), finished=bindparam("at"))
_KEEP_RECORD = insert(schema.record)
_VERSIONS = select(schema.bot.c.id, schema.bot.c.version).where(schema.bot.c.id.in_(bindparam("bots", expanding=True)))
_NOTE_VERSIONS = update(_match).where(_match.c.id == bindparam("wanted")).values(versions=bindparam("noted"))


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """What a queue has to know of a match that is not over; bots by seat."""

    id: int
    epoch: int
    attempt: int
    bot_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """What a queue has to know of a match that a node has claimed."""

    id: int
    epoch: int
    attempt: int
    node: str


class Matches:
    """Matches."""

    def __init__(self, database: Database, changes: Changes) -> None:
        self._database = database
        self._changes = changes
        # What claims need and what never changes; the versions of bots do.
        self._bots: dict[int, Bot] = {}
        self._sources: dict[int, Source] = {}

    async def plan(
        self,
        new: Sequence[NewLadderMatch],
        *,
        ruleset: str,
        options: Mapping[str, str],
        time_control: TimeControl,
    ) -> list[Match]:
        """Queues matches that belong to no tournament, in one transaction."""
        rows = [
            match_values(
                one.match,
                ruleset=ruleset,
                options=options,
                time_control=time_control,
                state=MatchState.QUEUED,
                secret=one.secret,
                commitment=one.commitment,
            )
            for one in new
        ]
        table = schema.match
        async with self._database.write() as connection:
            statement = insert(table).returning(table, sort_by_parameter_order=True)
            planned = [to_match(row) for row in await connection.execute(statement, rows)]
            await index_bots(connection, [(match.id, one.match) for match, one in zip(planned, new, strict=True)])
        for match in planned:
            self._changes.tell(Topic.MATCH, match.id, state=MatchState.QUEUED)
        return planned

    async def get(self, match_id: int) -> Match:
        """One match; NotFound."""
        async with self._database.read() as connection:
            return _with_record_open(await _row(connection, match_id))

    async def newest(
        self,
        *,
        tournament_id: int | None = None,
        bot_id: int | None = None,
        limit: int = 100,
        before: int | None = None,
        begun: bool = False,
    ) -> list[Match]:
        """Matches, newest first, with a smaller number than `before`; `begun` leaves out those that still wait."""
        table = schema.match
        statement = select(table, boards.OPEN.label("record_open")).order_by(table.c.id.desc()).limit(limit)
        if tournament_id is not None:
            statement = statement.where(table.c.tournament_id == tournament_id)
        if bot_id is not None:
            statement = statement.join(schema.match_bot).where(schema.match_bot.c.bot_id == bot_id)
        if before is not None:
            statement = statement.where(table.c.id < before)
        if begun:
            statement = statement.where(table.c.state.not_in(WAITING))
        async with self._database.read() as connection:
            return [_with_record_open(row) for row in await connection.execute(statement)]

    async def of_tournament(self, tournament_id: int) -> list[Match]:
        """All matches of a tournament, in the order of its schedule."""
        table = schema.match
        return await self._select(select(table).where(table.c.tournament_id == tournament_id).order_by(table.c.number))

    async def open(
        self, state: MatchState, limit: int, *, after: int = 0, tournament_id: int | None = None
    ) -> list[OpenMatch]:
        """Matches in this state with a number greater than `after`, oldest first; tournament 0 for those in none."""
        table = schema.match
        statement = (
            select(table.c.id, table.c.epoch, table.c.attempt, table.c.seats)
            .where(table.c.state == state, table.c.id > after)
            .order_by(table.c.id)
            .limit(limit)
        )
        if tournament_id is not None:
            lane = table.c.tournament_id
            statement = statement.where(lane == tournament_id if tournament_id else lane.is_(None))
        async with self._database.read() as connection:
            return [
                OpenMatch(row.id, row.epoch, row.attempt, tuple(seat["bot"] for seat in row.seats))
                for row in await connection.execute(statement)
            ]

    async def running(self) -> list[RunningMatch]:
        """Matches that somebody has claimed, oldest first."""
        table = schema.match
        statement = (
            select(table.c.id, table.c.epoch, table.c.attempt, table.c.node)
            .where(table.c.state == MatchState.RUNNING)
            .order_by(table.c.id)
        )
        async with self._database.read() as connection:
            return [RunningMatch(*row) for row in await connection.execute(statement)]

    async def attempts(self, match_ids: Collection[int]) -> dict[int, int]:
        """Those of these matches that are not over, each with the attempt that it is at."""
        table = schema.match
        wanted = table.c.id.in_(match_ids) & table.c.state.in_(OPEN)
        async with self._database.read() as connection:
            rows = await connection.execute(select(table.c.id, table.c.attempt).where(wanted))
            return {row.id: row.attempt for row in rows}

    async def counts(self) -> dict[MatchState, int]:
        """How many matches are in which state; states without a match are left out."""
        table = schema.match
        async with self._database.read() as connection:
            rows = await connection.execute(select(table.c.state, func.count()).group_by(table.c.state))
            return {MatchState(state): count for state, count in rows}

    async def claim(self, match_id: int, node: str, epoch: int | None = None) -> ClaimedMatch | None:
        """Makes `node` the owner of a queued or running match and refuses every earlier owner from now on.

        None if there is nothing to play: the match is over, given up, or (when `epoch` is given) has been
        claimed since that epoch was read.
        """
        statement = _CLAIM if epoch is None else _CLAIM_KNOWN
        values = {"wanted": match_id, "by": node, "at": now()} | ({} if epoch is None else {"known": epoch})

        def claim(connection: Connection) -> tuple[Row[*tuple[Any, ...]], list[str], bool] | None:
            row = connection.execute(statement, values).first()
            if row is None or row.versions is not None:
                return row and (row, row.versions, False)
            bot_ids = [seat["bot"] for seat in row.seats]
            known = {bot.id: bot.version for bot in connection.execute(_VERSIONS, {"bots": bot_ids})}
            versions = [known[bot_id] for bot_id in bot_ids]
            connection.execute(_NOTE_VERSIONS, {"wanted": match_id, "noted": versions})
            return row, versions, True

        found = await self._database.do(claim)
        if found is None:
            return None
        claimed = await self._claimed(*found)
        self._changes.tell(Topic.MATCH, match_id, claimed.match.tournament_id, MatchState.RUNNING)
        return claimed

    async def finish(self, match_id: int, epoch: int, record: record_pb2.Record) -> bool:
        """Writes result, record and incidents down, and ends the tournament with its last match.

        False if this epoch is old or the match is over for another reason: then nothing was written. Calling it
        again after it has succeeded is True. Raises UnstorableValue if the database cannot hold a text of the record.
        """
        values = {"wanted": match_id, "owned": epoch, "ending": from_result(result_of(record)), "at": now()}

        def finish(connection: Connection) -> tuple[Row[*tuple[Any, ...]] | None, bool]:
            lock_tournament_of(connection, match_id)
            row = connection.execute(_FINISH, values).first()
            if row is None:
                return None, False
            connection.execute(_KEEP_RECORD, {"match_id": match_id, "data": pack(record)})
            incidents = incident_rows(match_id, tuple(seat["bot"] for seat in row.seats), record)
            if incidents:
                connection.execute(insert(schema.incident), incidents)
            return row, _end(connection, row.tournament_id)

        try:
            row, ended = await self._database.do(finish)
        except DBAPIError as error:
            if not _is_about_data(error):
                raise
            raise UnstorableValue(f"the database does not take the record of match {match_id}: {error.orig}") from error
        if row is None:
            async with self._database.read() as connection:
                return await _is_finished(connection, match_id, epoch)
        self._told(match_id, row.tournament_id, MatchState.FINISHED, ended)
        return True

    async def void(self, match_id: int, epoch: int, reason: str) -> MatchState | None:
        """Throws away what was played and queues the match again, on a new board; after `ATTEMPTS` gives it up.

        The attempt stays in the list of those that were void. Returns the state that the match is in now; None if this
        epoch is old: then nothing happened.
        """
        table = schema.match

        def void(connection: Connection) -> tuple[Row[*tuple[Any, ...]] | None, MatchState, bool]:
            lock_tournament_of(connection, match_id)
            attempt = connection.execute(select(table.c.attempt).where(table.c.id == match_id)).scalar() or 1
            values: dict[str, Any] = {"note": reason, "epoch": epoch + 1}
            if attempt < ATTEMPTS:
                values |= {
                    "state": MatchState.QUEUED,
                    "attempt": attempt + 1,
                    "started": None,
                    "node": "",
                    "versions": None,
                }
            else:
                values |= {"state": MatchState.VOID, "finished": now()}
            leave = _LEAVE_RUNNING.values(values)
            row = connection.execute(leave, {"wanted": match_id, "owned": epoch}).first()
            if row is not None:
                remember(connection, match_id, attempt, reason)
            return row, values["state"], row is not None and _end(connection, row.tournament_id)

        row, state, ended = await self._database.do(void)
        if row is None:
            return None
        self._told(match_id, row.tournament_id, state, ended)
        return state

    async def record(self, match_id: int) -> record_pb2.Record:
        """The record of a finished match, with the secret of its deals once that is public.

        NotFound, or FailedPrecondition (MATCH_NOT_OVER, or BOARD_IN_PLAY as long as other matches on its board are not
        over).
        """
        record, playing, match = await self._record(match_id)
        if playing:
            where = f"stage {match.stage}, round {match.round}" if match.stage else f"round {match.round}"
            raise FailedPrecondition(
                f"the cards of match {match_id} open when every match on its board is over: "
                f"{playing} of {where} {'is' if playing == 1 else 'are'} not over yet",
                "BOARD_IN_PLAY",
            )
        return record

    async def record_without_cards(self, match_id: int) -> record_pb2.Record:
        """The record of a finished match without anything that a card follows from; raises as `record` does, but never
        BOARD_IN_PLAY."""
        return without_cards((await self._record(match_id))[0])

    async def _record(self, match_id: int) -> tuple[record_pb2.Record, int, Row[*tuple[Any, ...]]]:
        """The record, how many matches have yet to end on its board, and where it belongs."""
        statement = (
            select(
                schema.record.c.data,
                schema.match.c.secret,
                schema.match.c.stage,
                schema.match.c.round,
                boards.STILL_PLAYING.label("still_playing"),
                schema.tournament.c.secret.label("tournament_secret"),
                schema.tournament.c.state.label("tournament_state"),
            )
            .select_from(schema.record)
            .join(schema.match)
            .outerjoin(schema.tournament, schema.match.c.tournament_id == schema.tournament.c.id)
            .where(schema.record.c.match_id == match_id)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).first()
            if row is None:
                state = (await _row(connection, match_id)).state
                raise FailedPrecondition(
                    f"match {match_id} is {state}; it has a record once it is finished", "MATCH_NOT_OVER"
                )
        record = unpack(match_id, row.data)
        if secret := row.secret or _public_secret(row):
            record.source.secret = secret
        return record, row.still_playing, row

    async def _select(self, statement: Select[Any]) -> list[Match]:
        async with self._database.read() as connection:
            found: list[Match] = []
            for rows in (await connection.execute(statement)).partitions(_ROWS):
                found += map(to_match, rows)
                await asyncio.sleep(0)  # a tournament has thousands of rows, and bots with clocks wait
            return found

    async def _claimed(self, row: Row[*tuple[Any, ...]], versions: list[str], first: bool) -> ClaimedMatch:
        match = to_match(row)
        match = replace(match, seats=to_seats(row.seats, versions))
        if match.tournament_id is None:
            source = source_of_match(row)
        else:
            source = await self.source(match.tournament_id)
        await self._learn(set(match.bot_ids) - self._bots.keys())
        bots = tuple(replace(self._bots[seat.bot_id], version=seat.version) for seat in match.seats)
        return ClaimedMatch(match, bots, source, first)

    async def source(self, tournament_id: int) -> Source:
        """Where the deals of a tournament come from: for the server alone, until the tournament is over."""
        source = self._sources.get(tournament_id)
        if source is None:
            async with self._database.read() as connection:
                source = await source_of(connection, tournament_id)
            if source.settled:
                self._sources[tournament_id] = source
        return source

    async def _learn(self, bot_ids: set[int]) -> None:
        if bot_ids:
            async with self._database.read() as connection:
                rows = await connection.execute(select(schema.bot).where(schema.bot.c.id.in_(bot_ids)))
                self._bots.update((row.id, to_bot(row)) for row in rows)

    def _told(self, match_id: int, tournament_id: int | None, state: MatchState, ended: bool) -> None:
        self._changes.tell(Topic.MATCH, match_id, tournament_id, state)
        if ended and tournament_id is not None:
            self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)


async def _row(connection: AsyncConnection, match_id: int) -> Row[*tuple[Any, ...]]:
    statement = select(schema.match, boards.OPEN.label("record_open")).where(schema.match.c.id == match_id)
    row = (await connection.execute(statement)).first()
    if row is None:
        raise NotFound(f"there is no match {match_id}", "MATCH_UNKNOWN")
    return row


def _is_about_data(error: DBAPIError) -> bool:
    """The database works, and does not take a value: SQLSTATE class 22, which has no Python class of its own."""
    return isinstance(error, DataError) or str(getattr(error.orig, "sqlstate", "")).startswith("22")


def _with_record_open(row: Row[*tuple[Any, ...]]) -> Match:
    return replace(to_match(row), record_open=bool(row.record_open))


async def _is_finished(connection: AsyncConnection, match_id: int, epoch: int) -> bool:
    row = await _row(connection, match_id)
    return bool(row.state == MatchState.FINISHED and row.epoch == epoch)


def _end(connection: Connection, tournament_id: int | None) -> bool:
    return tournament_id is not None and end_if_complete(connection, tournament_id)


def _public_secret(row: Row[*tuple[Any, ...]]) -> bytes:
    if row.tournament_state is None or not TournamentState(row.tournament_state).over:
        return b""
    return bytes(row.tournament_secret)
