"""Tournaments: planned with their whole schedule, started, and finished when nothing is left to play."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, func, insert, or_, select, update

from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_act
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.matches.ends import end_in
from farfalia_server.store.matches.planned import insert_matches
from farfalia_server.store.matches.rows import from_time_control, not_before
from farfalia_server.store.matches.values import OPEN, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.drafts import publish_in
from farfalia_server.store.tournaments.draw import Draw, allot
from farfalia_server.store.tournaments.ladder_knowledge import insert_knowledge
from farfalia_server.store.tournaments.locked import locked, unknown
from farfalia_server.store.tournaments.nonces import freeze
from farfalia_server.store.tournaments.pauses import outage_may_explain
from farfalia_server.store.tournaments.rows import from_entrant, to_entrant, to_tournament
from farfalia_server.store.tournaments.values import (
    Entrant,
    LadderKnowledge,
    NewTournament,
    Tournament,
    TournamentState,
)
from farfalia_server.store.webhooks.telling import tell
from farfalia_server.store.webhooks.values import DeliveryKind

#: Needed for every finished match, so it is built once.
_COMPLETE = select(schema.tournament.c.id).where(
    schema.tournament.c.id == bindparam("complete"),
    schema.tournament.c.state == TournamentState.RUNNING,
    schema.tournament.c.stages == "",  # with stages, another round may follow
    ~exists().where(
        schema.match.c.tournament_id == bindparam("complete"),
        schema.match.c.state.in_(OPEN),
    ),
)
#: Needed whenever matches are to begin.
_PLAYING = (
    select(schema.tournament.c.id)
    .where(schema.tournament.c.state == TournamentState.RUNNING, schema.tournament.c.paused.is_(None))
    .order_by(schema.tournament.c.id)
)
_OF_MATCH = select(schema.match.c.tournament_id).where(schema.match.c.id == bindparam("ends")).scalar_subquery()
_LOCK_OF_MATCH = select(schema.tournament.c.id).where(schema.tournament.c.id == _OF_MATCH).with_for_update()


class Tournaments(Part):
    """Tournaments."""

    async def plan(self, new: NewTournament, who: str = "") -> Tournament:
        """Store a tournament with all its matches, none of which can be played before `start`.

        InvalidArgument if there are neither matches nor stages; FailedPrecondition (DRAFT_CHANGED) if somebody has
        changed the draft that it was.
        """
        if not (new.matches or new.stages):
            raise InvalidArgument(
                "rounds", said("the schedule of tournament %(name)r has no match; expected one at least", name=new.name)
            )

        def plan(connection: Connection) -> Tournament:
            statement = insert(schema.tournament).values(_values(new)).returning(schema.tournament)
            tournament = to_tournament(connection.execute(statement).one())
            entrants = [from_entrant(tournament.id, entrant) for entrant in new.entrants]
            connection.execute(insert(schema.entrant), entrants)
            insert_matches(connection, tournament.id, new, new.matches, state=MatchState.PLANNED)
            if new.draft is not None:
                publish_in(connection, *new.draft, tournament.id)
            if who:
                log_act(connection, tournament.id, Act.CREATE, who)
            return tournament

        tournament = await self._database.write(plan)
        self._changes.tell(Topic.TOURNAMENT, tournament.id, tournament.id)
        return tournament

    async def start(
        self,
        tournament_id: int,
        *,
        beacon_value: str = "",
        draw: Draw | None = None,
        known: Sequence[LadderKnowledge] = (),
        who: str = "",
    ) -> Tournament:
        """Settle its nonces, draw the entrants' numbers in the schedule, and queue its matches.

        Without a draw entrants keep their numbers. What is `known` of them is taken down. NotFound; InvalidArgument for
        the value of a beacon that was not announced; FailedPrecondition if the value of the announced beacon is
        missing, or if it has already started.
        """

        def start(connection: Connection) -> Tournament:
            planned = to_tournament(locked(connection, tournament_id, TournamentState.PLANNED))
            _give_beacon(connection, planned, beacon_value)
            nonces = freeze(connection, tournament_id, beacon_value)
            if draw is not None:
                allot(connection, tournament_id, nonces, draw)
            _move_matches(connection, tournament_id, (MatchState.PLANNED,), {"state": MatchState.QUEUED})
            insert_knowledge(connection, tournament_id, known)
            log_act(connection, tournament_id, Act.START, who)
            return _move(connection, tournament_id, {"state": TournamentState.RUNNING, "started": now()})

        tournament = await self._database.write(start)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return tournament

    async def schedule(
        self, tournament_id: int, at: datetime | None, who: str = "", *, with_event: bool = False
    ) -> Tournament:
        """Note when a tournament starts by itself, or that somebody starts it; NotFound, FailedPrecondition."""

        def schedule(connection: Connection) -> Tournament:
            planned = to_tournament(locked(connection, tournament_id, TournamentState.PLANNED))
            if (at is not None or with_event) and planned.beacon is not None:
                text = said(
                    "tournament %(tournament)s starts with a public value, which somebody gives at the start",
                    tournament=tournament_id,
                )
                raise FailedPrecondition(text, "BEACON_VALUE_MISSING")
            by_hand = "with its event" if with_event else "by hand"
            when = by_hand if at is None else f"at {at:%Y-%m-%d %H:%M} UTC"
            log_act(connection, tournament_id, Act.SCHEDULE, who, reason=when)
            return _move(connection, tournament_id, {"starts": at, "starts_with_event": with_event})

        tournament = await self._database.write(schedule)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return tournament

    async def due_to_start(self) -> list[int]:
        """Return the planned tournaments whose time to start has come: their own, or that of their event."""
        table, event, moment = schema.tournament, schema.event, now()
        due = or_(table.c.starts <= moment, and_(table.c.starts_with_event, event.c.starts <= moment))
        statement = (
            select(table.c.id)
            .join(event, event.c.name == table.c.event)
            .where(table.c.state == TournamentState.PLANNED, due)
            .order_by(func.coalesce(table.c.starts, event.c.starts), table.c.id)
        )
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def forget_start(self, tournament_id: int) -> None:
        """Let somebody start a tournament that could not start by itself."""
        statement = update(schema.tournament).where(schema.tournament.c.id == tournament_id)
        statement = statement.values(starts=None, starts_with_event=False)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def cancel(self, tournament_id: int, reason: str = "", who: str = "") -> Tournament:
        """Give up its unfinished matches; a node that plays one of them is refused from now on.

        Its secret and its nonces become public, so no more nonces are taken. NotFound, or FailedPrecondition if it
        is over.
        """

        def cancel(connection: Connection) -> Tournament:
            locked(connection, tournament_id, TournamentState.PLANNED, TournamentState.RUNNING)
            values = {
                "state": TournamentState.CANCELLED,
                "ended": not_before(schema.tournament.c.started, end_in(connection, tournament_id)),
                "cancel_reason": reason,
                "paused": None,
            }
            tournament = _move(connection, tournament_id, values)
            log_act(connection, tournament_id, Act.CANCEL, who, reason=reason)
            epoch = schema.match.c.epoch + 1
            _move_matches(connection, tournament_id, OPEN, {"state": MatchState.CANCELLED, "epoch": epoch})
            return tournament

        tournament = await self._database.write(cancel)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id, MatchState.CANCELLED)
        return tournament

    async def get(self, tournament_id: int) -> Tournament:
        """Return one tournament; NotFound."""
        return await self._database.read(lambda connection: _get(connection, tournament_id))

    async def event(self, number: int) -> str:
        """Return the event of a tournament, the public arena if there is no such tournament."""
        statement = select(schema.tournament.c.event).where(schema.tournament.c.id == min(number, 2**63 - 1))
        return await self._database.read(lambda connection: connection.execute(statement).scalar()) or ARENA

    async def of_event(self, event: str, limit: int) -> list[int]:
        """Return the numbers of an event's tournaments, newest first."""
        table = schema.tournament
        statement = select(table.c.id).where(table.c.event == event).order_by(table.c.id.desc()).limit(limit)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def names(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of these tournaments, by number; without those that there are not."""
        table = schema.tournament
        statement = select(table.c.id, table.c.name).where(table.c.id.in_(numbers))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.id: row.name for row in rows}

    async def all(self, limit: int = 1000, before: int | None = None, event: str = "") -> list[Tournament]:
        """Return tournaments, newest first, with a smaller number than `before`: of an event, or all."""
        table = schema.tournament
        statement = select(table).order_by(table.c.id.desc()).limit(limit)
        if before is not None:
            statement = statement.where(table.c.id < before)
        if event:
            statement = statement.where(table.c.event == event)
        return await self._database.read(lambda connection: list(map(to_tournament, connection.execute(statement))))

    async def playing(self) -> list[int]:
        """Return the numbers of the running tournaments that are not paused, oldest first."""
        return await self._database.read(lambda connection: list(connection.execute(_PLAYING).scalars()))

    async def entrants(self, tournament_id: int) -> list[Entrant]:
        """Return the entrants, by number; empty if there is no such tournament."""
        table = schema.entrant
        statement = select(table).filter_by(tournament_id=tournament_id).order_by(table.c.number)
        return await self._database.read(lambda connection: list(map(to_entrant, connection.execute(statement))))

    async def counts(self, tournament_ids: Iterable[int]) -> dict[int, dict[MatchState, int]]:
        """Return the number of matches by state, for each tournament, without states that have none.

        A match in whose place another one is played is not counted.
        """
        table, ids = schema.match, set(tournament_ids)
        counts: dict[int, dict[MatchState, int]] = {tournament_id: {} for tournament_id in ids}
        statement = (
            select(table.c.tournament_id, table.c.state, func.count())
            .where(table.c.tournament_id.in_(ids), table.c.replaced_by.is_(None))
            .group_by(table.c.tournament_id, table.c.state)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        for tournament_id, state, count in rows:
            counts[tournament_id][MatchState(state)] = count
        return counts


def lock_tournament_of(connection: Connection, match_id: int) -> int | None:
    """Let one writer at a time end a match of a tournament, and return its number; None if it has none.

    If the last two matches finish at the same time, the second then sees the first, and ends the tournament. Lock the
    tournament before you touch the match: `cancel` also goes from the tournament to its matches.
    """
    return connection.execute(_LOCK_OF_MATCH, {"ends": match_id}).scalar()


def end_if_complete(connection: Connection, tournament_id: int | None) -> bool:
    """End a running tournament if nothing is left to play, and return whether it did; its row must be locked.

    A match without one ends none.

    Where an outage may explain the last results it goes on until that would have been noticed: the director ends it.
    """
    if tournament_id is None or connection.execute(_COMPLETE, {"complete": tournament_id}).first() is None:
        return False
    if outage_may_explain(connection, tournament_id):
        return False
    end(connection, tournament_id)
    return True


def end(connection: Connection, tournament_id: int) -> None:
    """Mark a tournament as finished, and note it in its log."""
    table = schema.tournament
    values = {"state": TournamentState.FINISHED, "ended": not_before(table.c.started, now()), "paused": None}
    connection.execute(update(table).where(table.c.id == tournament_id).values(values))
    log_act(connection, tournament_id, Act.FINISH)
    entered = select(schema.entrant.c.bot_id).where(schema.entrant.c.tournament_id == tournament_id)
    bots = connection.execute(entered).scalars()
    tell(connection, dict.fromkeys(bots, (DeliveryKind.TOURNAMENT_FINISHED,)), tournament_id)


def _get(connection: Connection, tournament_id: int) -> Tournament:
    row = connection.execute(select(schema.tournament).filter_by(id=tournament_id)).first()
    if row is None:
        raise unknown(tournament_id)
    return to_tournament(row)


def _give_beacon(connection: Connection, tournament: Tournament, value: str) -> None:
    beacon = tournament.beacon
    if beacon is None:
        if value:
            raise InvalidArgument(
                "beacon_value",
                said("tournament %(tournament)s has announced no beacon; expected no value", tournament=tournament.id),
            )
        return
    if not value:
        raise FailedPrecondition(
            said(
                "tournament %(tournament)s has announced a beacon, %(source)s, %(round)s; give that "
                "round's value to start it",
                tournament=tournament.id,
                source=beacon.source,
                round=beacon.round,
            ),
            "BEACON_VALUE_MISSING",
        )
    table = schema.tournament
    values = {"beacon_value": value, "beacon_given": now()}
    connection.execute(update(table).where(table.c.id == tournament.id).values(values))


def _move(connection: Connection, tournament_id: int, values: dict[str, Any]) -> Tournament:
    table = schema.tournament
    statement = update(table).where(table.c.id == tournament_id).values(values)
    return to_tournament(connection.execute(statement.returning(table)).one())


def _move_matches(
    connection: Connection, tournament_id: int, states: tuple[MatchState, ...], values: dict[str, Any]
) -> None:
    table = schema.match
    connection.execute(
        update(table).where(table.c.tournament_id == tournament_id, table.c.state.in_(states)).values(values)
    )


def _values(new: NewTournament) -> dict[str, Any]:
    return {
        "name": new.name,
        "ruleset": new.ruleset,
        "options": dict(new.options),
        "state": TournamentState.PLANNED,
        "rounds": new.rounds,
        "secret": new.secret,
        "commitment": new.commitment,
        "value_function": new.value_function,
        "nonces": [],
        "beacon_source": new.beacon_source,
        "beacon_round": new.beacon_round,
        "beacon_value": "",
        "time_control": from_time_control(new.time_control),
        "seed": "",
        "boards": new.boards,
        "balances": new.balances,
        "stages": new.stages,
        "expected": new.expected,
        "cancel_reason": "",
        "created": now(),
        "network_rule": asdict(new.network),
        "ladder": new.ladder,
        "event": new.event,
        "starts": new.starts,
        "starts_with_event": new.starts_with_event,
        "lasting_processes": new.lasting_processes,
        "persons": new.persons,
        "alone": new.alone,
    }
