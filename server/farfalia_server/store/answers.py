"""The answers of calls that are made again with the same key, for a day: nobody else's, and none that can be read here.

An answer may hold a new token, of which the store keeps only a hash elsewhere: it comes encrypted, by the key that the
caller alone has.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, delete, select, update

from farfalia_server.net.wall_clock import now
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

#: How long an answer is kept, and how long a call may take before another one with its key is made.
KEPT, TAKES = timedelta(days=1), timedelta(minutes=1)
_MOST_PER_LOOK: Final = 1000
_answer = schema.answer


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is known of an earlier call with the same key: what it asked for, and its answer, None before it has one."""

    request: bytes
    answer: bytes | None


class Answers(Part):
    """The answers of all calls that were made with a key."""

    async def begin(self, key: bytes, request: bytes) -> KeptAnswer | None:
        """Note that a call with this key begins; return what is known if one has begun before, else None."""
        moment = now()
        values = {"key": key, "request": request, "made": moment, "answer": None}

        def work(connection: Connection) -> KeptAnswer | None:
            over = (_answer.c.made < moment - KEPT) | (_answer.c.answer.is_(None) & (_answer.c.made < moment - TAKES))
            old = select(_answer.c.key).where(over).limit(_MOST_PER_LOOK)
            connection.execute(delete(_answer).where(_answer.c.key.in_(old)))
            if connection.execute(insert_into(connection, _answer).values(values).on_conflict_do_nothing()).rowcount:
                return None
            row = connection.execute(select(_answer).where(_answer.c.key == key)).one()
            return KeptAnswer(row.request, row.answer)

        return await self._database.write(work)

    async def keep(self, key: bytes, answer: bytes) -> None:
        """Keep the answer of the call that began with this key."""
        statement = update(_answer).where(_answer.c.key == key).values(answer=answer)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def forget(self, key: bytes) -> None:
        """Forget a call that was refused: it changed nothing, and may be made again."""
        statement = delete(_answer).where(_answer.c.key == key)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)
