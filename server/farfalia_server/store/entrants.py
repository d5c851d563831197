"""The entrants of a tournament, before its start and while it is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, insert, literal, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.store import schema
from farfalia_server.store.changes import Changes, Topic
from farfalia_server.store.database import Database
from farfalia_server.store.planned_matches import insert_matches
from farfalia_server.store.rows import from_entrant, from_seats, to_seats, to_tournament
from farfalia_server.store.tournament_log import log_act
from farfalia_server.store.values import (
    WAITING,
    Act,
    Entrant,
    MatchState,
    NewMatch,
    Seat,
    Tournament,
    TournamentState,
    Withdrawal,
)


class Entrants:
    """Late entries and withdrawals. Each call raises FailedPrecondition if the tournament has moved on meanwhile."""

    def __init__(self, database: Database, changes: Changes) -> None:
        self._database = database
        self._changes = changes

    async def replan(
        self,
        tournament_id: int,
        before: Collection[int],
        entrants: Sequence[Entrant],
        matches: Sequence[NewMatch],
        *,
        rounds: int,
        expected: int,
        balances: str,
    ) -> None:
        """Plan again a tournament that has not started, for other entrants than `before`; nonces are kept."""
        table, entrant = schema.tournament, schema.entrant
        of_tournament = entrant.c.tournament_id == tournament_id
        async with self._database.write() as connection:
            tournament = await _locked(connection, tournament_id, TournamentState.PLANNED)
            rows = (await connection.execute(select(entrant).where(of_tournament))).all()
            if {row.bot_id for row in rows} != set(before):
                raise FailedPrecondition(
                    f"the entrants of tournament {tournament_id} have just changed; try again", "TRY_AGAIN"
                )
            nonces = {row.bot_id: row.nonce for row in rows}
            await _forget_matches(connection, tournament_id)
            await connection.execute(delete(entrant).where(of_tournament))
            values = [from_entrant(tournament_id, one) | {"nonce": nonces.get(one.bot_id)} for one in entrants]
            await connection.execute(insert(entrant), values)
            await insert_matches(connection, tournament_id, tournament, matches, state=MatchState.PLANNED)
            news = {"rounds": rounds, "expected": expected, "balances": balances}
            await connection.execute(update(table).where(table.c.id == tournament_id).values(news))
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)

    async def gone(self) -> dict[int, frozenset[int]]:
        """Return the bots that will not come any more: by running tournament those that have withdrawn, and under 0
        those that have no token, whatever they would play.
        """
        entrant, tournament, bot = schema.entrant, schema.tournament, schema.bot
        withdrawn = (
            select(entrant.c.tournament_id, entrant.c.bot_id)
            .join(tournament, tournament.c.id == entrant.c.tournament_id)
            .where(tournament.c.state == TournamentState.RUNNING, entrant.c.gone.is_not(None))
        )
        without_token = select(literal(0), bot.c.id).where(bot.c.token_hash.is_(None), bot.c.house == "")
        statement = union_all(withdrawn, without_token)
        found: dict[int, set[int]] = {}
        for row in await self._database.fetch(lambda connection: connection.execute(statement).all()):
            found.setdefault(row[0], set()).add(row[1])
        return {number: frozenset(bots) for number, bots in found.items()}

    async def withdraw(self, tournament_id: int, bot_id: int, fillers: Sequence[Seat], who: str = "") -> Withdrawal:
        """Withdraw an entrant from a running tournament: fillers take its seats in matches that have not begun."""
        entrant, match = schema.entrant, schema.match
        async with self._database.write() as connection:
            await _locked(connection, tournament_id, TournamentState.RUNNING)
            of_bot = (entrant.c.tournament_id == tournament_id, entrant.c.bot_id == bot_id)
            left = update(entrant).where(*of_bot, entrant.c.gone.is_(None))
            drawn = await _rounds_drawn(connection, tournament_id)
            row = (await connection.execute(left.values(gone=drawn).returning(entrant.c.name))).first()
            if row is None:
                raise FailedPrecondition(
                    f"it has already withdrawn from tournament {tournament_id}", "ENTRANT_WITHDRAWN"
                )
            filled = await _reseat(connection, tournament_id, bot_id, fillers)
            await connection.run_sync(log_act, tournament_id, Act.WITHDRAW, who, row.name)
            playing = (
                select(func.count())
                .select_from(match)
                .join(schema.match_bot)
                .where(
                    match.c.tournament_id == tournament_id,
                    match.c.state == MatchState.RUNNING,
                    schema.match_bot.c.bot_id == bot_id,
                )
            )
            found = Withdrawal((await connection.execute(playing)).scalar_one(), filled)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return found

    async def enter(self, tournament_id: int, new: Entrant, instead_of: int | None, who: str = "") -> None:
        """Add an entrant to a running tournament, or let it replace a filler.

        It plays from the next round on, or in the filler's matches that have not begun.
        """
        entrant = schema.entrant
        async with self._database.write() as connection:
            await _locked(connection, tournament_id, TournamentState.RUNNING)
            if instead_of is None:
                drawn = await _rounds_drawn(connection, tournament_id)
                await connection.execute(insert(entrant), [from_entrant(tournament_id, new) | {"came": drawn}])
            else:
                of_filler = (entrant.c.tournament_id == tournament_id, entrant.c.bot_id == instead_of)
                values = {"bot_id": new.bot_id, "name": new.name, "filler": False}
                await connection.execute(update(entrant).where(*of_filler).values(values))
                await _reseat(connection, tournament_id, instead_of, [Seat(new.bot_id, new.name)])
            await connection.run_sync(log_act, tournament_id, Act.ENTER, who, new.name)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)


async def _locked(connection: AsyncConnection, tournament_id: int, state: TournamentState) -> Tournament:
    """Return the tournament, locked for this transaction; FailedPrecondition if it is in another state, or NotFound."""
    table = schema.tournament
    row = (await connection.execute(select(table).where(table.c.id == tournament_id).with_for_update())).first()
    if row is None:
        raise NotFound(f"there is no tournament {tournament_id}", "TOURNAMENT_UNKNOWN")
    if row.state != state:
        raise FailedPrecondition(
            f"tournament {tournament_id} is {row.state}; expected {state}", f"TOURNAMENT_{row.state.upper()}"
        )
    return to_tournament(row)


async def _rounds_drawn(connection: AsyncConnection, tournament_id: int) -> int:
    table = schema.match
    rounds = select(table.c.stage, table.c.round).where(table.c.tournament_id == tournament_id).distinct()
    return (await connection.execute(select(func.count()).select_from(rounds.subquery()))).scalar_one()


async def _forget_matches(connection: AsyncConnection, tournament_id: int) -> None:
    table, index = schema.match, schema.match_bot
    ids = select(table.c.id).where(table.c.tournament_id == tournament_id)
    await connection.execute(delete(index).where(index.c.match_id.in_(ids)))
    await connection.execute(delete(table).where(table.c.tournament_id == tournament_id))


async def _reseat(connection: AsyncConnection, tournament_id: int, bot_id: int, others: Sequence[Seat]) -> int:
    """Give a bot's seats in its queued matches to the first of `others` who is not at the table; return how many."""
    table, index = schema.match, schema.match_bot
    waiting = (
        select(table.c.id, table.c.seats)
        .join(index)
        .where(table.c.tournament_id == tournament_id, table.c.state.in_(WAITING), index.c.bot_id == bot_id)
    )
    rows = (await connection.execute(waiting)).all()
    count = 0
    for row in rows:
        seats = to_seats(row.seats, None)
        sitting = {seat.bot_id for seat in seats}
        other = next(one for one in others if one.bot_id not in sitting)
        seated = tuple(other if seat.bot_id == bot_id else seat for seat in seats)
        # A node that read the match with the former seats may not play it: a claim with that epoch is refused.
        values = {"seats": from_seats(seated), "epoch": table.c.epoch + 1}
        statement = update(table).where(table.c.id == row.id, table.c.state.in_(WAITING)).values(values)
        if (await connection.execute(statement.returning(table.c.id))).first() is not None:
            of_match = (index.c.match_id == row.id, index.c.bot_id == bot_id)
            await connection.execute(update(index).where(*of_match).values(bot_id=other.bot_id))
            count += 1
    return count
