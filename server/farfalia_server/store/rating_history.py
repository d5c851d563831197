"""The history of ratings, for charts. Each query uses an index and has a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, union_all

from farfalia_server.store import schema
from farfalia_server.store.database import Database
from farfalia_server.store.rating_values import RatingChange
from farfalia_server.store.rows import to_rating_change

#: Queries in one compound statement; SQLite takes at most 500.
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class DatedRatingChange:
    """The change of a rating by one match, and when that match ended."""

    change: RatingChange
    finished: datetime | None


class RatingHistory:
    """The changes of ratings by matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def trends(self, ladder: str, bot_ids: Collection[int], limit: int) -> dict[int, list[float]]:
        """Return mu after each of the last `limit` rated matches of these bots on a ladder, oldest first."""
        table, found = schema.rating_event, dict[int, list[float]]()
        wanted = sorted(bot_ids)
        async with self._database.read() as connection:
            for first in range(0, len(wanted), _AT_ONCE):
                newest = [
                    select(table.c.bot_id, table.c.seq, table.c.mu_after)
                    .where(table.c.bot_id == bot_id, table.c.ladder == ladder)
                    .order_by(table.c.seq.desc())
                    .limit(limit)
                    .subquery()
                    for bot_id in wanted[first : first + _AT_ONCE]
                ]
                every = union_all(*(select(one) for one in newest)).subquery()
                for row in await connection.execute(select(every).order_by(every.c.seq)):
                    found.setdefault(row.bot_id, []).append(row.mu_after)
        return found

    async def ends(self, places: Iterable[int]) -> dict[int, datetime]:
        """Return when matches ended, by their position in the rating order."""
        table = schema.match
        statement = select(table.c.rating_seq, table.c.finished).where(table.c.rating_seq.in_(set(places)))
        async with self._database.read() as connection:
            return {row.rating_seq: row.finished for row in await connection.execute(statement)}

    async def newest(self, bot_id: int, ladder: str, limit: int) -> list[DatedRatingChange]:
        """Return the last `limit` changes of a bot's ratings on a ladder, oldest first."""
        table, match = schema.rating_event, schema.match
        statement = (
            select(table, match.c.finished)
            .join_from(table, match)
            .where(table.c.bot_id == bot_id, table.c.ladder == ladder)
            .order_by(table.c.seq.desc())
            .limit(limit)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return [DatedRatingChange(to_rating_change(row), row.finished) for row in reversed(rows)]
