"""Ladders fitted as a whole, as they were made last."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import insert, select

from farfalia_server.store import schema
from farfalia_server.store.database import Database
from farfalia_server.store.values import Refit

_REFIT_LOCK = 0x52454649


class Refits:
    """What was fitted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, ladder: str) -> dict[tuple[int, str], Refit]:
        """What was fitted of a ladder, by bot and version."""
        table = schema.refit
        async with self._database.read() as connection:
            rows = await connection.execute(select(table).filter_by(ladder=ladder))
            return {(row.bot_id, row.version): Refit(**row._mapping) for row in rows}

    async def replace(self, ladder: str, refits: Sequence[Refit]) -> None:
        """Puts a new fit of a ladder in the place of the last one."""
        table = schema.refit
        async with self._database.write() as connection:
            await connection.run_sync(self._database.lock, _REFIT_LOCK)
            await connection.execute(table.delete().where(table.c.ladder == ladder))
            if refits:
                await connection.execute(insert(table), [asdict(one) for one in refits])
