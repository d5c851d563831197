"""Open ladders: games for which connected bots are seated."""

from typing import Any

from sqlalchemy import Row, delete, insert, select
from sqlalchemy.exc import IntegrityError

from farfalia_engine import TimeControl
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches.rows import from_time_control
from farfalia_server.store.matches.values import ACTIVE
from farfalia_server.store.part import Part
from farfalia_server.store.ratings.values import Ladder
from farfalia_server.store.sql import schema

#: The bots that have matches of a tournament to play.
WANTED = (
    select(schema.match_bot.c.bot_id)
    .join(schema.match)
    .where(schema.match.c.tournament_id.is_not(None), schema.match.c.state.in_(ACTIVE))
    .distinct()
)


class Ladders(Part):
    """Open ladders; each has the name of its ruleset."""

    async def open(self, ladder: Ladder) -> Ladder:
        """Store it; FailedPrecondition if the ladder of this game is open."""
        values = {
            "ruleset": ladder.ruleset,
            "options": dict(ladder.options),
            "time_control": from_time_control(ladder.time_control),
            "tables": ladder.tables,
            "siblings": ladder.siblings,
            "fill": ladder.fill,
            "opened": now(),
        }
        statement = insert(schema.ladder).values(values).returning(schema.ladder)
        try:
            return _to_ladder(await self._database.write(lambda connection: connection.execute(statement).one()))
        except IntegrityError:
            raise FailedPrecondition(f"the ladder of {ladder.ruleset} is open; close it first", "LADDER_OPEN") from None

    async def close(self, ruleset: str) -> None:
        """Remove it; FailedPrecondition if it is not open."""
        statement = delete(schema.ladder).where(schema.ladder.c.ruleset == ruleset)
        if not await self._database.write(lambda connection: connection.execute(statement).rowcount):
            raise FailedPrecondition(f"the ladder of {ruleset} is not open", "LADDER_NOT_OPEN")

    async def all(self) -> list[Ladder]:
        """Return the ladders that are open, by ruleset."""
        statement = select(schema.ladder).order_by(schema.ladder.c.ruleset)
        return await self._database.read(lambda connection: list(map(_to_ladder, connection.execute(statement))))

    async def seated(self) -> dict[str, dict[int, list[int]]]:
        """Return the queued and running matches of ladders, by ruleset: the bots of each match by its number."""
        # Not through `match_bot`, which has rows for all matches ever played, and no order by match.
        table = schema.match
        statement = select(table.c.ruleset, table.c.id, table.c.seats).where(
            table.c.tournament_id.is_(None), table.c.state.in_(ACTIVE)
        )
        matches: dict[str, dict[int, list[int]]] = {}
        for row in await self._database.read(lambda connection: connection.execute(statement).all()):
            matches.setdefault(row.ruleset, {})[row.id] = [seat["bot"] for seat in row.seats]
        return matches

    async def wanted(self) -> set[int]:
        """Return the bots that have tournament matches to play now; these go before ladder matches."""
        return await self._database.read(lambda connection: set(connection.execute(WANTED).scalars()))


def _to_ladder(row: Row[*tuple[Any, ...]]) -> Ladder:
    return Ladder(
        ruleset=row.ruleset,
        options=row.options,
        time_control=TimeControl(**row.time_control),
        tables=row.tables,
        siblings=row.siblings,
        fill=row.fill,
        opened=row.opened,
    )
