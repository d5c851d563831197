"""The ratings of the last whole-history fit of each ladder."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, insert, select

from farfalia_server.store.part import Part
from farfalia_server.store.ratings.values import FittedRating
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import lock

_FIT_LOCK = 0x46495454


class FittedRatings(Part):
    """Fitted ratings, by ladder."""

    async def of(self, ladder: str, bot_ids: Iterable[int] | None = None) -> dict[tuple[int, str], FittedRating]:
        """Return the fitted ratings of these bots, or of all, on a ladder, by bot and version."""
        table = schema.fitted_rating
        statement = select(table).filter_by(ladder=ladder)
        if bot_ids is not None:
            statement = statement.where(table.c.bot_id.in_(set(bot_ids)))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {(row.bot_id, row.version): FittedRating(**row._mapping) for row in rows}

    async def replace(self, ladder: str, fitted: Sequence[FittedRating]) -> None:
        """Replace the fitted ratings of a ladder."""
        table = schema.fitted_rating

        def replace(connection: Connection) -> None:
            lock(connection, _FIT_LOCK)
            connection.execute(table.delete().where(table.c.ladder == ladder))
            if fitted:
                connection.execute(insert(table), [asdict(one) for one in fitted])

        await self._database.write(replace)
