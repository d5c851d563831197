"""Nonces, which bots add to secrets: of a tournament until it starts, of any other match until it begins."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from sqlalchemy import Connection, Row, select, update

from farfalia_engine import ruleset
from farfalia_server.store.matches.values import MatchState, Source
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.rows import to_beacon, to_entrant, to_nonces, to_tournament, to_value_function
from farfalia_server.store.tournaments.values import Tournament, TournamentState


class NonceReceipt(Enum):
    """The outcome of giving a nonce."""

    #: It is stored, perhaps since an earlier call.
    KEPT = auto()
    #: The bot has already given another one, which stays.
    SECOND = auto()
    #: The tournament has started.
    LATE = auto()
    #: The bot is not an entrant, or there is no such tournament.
    NOT_ENTERED = auto()


class Nonces(Part):
    """Nonces of entrants: one each; the first one stays."""

    async def give(self, tournament_id: int, bot_id: int, nonce: bytes) -> NonceReceipt:
        """Store a nonce of 8 to 64 bytes, or return why not."""
        entrant, tournament = schema.entrant, schema.tournament
        mine = (entrant.c.tournament_id == tournament_id, entrant.c.bot_id == bot_id)
        # The lock lets a start on another node come before this or after it.
        of_tournament = select(tournament.c.state).where(tournament.c.id == tournament_id).with_for_update()

        def give(connection: Connection) -> NonceReceipt:
            state = connection.execute(of_tournament).scalar()
            row = connection.execute(select(entrant.c.nonce).where(*mine)).first()
            if row is None:
                return NonceReceipt.NOT_ENTERED
            if row.nonce is not None:
                return NonceReceipt.KEPT if row.nonce == nonce else NonceReceipt.SECOND
            if state != TournamentState.PLANNED:
                return NonceReceipt.LATE
            connection.execute(update(entrant).where(*mine).values(nonce=nonce))
            return NonceReceipt.KEPT

        return await self._database.write(give)

    async def standing(self, tournament_id: int, bot_id: int, nonce: bytes) -> NonceReceipt | None:
        """Return why a nonce would not be stored, without storing it; None if it would be."""
        entrant, tournament = schema.entrant, schema.tournament
        statement = (
            select(entrant.c.nonce, tournament.c.state)
            .join(tournament, tournament.c.id == entrant.c.tournament_id)
            .where(entrant.c.tournament_id == tournament_id, entrant.c.bot_id == bot_id)
        )
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        if row is None:
            return NonceReceipt.NOT_ENTERED
        if row.nonce is not None:
            return NonceReceipt.KEPT if row.nonce == nonce else NonceReceipt.SECOND
        return None if row.state == TournamentState.PLANNED else NonceReceipt.LATE

    async def awaited(self, tournament_id: int) -> list[int]:
        """Return the bots that may still give one, without house bots; empty once the tournament has started."""
        entrant, tournament, bot = schema.entrant, schema.tournament, schema.bot
        statement = (
            select(entrant.c.bot_id)
            .join(tournament, tournament.c.id == entrant.c.tournament_id)
            .join(bot, bot.c.id == entrant.c.bot_id)
            .where(
                tournament.c.id == tournament_id,
                tournament.c.state == TournamentState.PLANNED,
                entrant.c.nonce.is_(None),
                bot.c.house == "",
            )
        )
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def asked_of(self, bot_id: int) -> list[Tournament]:
        """Return tournaments to which a bot may still give one."""
        entrant, tournament = schema.entrant, schema.tournament
        statement = (
            select(tournament)
            .join(entrant, tournament.c.id == entrant.c.tournament_id)
            .where(
                entrant.c.bot_id == bot_id,
                entrant.c.nonce.is_(None),
                tournament.c.state == TournamentState.PLANNED,
            )
            .order_by(tournament.c.id)
        )
        return await self._database.read(lambda connection: list(map(to_tournament, connection.execute(statement))))

    async def settle_match(self, match_id: int, epoch: int, given: Mapping[int, bytes]) -> bool:
        """Store the nonces of a match outside tournaments, after which none can be added.

        False, with nothing stored, if that was done before or this epoch is old.
        """
        table = schema.match
        mine = (table.c.id == match_id, table.c.epoch == epoch, table.c.state == MatchState.RUNNING)
        values = {"nonces": {str(bot): nonce.hex() for bot, nonce in given.items()}}
        keep = update(table).where(*mine, table.c.nonces.is_(None)).values(values)
        return await self._database.write(lambda connection: bool(connection.execute(keep).rowcount))


def source_of(connection: Connection, tournament_id: int) -> Source:
    """Return where the deals of a tournament that has been started come from."""
    table, entrant = schema.tournament, schema.entrant
    columns = (table.c.beacon_source, table.c.beacon_round, table.c.beacon_value, table.c.beacon_given, table.c.created)
    game = (table.c.ruleset, table.c.options, table.c.value_function)
    statement = select(table.c.secret, table.c.commitment, table.c.nonces, *columns, *game)
    row = connection.execute(statement.where(table.c.id == tournament_id)).one()
    entered = map(to_entrant, connection.execute(select(entrant).filter_by(tournament_id=tournament_id)))
    entries = list(entered)
    given = {one.bot_id: one.nonce for one in entries if one.nonce}
    given |= {former.bot_id: former.nonce for one in entries for former in one.former if former.nonce}
    return Source(
        row.secret, row.commitment, to_nonces(row.nonces), given, to_beacon(row), value_function=to_value_function(row)
    )


def source_of_match(row: Row[*tuple[Any, ...]]) -> Source:
    """Return where the deals of a match outside tournaments come from, from its row."""
    given = {int(bot): bytes.fromhex(nonce) for bot, nonce in (row.nonces or {}).items()}
    nonces = tuple(sorted(given.values()))
    function = ruleset(row.ruleset, row.options).value_function
    return Source(row.secret, row.commitment, nonces, given, settled=row.nonces is not None, value_function=function)


def freeze(connection: Connection, tournament_id: int, beacon: str) -> tuple[bytes, ...]:
    """Settle what is added to the secret of a tournament that is being started: sorted, with the beacon's value."""
    entrant, tournament = schema.entrant, schema.tournament
    statement = select(entrant.c.nonce).where(entrant.c.tournament_id == tournament_id, entrant.c.nonce.is_not(None))
    given = [bytes(nonce) for nonce in connection.execute(statement).scalars()]
    nonces = tuple(sorted([*given, beacon.encode()] if beacon else given))
    values = {"nonces": [nonce.hex() for nonce in nonces]}
    connection.execute(update(tournament).where(tournament.c.id == tournament_id).values(values))
    return nonces
