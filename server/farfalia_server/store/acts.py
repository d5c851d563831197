"""The log of the arena: what people, and the server by itself, did and decided, when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, func, insert, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.part import Part
from farfalia_server.store.sql import schema

_act = schema.act


class Act(StrEnum):
    """What the log has."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    VOID = "void"
    REPLAY = "replay"
    ENTER = "enter"
    WITHDRAW = "withdraw"
    CANCEL = "cancel"
    FINISH = "finish"
    CREATE = "create"
    CHANGE = "change"
    PUBLISH = "publish"
    CLOSE = "close"
    JOIN = "join"
    SET_MEMBER = "set member"
    REMOVE_MEMBER = "remove member"
    INVITE = "invite"
    END_INVITATION = "end invitation"
    OPEN_LADDER = "open ladder"
    CLOSE_LADDER = "close ladder"
    REVOKE_ACCOUNT = "revoke account"
    SET_PASSWORD = "set password"  # noqa: S105 - no password
    ROTATE_TOKEN = "rotate token"  # noqa: S105
    SUSPEND = "suspend"
    LET_BACK = "let back"
    HIDE = "hide"
    SHOW = "show"
    RENAME = "rename"
    REMOVE = "remove"
    STRIKE = "strike"
    SCHEDULE = "schedule"
    ANNOUNCE = "announce"
    RETRACT = "retract"
    REPLACE = "replace"
    LINK_PASSWORD = "link password"  # noqa: S105
    CREATE_TOKEN = "create token"  # noqa: S105
    REVOKE_TOKEN = "revoke token"  # noqa: S105
    SET_EMAIL = "set email"


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An entry in the log; `who` is empty for the server by itself, `subject` for the whole event or tournament."""

    id: int
    act: Act
    who: str
    subject: str
    reason: str
    happened: datetime
    event: str = ARENA
    tournament_id: int = 0


class Acts(Part):
    """The log; each entry is written in the transaction of the act itself."""

    async def of(self, tournament_id: int, limit: int = 1000) -> list[LoggedAct]:
        """Return the newest entries of a tournament, oldest first; empty if there is no such tournament."""
        return await self.page(limit, tournament_id=tournament_id)

    async def page(
        self, limit: int, *, tournament_id: int = 0, event: str = "", who: str = "", before: int = 0
    ) -> list[LoggedAct]:
        """Return the newest entries, oldest first: of a tournament, of an event, of what somebody did, or all."""
        statement = select(_act).order_by(_act.c.id.desc()).limit(limit)
        for column, value in ((_act.c.tournament_id, tournament_id), (_act.c.event, event), (_act.c.who, who)):
            if value:
                statement = statement.where(column == value)
        if before:
            statement = statement.where(_act.c.id < before)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [
            LoggedAct(
                row.id,
                Act(row.act),
                row.who,
                row.subject,
                row.reason,
                row.happened,
                row.event,
                row.tournament_id or 0,
            )
            for row in reversed(rows)
        ]

    async def newest(self, tournament_id: int) -> int:
        """Return the number of the newest entry of a tournament; 0 if there is none."""
        statement = select(func.max(_act.c.id)).filter_by(tournament_id=tournament_id)
        return await self._database.read(lambda connection: connection.execute(statement).scalar_one()) or 0


def subject_of_bot(name: str) -> str:
    """Return what the log of the arena calls a bot: an account may have the same name."""
    return f"bot {name}"


def instead_of(name: str) -> str:
    """Return what the log says as the reason of an entrant that takes over another one's entry."""
    return f"instead of {name}"


def log_act(
    connection: Connection, tournament_id: int, act: Act, who: str = "", subject: str = "", reason: str = ""
) -> None:
    """Add an entry about a tournament; an empty `who` is the server by itself."""
    of_tournament = select(schema.tournament.c.event).where(schema.tournament.c.id == tournament_id)
    event = connection.execute(of_tournament).scalar() or ARENA
    _add(connection, act, who, event, subject, reason, tournament_id)


def log_of_event(connection: Connection, event: str, act: Act, who: str, subject: str = "", reason: str = "") -> None:
    """Add an entry about an event, or about the arena; nothing is logged of what nobody in particular did."""
    if who:
        _add(connection, act, who, event, subject, reason)


def _add(
    connection: Connection, act: Act, who: str, event: str, subject: str, reason: str, tournament: int | None = None
) -> None:
    values = {"event": event, "tournament_id": tournament, "act": act, "who": who, "subject": subject}
    connection.execute(insert(_act).values(values | {"reason": reason, "happened": now()}))
