"""Whom the cards of finished matches favoured: derived from their records, kept since it takes time to compute."""

from collections.abc import Collection, Sequence

from sqlalchemy import select, update

from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema


class Favours(Part):
    """By how many thousandths of a point the cards of each seat favoured each other seat, by match."""

    async def of(self, match_ids: Collection[int]) -> dict[int, list[list[int]]]:
        """Return those of these matches for which they are known; an empty list where nothing can be known."""
        table = schema.record
        statement = select(table.c.match_id, table.c.favours).where(
            table.c.match_id.in_(match_ids), table.c.favours.is_not(None)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.match_id: row.favours for row in rows}

    async def keep(self, match_id: int, favours: Sequence[Sequence[int]]) -> None:
        """Keep those of a match."""
        table = schema.record
        statement = update(table).where(table.c.match_id == match_id).values(favours=[list(row) for row in favours])
        await self._database.write(lambda connection: connection.execute(statement))
