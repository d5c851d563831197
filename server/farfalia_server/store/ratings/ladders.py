"""Ladders: games for which connected bots are seated, and on which matches count."""

from typing import Any

from sqlalchemy import Connection, Row, bindparam, or_, select, update

from farfalia_engine import TimeControl
from farfalia_server.contract.bounds import LADDER_NAME
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.matches.rows import from_time_control
from farfalia_server.store.matches.values import ACTIVE, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.ratings.values import Ladder
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

_ladder = schema.ladder
#: Needed whenever matches are rated, so it is built once.
_FIND = select(_ladder).where(_ladder.c.name == bindparam("wanted"))
#: The bots that have matches of a tournament to play.
WANTED = (
    select(schema.match_bot.c.bot_id)
    .join(schema.match)
    .where(schema.match.c.tournament_id.is_not(None), schema.match.c.state.in_(ACTIVE))
    .distinct()
)


class Ladders(Part):
    """Ladders, open or closed."""

    async def open(self, ladder: Ladder, who: str = "") -> Ladder:
        """Open a ladder, also one that was closed; FailedPrecondition if it is open, or if it is of another game."""
        values = {
            "ruleset": ladder.ruleset,
            "options": dict(ladder.options),
            "time_control": from_time_control(ladder.time_control),
            "tables": ladder.tables,
            "siblings": ladder.siblings,
            "fill": ladder.fill,
            "rungs": list(ladder.rungs) or None,
            "as_played": ladder.as_played,
            "event": ladder.event,
            "opened": now(),
            "closed": None,
        }

        def work(connection: Connection) -> Ladder:
            statement = insert_into(connection, _ladder).values(name=ladder.name, **values)
            again = statement.on_conflict_do_update(
                index_elements=["name"],
                set_=values,
                where=_ladder.c.closed.is_not(None)
                & (_ladder.c.ruleset == ladder.ruleset)
                & (_ladder.c.event == ladder.event),
            )
            row = connection.execute(again.returning(_ladder)).first()
            if row is not None:
                log_of_event(connection, ladder.event, Act.OPEN_LADDER, who, ladder.name)
                return _to_ladder(row)
            kept = connection.execute(select(_ladder).filter_by(name=ladder.name)).one()
            if kept.ruleset != ladder.ruleset:
                text = said(
                    "the ladder %(ladder)s is of %(ruleset)s; expected another name for one of %(other)s",
                    ladder=ladder.name,
                    ruleset=kept.ruleset,
                    other=ladder.ruleset,
                )
                raise FailedPrecondition(text, "LADDER_OF_ANOTHER_GAME")
            if kept.event != ladder.event:
                text = said(
                    "the ladder %(ladder)s is of the event %(event)s; expected another name",
                    ladder=ladder.name,
                    event=kept.event,
                )
                raise FailedPrecondition(text, "LADDER_OF_ANOTHER_EVENT")
            raise FailedPrecondition(
                said("the ladder %(ladder)s is open; close it first", ladder=ladder.name), "LADDER_OPEN"
            )

        return await self._database.write(work)

    async def ensure(self, name: str, ruleset: str, event: str, control: TimeControl) -> None:
        """Make a ladder that is closed, for matches of tournaments, unless there is one of that name."""
        moment, clock = now(), from_time_control(control)
        values = {"name": name, "ruleset": ruleset, "event": event, "options": {}, "time_control": clock}
        closed = {"tables": 1, "siblings": False, "fill": False, "opened": moment, "closed": moment}
        await self._database.write(
            lambda connection: connection.execute(
                insert_into(connection, _ladder).values(values | closed).on_conflict_do_nothing()
            )
        )

    async def find(self, name: str) -> Ladder | None:
        """Return the ladder of that name, open or closed; None if there is none."""
        if not LADDER_NAME.fullmatch(name):
            return None
        row = await self._database.read(lambda connection: connection.execute(_FIND, {"wanted": name}).first())
        return None if row is None else _to_ladder(row)

    async def event(self, name: str) -> str:
        """Return the event of a ladder, the public arena if there is no such ladder."""
        found = await self.find(name)
        return ARENA if found is None else found.event

    async def of_event(self, event: str) -> list[str]:
        """Return the names of an event's ladders, open or closed, in order."""
        statement = select(_ladder.c.name).where(_ladder.c.event == event).order_by(_ladder.c.name)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def close(self, name: str, who: str = "") -> None:
        """Seat nobody on a ladder any more; FailedPrecondition if it is not open."""
        statement = (
            update(_ladder)
            .where(_ladder.c.name == name, _ladder.c.closed.is_(None))
            .values(closed=now())
            .returning(_ladder.c.event)
        )

        def work(connection: Connection) -> None:
            event = connection.execute(statement).scalar()
            if event is None:
                raise FailedPrecondition(said("the ladder %(name)s is not open", name=name), "LADDER_NOT_OPEN")
            log_of_event(connection, event, Act.CLOSE_LADDER, who, name)

        await self._database.write(work)

    async def all(self) -> list[Ladder]:
        """Return the ladders that are open, by name."""
        statement = select(_ladder).where(_ladder.c.closed.is_(None)).order_by(_ladder.c.name)
        return await self._database.read(lambda connection: list(map(_to_ladder, connection.execute(statement))))

    async def games(self) -> dict[str, str]:
        """Return the rulesets of all ladders that have ever been open, by name."""
        statement = select(_ladder.c.name, _ladder.c.ruleset)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.name: row.ruleset for row in rows}

    async def seated(self) -> dict[str, dict[int, list[int]]]:
        """Return the queued and running matches of ladders, by ladder: the bots of each match by its number; under an
        empty name those in play that count on none.
        """
        # Not through `match_bot`, which has rows for all matches ever played, and no order by match.
        table = schema.match
        statement = select(table.c.ladder, table.c.id, table.c.seats).where(
            table.c.tournament_id.is_(None),
            or_(table.c.ladder != "", table.c.state == MatchState.RUNNING),
            table.c.state.in_(ACTIVE),
        )
        matches: dict[str, dict[int, list[int]]] = {}
        for row in await self._database.read(lambda connection: connection.execute(statement).all()):
            matches.setdefault(row.ladder, {})[row.id] = [seat["bot"] for seat in row.seats]
        return matches

    async def wanted(self) -> set[int]:
        """Return the bots that have tournament matches to play now; these go before ladder matches."""
        return await self._database.read(lambda connection: set(connection.execute(WANTED).scalars()))


def _to_ladder(row: Row[*tuple[Any, ...]]) -> Ladder:
    return Ladder(
        name=row.name,
        ruleset=row.ruleset,
        options=row.options,
        time_control=TimeControl(**row.time_control),
        tables=row.tables,
        siblings=row.siblings,
        fill=row.fill,
        event=row.event,
        rungs=tuple(row.rungs or ()),
        as_played=row.as_played,
        opened=row.opened,
        closed=row.closed,
    )
