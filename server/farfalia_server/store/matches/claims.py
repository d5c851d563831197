"""Claims of matches by the node that plays them, until they are finished, or void: played again, or given up.

Every claim raises the epoch of the match, and a node writes under its epoch: writes of an earlier owner are refused.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, insert, or_, select, update
from sqlalchemy.exc import DataError, DBAPIError

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import UnstorableValue
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Changes, Topic
from farfalia_server.store.matches.archive import incident_rows, pack, result_of
from farfalia_server.store.matches.ends import LEAVE_RUNNING, end_in
from farfalia_server.store.matches.giving_up import void_attempt
from farfalia_server.store.matches.matches import match_row
from farfalia_server.store.matches.rows import from_result, not_before, to_match, to_seats
from farfalia_server.store.matches.seat_results import deals_by_trumps, seat_rows
from farfalia_server.store.matches.values import ACTIVE, ClaimedMatch, MatchState, Source, VoidReason
from farfalia_server.store.part import Part
from farfalia_server.store.people.bots import to_bot
from farfalia_server.store.people.values import Bot
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.database import Database
from farfalia_server.store.tournaments.nonces import source_of, source_of_match
from farfalia_server.store.tournaments.pauses import spoiled
from farfalia_server.store.tournaments.tournaments import end_if_complete, lock_tournament_of
from farfalia_server.store.webhooks.telling import tell
from farfalia_server.store.webhooks.values import DeliveryKind

# Every match needs these statements; building one takes longer than the database does.
_match = schema.match
_CLAIM = (
    update(_match)
    .where(
        _match.c.id == bindparam("wanted"),
        _match.c.state.in_(ACTIVE),
        # A match that begins, unlike one in play, waits while its tournament is paused.
        or_(
            _match.c.state == MatchState.RUNNING,
            ~exists().where(schema.tournament.c.id == _match.c.tournament_id, schema.tournament.c.paused.is_not(None)),
        ),
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
_FINISH = LEAVE_RUNNING.values(
    state=MatchState.FINISHED,
    result=bindparam("ending"),
    finished=not_before(_match.c.started, bindparam("at", type_=_match.c.finished.type)),
)
#: Why a match that an outage has spoiled is void.
_NETWORK = "the tournament's network was down, and a bot lost its seat or was struck"
_KEEP_RECORD = insert(schema.record)
_KEEP_SEATS = insert(schema.seat_result)
_VERSIONS = select(schema.bot.c.id, schema.bot.c.version, schema.bot.c.name).where(
    schema.bot.c.id.in_(bindparam("bots", expanding=True))
)
_NOTE_VERSIONS = update(_match).where(_match.c.id == bindparam("wanted")).values(versions=bindparam("noted"))


class Claims(Part):
    """The claims of nodes on matches."""

    def __init__(self, database: Database, changes: Changes) -> None:
        super().__init__(database, changes)
        # What claims need and hardly ever changes, unlike the versions of bots, unless a failover loses it.
        self._bots: dict[int, Bot] = {}
        self._terms: dict[int, tuple[Source, bool]] = {}
        self._outage_end = database.outage_end

    async def claim(self, match_id: int, node: str, epoch: int | None = None) -> ClaimedMatch | None:
        """Make `node` the owner of a queued or running match; from now on every earlier owner is refused.

        None if there is nothing to play: the match is over or given up, its tournament was paused before it began, or
        (if `epoch` is given) it was claimed after that epoch was read.
        """
        statement = _CLAIM if epoch is None else _CLAIM_KNOWN
        values = {"wanted": match_id, "by": node, "at": now()} | ({} if epoch is None else {"known": epoch})

        def claim(connection: Connection) -> tuple[Row[*tuple[Any, ...]], list[str], dict[int, str]] | None:
            row = connection.execute(statement, values).first()
            if row is None or row.versions is not None:
                return row and (row, row.versions, {})
            bot_ids = [seat["bot"] for seat in row.seats]
            known = {bot.id: bot for bot in connection.execute(_VERSIONS, {"bots": bot_ids})}
            versions = [known[bot_id].version for bot_id in bot_ids]
            connection.execute(_NOTE_VERSIONS, {"wanted": match_id, "noted": versions})
            return row, versions, {bot.id: bot.name for bot in known.values()}

        found = await self._database.write(claim)
        if found is None:
            return None
        claimed = await self._claimed(*found)
        match = claimed.match
        self._changes.tell(Topic.MATCH, match_id, match.tournament_id, MatchState.RUNNING, stage=match.stage)
        return claimed

    async def finish(
        self, match_id: int, epoch: int, record: record_pb2.Record, trumps: Sequence[Sequence[int | None]] = ()
    ) -> bool:
        """Store result, record and incidents, and end the tournament with its last match.

        `trumps` has by deal and seat how many were held, as the engine's `TrumpHoldings` counts them; empty if nobody
        counted.

        False, with nothing written, if this epoch is old or the match is over for another reason; False, too, if the
        attempt is void, since a bot was struck in it while the network of the tournament was down. After a success
        another call returns True. Raises UnstorableValue if the database cannot hold a text of the record.
        """
        # Luck takes a moment to compute: not in the event loop, nor while others wait to write.
        ending = await asyncio.to_thread(lambda: from_result(result_of(record)))
        held = deals_by_trumps(record.outcome, trumps)
        values = {"wanted": match_id, "owned": epoch, "ending": ending}

        def finish(connection: Connection) -> tuple[Row[*tuple[Any, ...]] | None, MatchState, bool]:
            tournament = lock_tournament_of(connection, match_id)
            if spoiled(connection, match_id, ending):
                return void_attempt(connection, match_id, epoch, VoidReason.NETWORK, _NETWORK)
            row = connection.execute(_FINISH, {**values, "at": end_in(connection, tournament)}).first()
            if row is None:
                return None, MatchState.FINISHED, False
            connection.execute(_KEEP_RECORD, {"match_id": match_id, "data": pack(record)})
            connection.execute(_KEEP_SEATS, seat_rows(match_id, row.seats, record, row.finished, held))
            incidents = incident_rows(match_id, tuple(seat["bot"] for seat in row.seats), record)
            if incidents:
                connection.execute(insert(schema.incident), incidents)
            tell(connection, _happened(row.seats, incidents), match_id)
            return row, MatchState.FINISHED, end_if_complete(connection, row.tournament_id)

        try:
            row, state, ended = await self._database.write(finish)
        except DBAPIError as error:
            if not _is_about_data(error):
                raise
            raise UnstorableValue(f"the database does not take the record of match {match_id}: {error.orig}") from error
        if row is None:
            row = await self._database.read(lambda connection: match_row(connection, match_id))
            if row.state != MatchState.FINISHED or row.epoch != epoch:
                return False
            # An earlier call may have failed after its commit: then nobody knows of it yet.
        self._told(match_id, row, state, ended)
        return state is MatchState.FINISHED

    async def void(
        self, match_id: int, epoch: int, reason: VoidReason, text: str, walked_out: Collection[int] = ()
    ) -> MatchState | None:
        """Discard what was played and queue the match again on a new board, or give it up, as `giving_up` decides.

        The bots of the seats `walked_out` have left this attempt while others stayed.

        The attempt stays in the list of void attempts, with the reason and its sentence. Returns the match's new state;
        None, with nothing changed, if this epoch is old.
        """
        row, state, ended = await self._database.write(
            lambda connection: void_attempt(connection, match_id, epoch, reason, text, walked_out)
        )
        if row is None:
            return None
        self._told(match_id, row, state, ended)
        return state

    async def _claimed(self, row: Row[*tuple[Any, ...]], versions: list[str], names: Mapping[int, str]) -> ClaimedMatch:
        """Return a match that was claimed; `names` has those of its bots, empty unless it was claimed for the first
        time.
        """
        self._forget_after_outage()
        for bot_id, name in names.items():
            if bot_id in self._bots and self._bots[bot_id].name != name:
                self._bots[bot_id] = replace(self._bots[bot_id], name=name)
        match = to_match(row)
        match = replace(match, seats=to_seats(row.seats, versions))
        if match.tournament_id is None:
            source, lasting = source_of_match(row), False
        else:
            source, lasting = await self._terms_of(match.tournament_id)
        known = await self._known(match.bot_ids)
        bots = tuple(replace(known[seat.bot_id], version=seat.version) for seat in match.seats)
        return ClaimedMatch(match, bots, source, first=bool(names), lasting_processes=lasting)

    async def source(self, tournament_id: int) -> Source:
        """Return the source of a tournament's deals; only the server may see it until the tournament is over."""
        return (await self._terms_of(tournament_id))[0]

    async def _terms_of(self, tournament_id: int) -> tuple[Source, bool]:
        """Return the source of a tournament's deals, and whether it lets programs keep their process."""
        self._forget_after_outage()
        terms = self._terms.get(tournament_id)
        if terms is None:
            table = schema.tournament
            lasting = select(table.c.lasting_processes).where(table.c.id == tournament_id)

            def read(connection: Connection) -> tuple[Source, bool]:
                return source_of(connection, tournament_id), connection.execute(lasting).scalar_one()

            terms = await self._database.read(read)
            if terms[0].settled:
                self._terms[tournament_id] = terms
        return terms

    def _forget_after_outage(self) -> None:
        """Forget what was known before an outage: another bot may have a number now, a tournament other nonces."""
        if self._outage_end != self._database.outage_end:
            self._outage_end = self._database.outage_end
            self._bots.clear()
            self._terms.clear()

    async def _known(self, bot_ids: Collection[int]) -> dict[int, Bot]:
        """Return bots by number; what is remembered may be forgotten meanwhile."""
        known = {bot_id: self._bots[bot_id] for bot_id in bot_ids if bot_id in self._bots}
        if unknown := set(bot_ids) - known.keys():
            statement = select(schema.bot).where(schema.bot.c.id.in_(unknown))
            rows = await self._database.read(lambda connection: connection.execute(statement).all())
            learned = {row.id: to_bot(row) for row in rows}
            self._bots |= learned
            known |= learned
        return known

    def _told(self, match_id: int, row: Row[*tuple[Any, ...]], state: MatchState, ended: bool) -> None:
        tournament_id = row.tournament_id
        self._changes.tell(Topic.MATCH, match_id, tournament_id, state, stage=row.stage)
        if ended and tournament_id is not None:
            self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)


def _happened(
    seats: Collection[Mapping[str, Any]], incidents: Collection[Mapping[str, Any]]
) -> dict[int, list[DeliveryKind]]:
    """Return what a finished match is to each of its bots; fillers are the house's, which is told nothing."""
    happened = {seat["bot"]: [DeliveryKind.MATCH_FINISHED] for seat in seats if not seat["filler"]}
    for bot_id in {incident["bot_id"] for incident in incidents} & happened.keys():
        happened[bot_id].append(DeliveryKind.INCIDENT)
    return happened


def _is_about_data(error: DBAPIError) -> bool:
    """Return whether the database works but refuses a value: SQLSTATE class 22,
    which has no Python class of its own.
    """
    return isinstance(error, DataError) or str(getattr(error.orig, "sqlstate", "")).startswith("22")
