"""What people decide about matches of a tournament: a match is void, or is played again.

A void match keeps its record and its place in the order of rating, and counts no more: the rater rebuilds the ratings
from the others. A match that is played again is a new one, on a board that no match has had. Rounds that were drawn
from a result that changes must be void themselves, and are drawn anew: the bots that sat in them may not belong there.

What a server voids by itself, and when it gives a match up, is in `giving_up`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_act
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches.ends import end_in
from farfalia_server.store.matches.planned import index_bots
from farfalia_server.store.matches.rows import board_name, from_seats, to_seats
from farfalia_server.store.matches.values import DRAWN_ANEW, MatchState, VoidReason
from farfalia_server.store.matches.void_attempts import remember
from farfalia_server.store.part import Part
from farfalia_server.store.prices.prices import forget_prices
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.holders import seats_of_holders
from farfalia_server.store.tournaments.locked import locked
from farfalia_server.store.tournaments.tournaments import end_if_complete
from farfalia_server.store.tournaments.values import TournamentState

_match = schema.match
#: Why nothing is played again.
_SECRET_IS_PUBLIC = {TournamentState.FINISHED: said(": its secret is public, so everybody knows its next cards")}
#: What a match that is played again takes over.
_SAME = ("tournament_id", "round", "stage", "table", "replay", "ruleset", "options", "time_control", "ladder")


@dataclass(frozen=True, slots=True)
class Voided:
    """Matches that have become void, and those that are played instead, by the number of the former."""

    matches: tuple[int, ...]
    instead: dict[int, int]


class Voiding(Part):
    """Makes matches of a tournament void and has them played again; both may be repeated."""

    async def void(
        self,
        tournament_id: int,
        matches: Collection[int],
        *,
        reason: VoidReason = VoidReason.ORGANISER,
        text: str,
        who: str = "",
        replay: bool = False,
        follow: Collection[int] = (),
        drawn_since: datetime | None = None,
    ) -> Voided:
        """Make these matches void, and with `replay` have them played again; all or none.

        `follow` has the stages whose rounds follow from the results of the rounds before. Rounds that were drawn from
        what changes are drawn anew; their matches are not played again. Such matches become void, too, if they were
        drawn since `drawn_since`. Nothing happens to matches that are void already, or played again already. NotFound
        (MATCH_UNKNOWN) for a match of another tournament; FailedPrecondition if the tournament has not started or was
        cancelled, if it is finished and `replay` is asked for (TOURNAMENT_FINISHED), or if rounds were drawn from the
        results before `drawn_since` (LATER_ROUNDS_DRAWN).
        """

        def void(connection: Connection) -> tuple[Voided, bool]:
            states = (TournamentState.RUNNING,) if replay else (TournamentState.RUNNING, TournamentState.FINISHED)
            state = locked(connection, tournament_id, *states, why=_SECRET_IS_PUBLIC).state
            rows = connection.execute(
                select(_match).where(_match.c.tournament_id == tournament_id).order_by(_match.c.number)
            ).all()
            known = {row.id: row for row in rows}
            if missing := sorted(set(matches) - known.keys()):
                raise NotFound(
                    said(
                        "there is no match %(match)s in tournament %(tournament)s",
                        match=missing[0],
                        tournament=tournament_id,
                    ),
                    "MATCH_UNKNOWN",
                )
            wanted = [known[id] for id in sorted(set(matches))]
            ended = [row for row in wanted if row.state != MatchState.VOID]
            again = [row for row in wanted if replay and row.replaced_by is None]
            later = _later(rows, [*ended, *again], set(matches), follow, drawn_since)
            ended += [known[id] for id in sorted(later - set(matches)) if known[id].state != MatchState.VOID]
            again = [row for row in again if row.id not in later]
            for row in ended:
                _void(connection, row, reason, text)
                log_act(connection, tournament_id, Act.VOID, who, f"match {row.id}", text)
            if later and state == TournamentState.RUNNING:
                outdated = update(_match).where(_match.c.id.in_(later), _match.c.replaced_by.is_(None))
                connection.execute(outdated.values(replaced_by=DRAWN_ANEW))
            instead = {}
            number = max((row.number for row in rows), default=0)
            for row in again:
                number += 1
                instead[row.id] = _play_again(connection, row, number)
                log_act(connection, tournament_id, Act.REPLAY, who, f"match {row.id} as match {instead[row.id]}", text)
            complete = not again and end_if_complete(connection, tournament_id)
            return Voided(tuple(row.id for row in ended), instead), complete

        done, _ = await self._database.write(void)
        for match_id in done.matches:
            # Told as cancelled, since a node that plays it has to stop.
            self._changes.tell(Topic.MATCH, match_id, tournament_id, MatchState.CANCELLED)
        for match_id in done.instead.values():
            self._changes.tell(Topic.MATCH, match_id, tournament_id, MatchState.QUEUED)
        self._changes.tell(Topic.TOURNAMENT, tournament_id, tournament_id)
        return done


def _later(
    rows: Collection[Row[*tuple[Any, ...]]],
    changed: Collection[Row[*tuple[Any, ...]]],
    wanted: set[int],
    follow: Collection[int],
    drawn_since: datetime | None,
) -> set[int]:
    """Return the matches of rounds that were drawn from results that change; refused if an older one of them counts."""
    later = set()
    for one in changed:
        for row in rows:
            if not (
                row.stage > one.stage or (row.stage == one.stage and row.stage in follow and row.round > one.round)
            ):
                continue
            later.add(row.id)
            if drawn_since is not None and row.created >= drawn_since:
                continue
            if row.id not in wanted and row.state != MatchState.VOID:
                raise FailedPrecondition(
                    said(
                        "stage %(stage)s, round %(round)s was drawn from the results of match %(match)s; pause the "
                        "tournament and void the later rounds first, the last one first: they are drawn anew",
                        stage=row.stage,
                        round=row.round,
                        match=one.id,
                    ),
                    "LATER_ROUNDS_DRAWN",
                )
    return later


def _void(connection: Connection, row: Row[*tuple[Any, ...]], reason: VoidReason, text: str) -> None:
    moment = end_in(connection, row.tournament_id)
    values = {"state": MatchState.VOID, "epoch": row.epoch + 1, "result": None, "note": text}
    values["finished"] = row.finished or moment
    connection.execute(update(_match).where(_match.c.id == row.id).values(values))
    # What bots' pages add up; the record stays.
    forget_prices(connection, row.id)
    for table in (schema.seat_result, schema.incident):
        connection.execute(delete(table).where(table.c.match_id == row.id))
    known = schema.void_attempt.c
    seen = select(func.count()).where(known.match_id == row.id, known.attempt == row.attempt)
    if not connection.execute(seen).scalar_one():
        remember(connection, row.id, row.attempt, reason, text, moment)


def _play_again(connection: Connection, row: Row[*tuple[Any, ...]], number: int) -> int:
    """Queue a match for the seats of a void one, and return its number."""
    seats = seats_of_holders(connection, row.tournament_id, to_seats(row.seats, None))
    values = {name: getattr(row, name) for name in _SAME} | {
        "seats": from_seats(seats),
        "number": number,
        # The board of the next attempt, which the void match will never have.
        "board": board_name(row.board, row.number, row.attempt + 1),
        "state": MatchState.QUEUED,
        "epoch": 0,
        "attempt": 1,
        "node": "",
        "note": "",
        "created": now(),
    }
    new: int = connection.execute(insert(_match).values(values).returning(_match.c.id)).scalar_one()
    index_bots(connection, [(new, seats)])
    connection.execute(update(_match).where(_match.c.id == row.id).values(replaced_by=new))
    return new
