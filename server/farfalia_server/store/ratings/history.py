"""The history of ratings, for charts. Each query uses an index and has a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, func, select

from farfalia_server.store.matches.search import WantedMatches, of_match
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

_event, _earlier = schema.rating_event, schema.rating_event.alias("earlier")
#: The last events of a bot on a ladder: of each bot, only its own newest are read.
_FIRST_SHOWN = (
    select(_earlier.c.seq)
    .where(_earlier.c.bot_id == schema.bot.c.id, _earlier.c.ladder == bindparam("of"))
    .order_by(_earlier.c.seq.desc())
    .limit(1)
    .offset(bindparam("before"))
    .scalar_subquery()
)
_TRENDS = (
    select(_event.c.bot_id, _event.c.mu_after)
    .join_from(
        schema.bot,
        _event,
        and_(
            _event.c.bot_id == schema.bot.c.id,
            _event.c.ladder == bindparam("of"),
            _event.c.seq >= func.coalesce(_FIRST_SHOWN, 0),
        ),
    )
    .where(schema.bot.c.id.in_(bindparam("bots", expanding=True)))
    .order_by(_event.c.bot_id, _event.c.seq)
)


@dataclass(frozen=True, slots=True)
class PastRating:
    """The rating of a version after one match, and when that match ended."""

    match_id: int
    version: str
    mu: float
    sigma: float
    finished: datetime | None


class RatingHistory(Part):
    """The changes of ratings by matches."""

    async def trends(self, ladder: str, bot_ids: Collection[int], limit: int) -> dict[int, list[float]]:
        """Return mu after each of the last `limit` rated matches of these bots on a ladder, oldest first."""
        asked = {"of": ladder, "bots": sorted(bot_ids), "before": limit - 1}
        found: dict[int, list[float]] = {}
        for bot_id, mu in await self._database.read(lambda connection: connection.execute(_TRENDS, asked).all()):
            found.setdefault(bot_id, []).append(mu)
        return found

    async def ends(self, places: Iterable[int]) -> dict[int, datetime]:
        """Return when matches ended, by their position in the rating order."""
        table = schema.match
        statement = select(table.c.rating_seq, table.c.finished).where(table.c.rating_seq.in_(set(places)))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.rating_seq: row.finished for row in rows}

    async def newest(self, bot_id: int, ladder: str, limit: int, wanted: WantedMatches) -> list[PastRating]:
        """Return a bot's ratings after its last `limit` rated matches on a ladder, oldest first, among those matches
        that are wanted.
        """
        table, match = schema.rating_event, schema.match
        statement = (
            select(table.c.match_id, table.c.version, table.c.mu_after, table.c.sigma_after, match.c.finished)
            .join_from(table, match)
            .where(table.c.bot_id == bot_id, table.c.ladder == ladder, *of_match(wanted))
            .order_by(table.c.seq.desc())
            .limit(limit)
        )
        if wanted.version:
            statement = statement.where(table.c.version == wanted.version)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [PastRating(*row) for row in reversed(rows)]
