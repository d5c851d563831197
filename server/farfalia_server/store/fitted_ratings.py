"""The ratings of the last whole-history fit of each ladder."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import insert, select

from farfalia_server.store import schema
from farfalia_server.store.database import Database
from farfalia_server.store.rating_values import FittedRating

_FIT_LOCK = 0x46495454


class FittedRatings:
    """Fitted ratings, by ladder."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, ladder: str) -> dict[tuple[int, str], FittedRating]:
        """Return the fitted ratings of a ladder, by bot and version."""
        table = schema.fitted_rating
        async with self._database.read() as connection:
            rows = await connection.execute(select(table).filter_by(ladder=ladder))
            return {(row.bot_id, row.version): FittedRating(**row._mapping) for row in rows}

    async def replace(self, ladder: str, fitted: Sequence[FittedRating]) -> None:
        """Replace the fitted ratings of a ladder."""
        table = schema.fitted_rating
        async with self._database.write() as connection:
            await connection.run_sync(self._database.lock, _FIT_LOCK)
            await connection.execute(table.delete().where(table.c.ladder == ladder))
            if fitted:
                await connection.execute(insert(table), [asdict(one) for one in fitted])
