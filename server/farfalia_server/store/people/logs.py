"""What authors may read about their bots: the log lines that they sent, and their incidents."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, insert, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.search import WantedMatches, of_match
from farfalia_server.store.part import Part
from farfalia_server.store.people.values import BotIncident, LogEntry, NewLogLine
from farfalia_server.store.sql import schema

#: Log lines that are kept per bot: the newest.
LINES = 1000
_ANY = WantedMatches()


class Logs(Part):
    """Log lines and incidents."""

    async def add(self, bot_id: int, lines: Sequence[NewLogLine]) -> None:
        """Store lines of a bot, and delete all but its newest `LINES`."""
        if not lines:
            return
        table, time = schema.bot_log, now()
        rows = [
            {"bot_id": bot_id, "time": time, "match_id": line.match_id, "text": line.text, "question": line.question}
            for line in lines[-LINES:]
        ]
        newest = select(table.c.id).where(table.c.bot_id == bot_id).order_by(table.c.id.desc())
        oldest_kept = newest.offset(LINES).limit(1).scalar_subquery()

        def add(connection: Connection) -> None:
            connection.execute(insert(table), rows)
            connection.execute(delete(table).where(table.c.bot_id == bot_id, table.c.id <= oldest_kept))

        await self._database.write(add)

    async def newest(self, bot_id: int, limit: int = 100) -> list[LogEntry]:
        """Return lines of a bot, newest first."""
        table = schema.bot_log
        return await self._entries(select(table).filter_by(bot_id=bot_id).order_by(table.c.id.desc()).limit(limit))

    async def of_match(self, bot_id: int, match_id: int) -> list[LogEntry]:
        """Return the lines of a bot about a match, oldest first."""
        table = schema.bot_log
        return await self._entries(select(table).filter_by(bot_id=bot_id, match_id=match_id).order_by(table.c.id))

    async def _entries(self, statement: Select[Any]) -> list[LogEntry]:
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [LogEntry(row.bot_id, row.time, row.match_id, row.text, row.question) for row in rows]

    async def incidents(self, bot_id: int | None, limit: int = 100, wanted: WantedMatches = _ANY) -> list[BotIncident]:
        """Return incidents of a bot, or of all for None, in finished matches, newest first, of those matches that are
        wanted; without their text while the board is in play.
        """
        table, seat = schema.incident, schema.seat_result
        of_seat = and_(seat.c.match_id == table.c.match_id, seat.c.seat == table.c.seat)
        statement = (
            select(table, seat.c.version, boards.OPEN.label("text_open"))
            .join_from(table, schema.match)
            .join_from(table, seat, of_seat, isouter=True)
            .where(*of_match(wanted))
            .order_by(table.c.id.desc())
            .limit(limit)
        )
        if bot_id is not None:
            statement = statement.where(table.c.bot_id == bot_id)
        if wanted.version:
            statement = statement.where(seat.c.version == wanted.version)
        return [
            BotIncident(
                row.bot_id,
                row.match_id,
                row.seat,
                row.action_index,
                row.cause,
                row.strikes,
                row.taken_over,
                row.text if row.text_open else "",
                bool(row.text_open),
                row.version or "",
            )
            for row in await self._database.read(lambda connection: connection.execute(statement).all())
        ]
