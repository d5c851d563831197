"""The entrants of a tournament, before its start and while it is played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.store.acts import Act, instead_of, log_act
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.planned import insert_matches, reindex
from farfalia_server.store.matches.rows import from_seats, to_seats
from farfalia_server.store.matches.values import WAITING, MatchState, NewMatch, Seat
from farfalia_server.store.part import Part
from farfalia_server.store.people.moderation import barred
from farfalia_server.store.people.values import Bot
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.ladder_knowledge import insert_knowledge
from farfalia_server.store.tournaments.locked import locked
from farfalia_server.store.tournaments.rows import from_entrant, from_former, to_entrant, to_tournament
from farfalia_server.store.tournaments.values import (
    Entrant,
    FormerEntrant,
    LadderKnowledge,
    Takeover,
    TournamentState,
    Withdrawal,
)


class Entrants(Part):
    """Late entries and withdrawals. Each call raises FailedPrecondition if the tournament has moved on meanwhile."""

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
        replaced: tuple[str, str] | None = None,
        who: str = "",
    ) -> None:
        """Plan again a tournament that has not started, for other entrants than `before`; nonces are kept.

        `replaced` are the bot that has lost its place and the one that has it now, by name: that is logged.
        """
        table, entrant = schema.tournament, schema.entrant
        of_tournament = entrant.c.tournament_id == tournament_id

        def replan(connection: Connection) -> None:
            tournament = to_tournament(locked(connection, tournament_id, TournamentState.PLANNED))
            rows = connection.execute(select(entrant).where(of_tournament)).all()
            if {row.bot_id for row in rows} != set(before):
                raise _changed(tournament_id)
            nonces = {row.bot_id: row.nonce for row in rows}
            _forget_matches(connection, tournament_id)
            connection.execute(delete(entrant).where(of_tournament))
            values = [from_entrant(tournament_id, one) | {"nonce": nonces.get(one.bot_id)} for one in entrants]
            connection.execute(insert(entrant), values)
            insert_matches(connection, tournament_id, tournament, matches, state=MatchState.PLANNED)
            news = {"rounds": rounds, "expected": expected, "balances": balances}
            connection.execute(update(table).where(table.c.id == tournament_id).values(news))
            if replaced is not None:
                log_act(connection, tournament_id, Act.REPLACE, who, replaced[1], instead_of(replaced[0]))

        await self._database.write(replan)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)

    async def gone(self) -> dict[int, frozenset[int]]:
        """Return the bots that will not come any more: by running tournament those that have withdrawn or were
        replaced, and under 0 those that have no token or are suspended, whatever they would play.
        """
        entrant, tournament, bot = schema.entrant, schema.tournament, schema.bot
        left = (
            select(entrant.c.tournament_id, entrant.c.bot_id, entrant.c.gone, entrant.c.former)
            .join(tournament, tournament.c.id == entrant.c.tournament_id)
            .where(tournament.c.state == TournamentState.RUNNING)
            .where(or_(entrant.c.gone.is_not(None), entrant.c.former.is_not(None)))
        )
        shut_out = select(bot.c.id).where(or_(bot.c.token_hash.is_(None), barred()), bot.c.house == "")

        def read(connection: Connection) -> dict[int, set[int]]:
            found = defaultdict[int, set[int]](set)
            found[0].update(connection.execute(shut_out).scalars())
            for row in connection.execute(left):
                found[row.tournament_id].update(former["bot"] for former in row.former or ())
                if row.gone is not None:
                    found[row.tournament_id].add(row.bot_id)
            return found

        found = await self._database.read(read)
        return {number: frozenset(bots) for number, bots in found.items() if bots}

    async def withdraw(self, tournament_id: int, bot_id: int, fillers: Sequence[Seat], who: str = "") -> Withdrawal:
        """Withdraw an entrant from a running tournament: fillers take its seats in matches that have not begun."""
        entrant = schema.entrant

        def withdraw(connection: Connection) -> Withdrawal:
            locked(connection, tournament_id, TournamentState.RUNNING)
            of_bot = (entrant.c.tournament_id == tournament_id, entrant.c.bot_id == bot_id)
            left = update(entrant).where(*of_bot, entrant.c.gone.is_(None))
            drawn = _rounds_drawn(connection, tournament_id)
            row = connection.execute(left.values(gone=drawn).returning(entrant.c.name)).first()
            if row is None:
                raise FailedPrecondition(
                    said("it has already withdrawn from tournament %(tournament)s", tournament=tournament_id),
                    "ENTRANT_WITHDRAWN",
                )
            filled = _reseat(connection, tournament_id, bot_id, fillers)
            log_act(connection, tournament_id, Act.WITHDRAW, who, row.name)
            return Withdrawal(_playing(connection, tournament_id, bot_id), filled)

        found = await self._database.write(withdraw)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return found

    async def enter(
        self,
        tournament_id: int,
        new: Entrant,
        filler: int | None,
        who: str = "",
        known: Sequence[LadderKnowledge] = (),
    ) -> Takeover:
        """Add an entrant to a running tournament, or let it replace a filler; what is `known` of it is taken down.

        It plays from the next round on, or in the filler's matches that have not begun.
        """
        entrant = schema.entrant

        def enter(connection: Connection) -> Takeover:
            taken = 0
            locked(connection, tournament_id, TournamentState.RUNNING)
            if filler is None:
                drawn = _rounds_drawn(connection, tournament_id)
                connection.execute(insert(entrant), [from_entrant(tournament_id, new) | {"came": drawn}])
            else:
                of_filler = (entrant.c.tournament_id == tournament_id, entrant.c.bot_id == filler)
                values = {"bot_id": new.bot_id, "name": new.name, "filler": False, "person": new.person}
                connection.execute(update(entrant).where(*of_filler).values(values))
                taken = _reseat(connection, tournament_id, filler, [new.seat])
            insert_knowledge(connection, tournament_id, known)
            log_act(connection, tournament_id, Act.ENTER, who, new.name)
            return Takeover(taken=taken)

        found = await self._database.write(enter)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return found

    async def replace(self, tournament_id: int, former: Entrant, new: Bot, who: str = "") -> Takeover:
        """Let a bot take over an entry of a running tournament, and the matches of it that have not begun.

        A bot that has held the same entry before may have it back.
        """
        entrant = schema.entrant

        def replace(connection: Connection) -> Takeover:
            locked(connection, tournament_id, TournamentState.RUNNING)
            rows = connection.execute(select(entrant).filter_by(tournament_id=tournament_id))
            entries = {entry.number: entry for entry in map(to_entrant, rows)}
            entry = entries[former.number]
            taken = any(new.id in one.held_by for one in entries.values() if one is not entry)
            if (entry.bot_id, entry.gone) != (former.bot_id, None) or taken:
                raise _changed(tournament_id)
            nonce = next((one.nonce for one in entry.former if one.bot_id == new.id), b"")
            before = [one for one in entry.former if one.bot_id != new.id]
            values = {
                "bot_id": new.id,
                "name": new.name,
                "person": new.person,
                "nonce": nonce or None,
                "former": from_former([*before, FormerEntrant(entry.bot_id, entry.nonce)]),
            }
            of_entry = (entrant.c.tournament_id == tournament_id, entrant.c.number == entry.number)
            connection.execute(update(entrant).where(*of_entry).values(values))
            seated = _reseat(connection, tournament_id, entry.bot_id, [Seat(new.id, new.name, person=new.person)])
            log_act(connection, tournament_id, Act.REPLACE, who, new.name, instead_of(entry.name))
            return Takeover(_playing(connection, tournament_id, entry.bot_id), seated)

        found = await self._database.write(replace)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return found


def _changed(tournament_id: int) -> FailedPrecondition:
    return FailedPrecondition(
        said("the entrants of tournament %(tournament)s have just changed; try again", tournament=tournament_id),
        "TRY_AGAIN",
    )


def _playing(connection: Connection, tournament_id: int, bot_id: int) -> int:
    """Return how many matches of a tournament a bot is playing."""
    match = schema.match
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
    return connection.execute(playing).scalar_one()


def _rounds_drawn(connection: Connection, tournament_id: int) -> int:
    table = schema.match
    rounds = select(table.c.stage, table.c.round).where(table.c.tournament_id == tournament_id).distinct()
    return connection.execute(select(func.count()).select_from(rounds.subquery())).scalar_one()


def _forget_matches(connection: Connection, tournament_id: int) -> None:
    table, index = schema.match, schema.match_bot
    ids = select(table.c.id).where(table.c.tournament_id == tournament_id)
    connection.execute(delete(index).where(index.c.match_id.in_(ids)))
    connection.execute(delete(table).where(table.c.tournament_id == tournament_id))


def _reseat(connection: Connection, tournament_id: int, bot_id: int, others: Sequence[Seat]) -> int:
    """Give a bot's seats in its queued matches to the first of `others` who is not at the table; return how many."""
    table, index = schema.match, schema.match_bot
    waiting = (
        select(table.c.id, table.c.seats)
        .join(index)
        .where(table.c.tournament_id == tournament_id, table.c.state.in_(WAITING), index.c.bot_id == bot_id)
    )
    rows = connection.execute(waiting).all()
    count = 0
    for row in rows:
        seats = to_seats(row.seats, None)
        sitting = {seat.bot_id for seat in seats}
        other = next(one for one in others if one.bot_id not in sitting)
        seated = tuple(other if seat.bot_id == bot_id else seat for seat in seats)
        # A node that read the match with the former seats may not play it: a claim with that epoch is refused.
        values = {"seats": from_seats(seated), "epoch": table.c.epoch + 1}
        statement = update(table).where(table.c.id == row.id, table.c.state.in_(WAITING)).values(values)
        if connection.execute(statement.returning(table.c.id)).first() is not None:
            reindex(connection, row.id, seats, seated)
            count += 1
    return count
