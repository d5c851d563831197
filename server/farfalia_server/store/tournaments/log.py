"""The log of a tournament: what people, and the server by itself, decided about it, when and why."""

from sqlalchemy import Connection, func, insert, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.tournaments.values import Act, TournamentAct

_log = schema.tournament_log


class TournamentLog(Part):
    """The logs of tournaments; each entry is written in the transaction of the act itself."""

    async def of(self, tournament_id: int, limit: int = 1000) -> list[TournamentAct]:
        """Return the newest entries of a tournament, oldest first; empty if there is no such tournament."""
        statement = select(_log).filter_by(tournament_id=tournament_id).order_by(_log.c.id.desc()).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [
            TournamentAct(row.id, Act(row.act), row.who, row.subject, row.reason, row.happened)
            for row in reversed(rows)
        ]

    async def newest(self, tournament_id: int) -> int:
        """Return the number of the newest entry; 0 if there is none."""
        statement = select(func.max(_log.c.id)).filter_by(tournament_id=tournament_id)
        return await self._database.read(lambda connection: connection.execute(statement).scalar_one()) or 0


def log_act(
    connection: Connection, tournament_id: int, act: Act, who: str = "", subject: str = "", reason: str = ""
) -> None:
    """Add an entry; an empty `who` is the server by itself, an empty `subject` the whole tournament."""
    values = {"tournament_id": tournament_id, "act": act, "who": who, "subject": subject, "reason": reason}
    connection.execute(insert(_log), values | {"happened": now()})
