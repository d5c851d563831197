"""Matches: planning them and looking them up."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, Select, Text, and_, bindparam, cast, func, select

from farfalia_engine import TimeControl
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.challenges import Challenger
from farfalia_server.store.matches.planned import match_values, plan_in
from farfalia_server.store.matches.rows import replayed_on, to_match
from farfalia_server.store.matches.values import MOST_WALKOUTS, OPEN, Match, MatchState, NewLadderMatch
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import in_parts

#: The columns of an `OpenMatch`, its seats as text.
_OPEN_MATCH = (
    *(schema.match.c[name] for name in ("id", "epoch", "attempt", "tournament_id")),
    cast(schema.match.c.seats, Text).label("seats"),
)
#: Needed after every match, so it is built once.
_STANDING = select(schema.match.c.state, schema.match.c.epoch, schema.match.c.node).where(
    schema.match.c.id == bindparam("wanted")
)
_ROW = select(schema.match, boards.OPEN.label("record_open")).where(schema.match.c.id == bindparam("wanted"))
#: Seats of open matches that are remembered: the same bots meet again, and a queue reads its matches again and again.
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """What a queue needs to know of an unfinished match; bots by seat."""

    id: int
    epoch: int
    attempt: int
    bot_ids: tuple[int, ...]
    tournament_id: int = 0  #: 0 if it is of a ladder
    fillers: frozenset[int] = frozenset()  #: house bots that only fill the table
    walked_out: frozenset[int] = frozenset()  #: bots for which it is replayed no more


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """How far a match is, and under which epoch which node has it."""

    state: MatchState
    epoch: int
    node: str


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """What a queue needs to know of a match that a node has claimed."""

    id: int
    epoch: int
    attempt: int
    node: str


class Matches(Part):
    """Matches in every state."""

    async def plan(
        self,
        new: Sequence[NewLadderMatch],
        *,
        ruleset: str,
        options: Mapping[str, str],
        time_control: TimeControl,
        ladder: str,
        challenger: Challenger | None = None,
        daily: str | None = None,
    ) -> list[Match]:
        """Queue matches that belong to no tournament, in one transaction; they count on a ladder, or, if it is empty,
        on none. Those that a `challenger` asks for do not. On the board of a day, `daily`, no bot adds a nonce.

        ResourceExhausted (QUOTA_REACHED, CHALLENGES_TOO_FAST) if the challenger has too many, or asked too often.
        """
        rows = [
            match_values(
                one.match,
                ruleset=ruleset,
                options=options,
                time_control=time_control,
                state=MatchState.QUEUED,
                secret=one.secret,
                commitment=one.commitment,
                ladder=ladder,
                challenger=None if challenger is None else challenger.account,
                daily=daily,
            )
            for one in new
        ]
        planned = await self._database.write(lambda connection: plan_in(connection, rows, challenger))
        for match in planned:
            self._changes.tell(Topic.MATCH, match.id, state=MatchState.QUEUED)
        return planned

    async def get(self, match_id: int) -> Match:
        """Return one match; NotFound."""
        return with_record_open(await self._database.read(lambda connection: match_row(connection, match_id)))

    async def standing(self, match_id: int) -> MatchStanding:
        """Return how far a match is, and whose it is; NotFound."""
        row = await self._database.read(lambda connection: connection.execute(_STANDING, {"wanted": match_id}).first())
        if row is None:
            raise _unknown(match_id)
        return MatchStanding(MatchState(row.state), row.epoch, row.node)

    async def of_board(self, tournament_id: int, board: str, limit: int) -> list[Match]:
        """Return matches of a tournament that have this board, or had it in their first attempt, oldest first."""
        table = schema.match
        on_it = table.c.board == board
        if replayed := replayed_on(board):
            first, number, attempt = replayed
            on_it |= and_(table.c.board == first, table.c.number == number, table.c.attempt == attempt)
        statement = (
            select(table, boards.OPEN.label("record_open"))
            .where(table.c.tournament_id == tournament_id, on_it)
            .limit(limit)  # sorted below: by number, SQLite would go through the whole tournament
        )
        return sorted(await self._select(statement, with_record_open), key=lambda match: match.id)

    async def of_tournament(
        self, tournament_id: int, after: int | None = None, limit: int | None = None
    ) -> list[Match]:
        """Return up to `limit` matches of a tournament after number `after`, in the order of its schedule."""
        table = schema.match
        statement = select(table, boards.OPEN.label("record_open")).where(table.c.tournament_id == tournament_id)
        if after is not None:
            statement = statement.where(table.c.number > after)
        return await self._select(statement.order_by(table.c.number).limit(limit), with_record_open)

    async def open(
        self,
        state: MatchState,
        limit: int,
        *,
        after: int = 0,
        tournament_id: int | None = None,
        counted: bool | None = None,
    ) -> list[OpenMatch]:
        """Return matches in this state with a number greater than `after`, oldest first;
        tournament 0 for those in none. With `counted` only those that count on a ladder, or on none.
        """
        table = schema.match
        statement = (
            select(*_OPEN_MATCH).where(table.c.state == state, table.c.id > after).order_by(table.c.id).limit(limit)
        )
        if tournament_id is not None:
            lane = table.c.tournament_id
            statement = statement.where(lane == tournament_id if tournament_id else lane.is_(None))
        if counted is not None:
            statement = statement.where(table.c.ladder != "" if counted else table.c.ladder == "")
        return await self._database.read(lambda connection: _open_matches(connection, statement))

    async def queued(self, match_ids: Collection[int]) -> list[OpenMatch]:
        """Return the queued ones of these matches, oldest first."""
        table = schema.match
        statement = (
            select(*_OPEN_MATCH)
            .where(table.c.id.in_(match_ids), table.c.state == MatchState.QUEUED)
            .order_by(table.c.id)
        )
        return await self._database.read(lambda connection: _open_matches(connection, statement))

    async def running(self) -> list[RunningMatch]:
        """Return claimed matches, oldest first."""
        table = schema.match
        statement = (
            select(table.c.id, table.c.epoch, table.c.attempt, table.c.node)
            .where(table.c.state == MatchState.RUNNING)
            .order_by(table.c.id)
        )
        return await self._database.read(
            lambda connection: [RunningMatch(*row) for row in connection.execute(statement)]
        )

    async def bots_of_running(self) -> dict[int, tuple[int, ...]]:
        """Return the bots of each claimed match, without house bots."""
        match, bot = schema.match, schema.bot

        def read(connection: Connection) -> tuple[dict[int, list[int]], set[int]]:
            running = select(match.c.id, match.c.seats).where(match.c.state == MatchState.RUNNING)
            seats = {row.id: [seat["bot"] for seat in row.seats] for row in connection.execute(running)}
            return seats, set(connection.execute(select(bot.c.id).where(bot.c.house != "")).scalars())

        seats, house = await self._database.read(read)
        found = {match_id: tuple(one for one in bots if one not in house) for match_id, bots in seats.items()}
        return {match_id: bots for match_id, bots in found.items() if bots}

    async def house_bots(self, match_ids: Collection[int]) -> dict[int, frozenset[str]]:
        """Return which house bots play in each of these matches, without those in which none does."""
        match, bot = schema.match, schema.bot

        def read(connection: Connection) -> tuple[dict[int, list[int]], dict[int, str]]:
            wanted = select(match.c.id, match.c.seats).where(match.c.id.in_(match_ids))
            seats = {row.id: [seat["bot"] for seat in row.seats] for row in connection.execute(wanted)}
            house = connection.execute(select(bot.c.id, bot.c.house).where(bot.c.house != "")).all()
            return seats, {row.id: row.house for row in house}

        seats, house = await self._database.read(read)
        found = {match_id: frozenset(house[one] for one in bots if one in house) for match_id, bots in seats.items()}
        return {match_id: names for match_id, names in found.items() if names}

    async def attempts(self, match_ids: Collection[int]) -> dict[int, int]:
        """Return the unfinished ones of these matches, each with its current attempt."""
        table = schema.match
        wanted = table.c.id.in_(match_ids) & table.c.state.in_(OPEN)
        statement = select(table.c.id, table.c.attempt).where(wanted)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.id: row.attempt for row in rows}

    async def counts(self, states: Collection[MatchState] = tuple(MatchState)) -> dict[MatchState, int]:
        """Return the number of matches in these states, without states that have none."""
        table = schema.match
        statement = select(table.c.state, func.count()).where(table.c.state.in_(states)).group_by(table.c.state)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {MatchState(state): count for state, count in rows}

    async def _select(
        self, statement: Select[Any], match_of: Callable[[Row[*tuple[Any, ...]]], Match] = to_match
    ) -> list[Match]:
        def read(connection: Connection) -> list[Match]:
            return [match_of(row) for rows in in_parts(connection, statement) for row in rows]

        return await self._database.read(read)


def match_row(connection: Connection, match_id: int) -> Row[*tuple[Any, ...]]:
    """Return the row of a match; NotFound."""
    row = connection.execute(_ROW, {"wanted": match_id}).first()
    if row is None:
        raise _unknown(match_id)
    return row


def with_record_open(row: Row[*tuple[Any, ...]]) -> Match:
    """Return a match from a row that has `boards.OPEN` as `record_open`; without its result while that is false."""
    match = to_match(row, record_open=bool(row.record_open))
    return match if match.record_open else replace(match, result=None)


def _unknown(match_id: int) -> NotFound:
    return NotFound(said("there is no match %(number)s", number=match_id), "MATCH_UNKNOWN")


def _open_matches(connection: Connection, statement: Select[Any]) -> list[OpenMatch]:
    found = []
    for id, epoch, attempt, tournament_id, seats in connection.execute(statement):
        bots, fillers, walked_out = _seated(seats)
        found.append(OpenMatch(id, epoch, attempt, bots, tournament_id or 0, fillers, walked_out))
    return found


@lru_cache(_REMEMBERED)
def _seated(seats: str) -> tuple[tuple[int, ...], frozenset[int], frozenset[int]]:
    """Return of seats as the database has them the bots, those that fill, and those that have walked out."""
    found = json.loads(seats)
    return (
        tuple(seat["bot"] for seat in found),
        frozenset(seat["bot"] for seat in found if seat["filler"]),
        frozenset(seat["bot"] for seat in found if seat.get("walkouts", 0) >= MOST_WALKOUTS),
    )
