"""Which matches are analysed: those that somebody has asked for first, then the newest ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, case, exists, func, insert, literal_column, select, update

from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches import boards
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into, lock

_analysis, _match = schema.analysis, schema.match
_DAY: Final = timedelta(days=1)
#: Matches that nobody has asked for are analysed if they are among as many that ended last.
NEWEST: Final = 1000
#: How often the analysis of a match begins: what ends its process every time is given up.
MOST_TRIES: Final = 3
#: Number of the advisory lock that those who ask for analyses take: any that nothing else in this database uses.
_ASKING: Final = 0x50524943


class AnalysisState(StrEnum):
    """How far the analysis of a match is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SpentTime:
    """Seconds of CPU that analyses have taken: all of them, and those for which nobody had asked."""

    together: float
    unasked: float


class Analyses(Part):
    """The analyses of matches, by match."""

    async def state(self, match_id: int) -> AnalysisState | None:
        """Return how far the analysis of a match is; None if nobody has asked for it and it has not begun."""
        statement = select(_analysis.c.state).where(_analysis.c.match_id == match_id)
        found = await self._database.read(lambda connection: connection.execute(statement).scalar())
        return None if found is None else AnalysisState(found)

    async def ask(self, match_id: int, asker: str, most: int) -> AnalysisState:
        """Let a match be analysed before all those for which nobody has asked, and return how far it is then.

        ResourceExhausted (QUOTA_REACHED) if the asker has asked for as many as `most` within a day.
        """
        table, moment = _analysis, now()

        def work(connection: Connection) -> AnalysisState:
            lock(connection, _ASKING)
            known = connection.execute(select(table.c.state).where(table.c.match_id == match_id)).scalar()
            if known is not None:
                return AnalysisState(known)
            own = (table.c.asker == asker, table.c.asked > moment - _DAY)
            asked, oldest = connection.execute(select(func.count(), func.min(table.c.asked)).where(*own)).one()
            if asked >= most:
                wait = max(1.0, (oldest + _DAY - moment).total_seconds())
                text = said(
                    "you have asked for %(asked)s analyses within a day; try again in %(wait)s hours",
                    asked=asked,
                    wait=f"{wait / 3600:.1f}",
                )
                raise ResourceExhausted(text, "QUOTA_REACHED", retry=wait)
            values = {"match_id": match_id, "state": AnalysisState.WAITING, "asker": asker, "asked": moment}
            new = insert_into(connection, table).values(**values, tries=0, cpu=0.0).on_conflict_do_nothing()
            connection.execute(new)
            return AnalysisState.WAITING

        state = await self._database.write(work)
        self._changes.tell(Topic.ANALYSIS, match_id)
        return state

    async def next(self, *, unasked: bool) -> int | None:
        """Return the match to analyse next: one that was not finished, the oldest that somebody has asked for, or, if
        `unasked`, the last rated one to end that may be seen; None if there is none.
        """
        table = _analysis
        begun = select(table.c.match_id).where(table.c.state == AnalysisState.RUNNING)
        asked = select(table.c.match_id).where(table.c.state == AnalysisState.WAITING)
        statements = [
            (begun if unasked else begun.where(table.c.asker.is_not(None))).order_by(table.c.match_id).limit(1),
            asked.order_by(table.c.asked, table.c.match_id).limit(1),
        ]
        if unasked:
            statements.append(_UNASKED)

        def read(connection: Connection) -> int | None:
            found = (connection.execute(statement).scalar() for statement in statements)
            return next((one for one in found if one is not None), None)

        return await self._database.read(read)

    async def begin(self, match_id: int) -> bool:
        """Note that the analysis of a match begins; False, and it has failed, if it has begun too often."""
        table = _analysis

        def work(connection: Connection) -> bool:
            tries: int | None = connection.execute(select(table.c.tries).where(table.c.match_id == match_id)).scalar()
            if tries is None:
                new = {"match_id": match_id, "state": AnalysisState.RUNNING, "tries": 1, "cpu": 0.0}
                connection.execute(insert(table).values(new))
                return True
            begins = tries < MOST_TRIES
            values: dict[str, Any] = {"state": AnalysisState.RUNNING, "tries": tries + 1}
            if not begins:
                values = {"state": AnalysisState.FAILED, "ended": now()}
            connection.execute(update(table).where(table.c.match_id == match_id).values(values))
            return begins

        begins = await self._database.write(work)
        self._changes.tell(Topic.ANALYSIS, match_id)
        return begins

    async def fail(self, match_id: int, cpu: float) -> None:
        """Give the analysis of a match up, which took these seconds of CPU."""
        values = {"state": AnalysisState.FAILED, "cpu": cpu, "ended": now()}
        statement = update(_analysis).where(_analysis.c.match_id == match_id).values(values)
        await self._database.write(lambda connection: connection.execute(statement))
        self._changes.tell(Topic.ANALYSIS, match_id)

    async def spent_today(self) -> SpentTime:
        """Return how long the analyses took that have ended since midnight, UTC."""
        since = now().replace(hour=0, minute=0, second=0, microsecond=0)
        unasked = case((_analysis.c.asker.is_(None), _analysis.c.cpu), else_=0.0)
        columns = (func.coalesce(func.sum(_analysis.c.cpu), 0.0), func.coalesce(func.sum(unasked), 0.0))
        statement = select(*columns).where(_analysis.c.ended >= since)
        together, unasked_cpu = await self._database.read(lambda connection: connection.execute(statement).one())
        return SpentTime(together, unasked_cpu)


#: The last rated matches to end, the state literally, as in the index. The limit keeps the search short where all are
#: analysed.
_LAST = (
    select(_match.c.id, _match.c.finished)
    .where(_match.c.state == literal_column("'finished'"), _match.c.ladder != "", _match.c.finished.is_not(None))
    .order_by(_match.c.finished.desc(), _match.c.id.desc())
    .limit(NEWEST)
    .subquery()
)
_UNASKED = (
    select(_match.c.id)
    .join(_LAST, _LAST.c.id == _match.c.id)
    .where(~exists().where(_analysis.c.match_id == _match.c.id), boards.OPEN)
    .order_by(_LAST.c.finished.desc(), _match.c.id.desc())
    .limit(1)
)
