"""The members of events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, delete, insert, or_, select

from farfalia_server.contract.errors import FailedPrecondition, NotFound, PermissionDenied
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.acts import Act, log_of_event
from farfalia_server.store.changes import Topic
from farfalia_server.store.events.events import open_event
from farfalia_server.store.events.values import ARENA, ConnectionCap, Event, EventCaps, Member, MemberRole
from farfalia_server.store.part import Part
from farfalia_server.store.people.invitations import redeem
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

_T = TypeVar("_T")
_member, _account, _event, _bot = schema.event_member, schema.account, schema.event, schema.bot
_MEMBERS = select(_member, _account.c.name).join_from(_member, _account)


class Members(Part):
    """Who is in which event."""

    async def join(self, event: str, account: int, who: str, code: str = "") -> Member:
        """Make an account a member; may be repeated. `code` is that of an invitation to the event, which loses one use.

        Raises NotFound; FailedPrecondition (EVENT_CLOSED, EVENT_NOT_OPEN, EVENT_REGISTRATION_CLOSED); PermissionDenied
        (INVITATION_MISSING, INVITATION_INVALID).
        """

        def work(connection: Connection) -> Member:
            found = open_event(connection, event)
            known = connection.execute(_MEMBERS.where(_is(event, account))).first()
            if known is not None:
                return _to_member(known)
            _check_open(found)
            if found.by_invitation and not code:
                raise PermissionDenied(
                    said("the event %(event)s takes members by invitation; give a code", event=event),
                    "INVITATION_MISSING",
                )
            if found.by_invitation:
                redeem(connection, code, event)
            add_member(connection, event, account)
            log_of_event(connection, event, Act.JOIN, who)
            return _to_member(connection.execute(_MEMBERS.where(_is(event, account))).one())

        return await self._told(work)

    async def set(self, event: str, account: int, role: MemberRole, team: str, who: str) -> Member:
        """Make an account a member with this role and team, or change it; FailedPrecondition if the event is closed, or
        would have no organiser left.
        """

        def work(connection: Connection) -> Member:
            open_event(connection, event)
            statement = insert_into(connection, _member).values(
                event=event, account_id=account, role=role, team=team, joined=now()
            )
            changed = {"role": role, "team": team}
            connection.execute(statement.on_conflict_do_update(index_elements=["event", "account_id"], set_=changed))
            _check_organised(connection, event)
            member = _to_member(connection.execute(_MEMBERS.where(_is(event, account))).one())
            said = f"{role}, team {team}" if team else str(role)
            log_of_event(connection, event, Act.SET_MEMBER, who, member.name, said)
            return member

        return await self._told(work)

    async def remove(self, event: str, account: int, who: str) -> None:
        """Take an account out of an event; NotFound, FailedPrecondition as above. Its bots stay in tournaments."""

        def work(connection: Connection) -> None:
            open_event(connection, event)
            name = connection.execute(select(_account.c.name).where(_account.c.id == account)).scalar_one()
            if not connection.execute(delete(_member).where(_is(event, account))).rowcount:
                raise NotFound(said("%(name)s is no member of %(event)s", name=name, event=event), "MEMBER_UNKNOWN")
            log_of_event(connection, event, Act.REMOVE_MEMBER, who, name)
            _check_organised(connection, event)

        await self._told(work)

    async def of(self, event: str) -> list[Member]:
        """Return the members of an event, by name."""
        statement = _MEMBERS.where(_member.c.event == event).order_by(_account.c.name)
        return await self._database.read(lambda connection: list(map(_to_member, connection.execute(statement))))

    async def role(self, event: str, account: int) -> MemberRole | None:
        """Return what an account may do in an event; None if it is no member."""
        statement = select(_member.c.role).where(_is(event, account))
        found = await self._database.read(lambda connection: connection.execute(statement).scalar())
        return None if found is None else MemberRole(found)

    async def of_account(self, account: int) -> list[Member]:
        """Return an account's memberships, by event."""
        statement = _MEMBERS.where(_member.c.account_id == account).order_by(_member.c.event)
        return await self._database.read(lambda connection: list(map(_to_member, connection.execute(statement))))

    async def connection_caps(self, account: int) -> list[ConnectionCap]:
        """Return the caps of connections that hold for the bots of an account: the arena's, and those of its events."""
        mine = (_member.c.event == _event.c.name) & (_member.c.account_id == account)
        capped = (
            select(_event.c.name, _event.c.caps, _member.c.team)
            .outerjoin(_member, mine)
            .where(_event.c.closed.is_(None), or_(_event.c.name == ARENA, _member.c.account_id.is_not(None)))
            .order_by(_event.c.name)
        )

        def read(connection: Connection) -> list[ConnectionCap]:
            rows = [(row, EventCaps(**row.caps).connections) for row in connection.execute(capped)]
            return [
                ConnectionCap(row.name, most, row.team or "", _bots(connection, account, row.name, row.team or ""))
                for row, most in rows
                if most
            ]

        return await self._database.read(read)

    async def _told(self, work: Callable[[Connection], _T]) -> _T:
        """Write something, and tell of it."""
        done = await self._database.write(work)
        self._changes.tell(Topic.EVENT, 0)
        return done


def _bots(connection: Connection, account: int, event: str, team: str) -> dict[int, str]:
    """Return the bots of an account, or of all members of its team in an event; names by number."""
    members = select(_member.c.account_id).where(_member.c.event == event, _member.c.team == team)
    whose = _bot.c.account_id.in_(members) if team else _bot.c.account_id == account
    statement = select(_bot.c.id, _bot.c.name).where(whose, _bot.c.removed.is_(None), _bot.c.house == "")
    return {row.id: row.name for row in connection.execute(statement.order_by(_bot.c.name))}


def add_member(connection: Connection, event: str, account: int) -> None:
    """Make an account a member, in the caller's transaction."""
    values = {"event": event, "account_id": account, "role": MemberRole.MEMBER, "team": "", "joined": now()}
    connection.execute(insert(_member).values(values))


def _check_open(event: Event) -> None:
    """Check that an event takes members now."""
    moment, times = now(), event.times
    if event.published is None or (times.opens is not None and moment < times.opens):
        text = said("the event %(event)s takes no members yet", event=event.name)
        if event.published and times.opens:
            text = said(
                "the event %(event)s takes no members yet; it opens at %(opens)s UTC",
                event=event.name,
                opens=f"{times.opens:%Y-%m-%d %H:%M}",
            )
        raise FailedPrecondition(text, "EVENT_NOT_OPEN")
    if times.closes is not None and moment >= times.closes:
        text = said(
            "registration for %(event)s closed at %(closes)s UTC",
            event=event.name,
            closes=f"{times.closes:%Y-%m-%d %H:%M}",
        )
        raise FailedPrecondition(text, "EVENT_REGISTRATION_CLOSED")


def _check_organised(connection: Connection, event: str) -> None:
    """Check that somebody is left who runs an event; the public arena is run by the arena's organisers."""
    organisers = select(_member.c.account_id).where(_member.c.event == event, _member.c.role == MemberRole.ORGANISER)
    if event != ARENA and connection.execute(organisers.limit(1)).first() is None:
        raise FailedPrecondition(
            said("the event %(event)s would have no organiser left", event=event), "LAST_ORGANISER"
        )


def _is(event: str, account: int) -> Any:
    return (_member.c.event == event) & (_member.c.account_id == account)


def _to_member(row: Row[*tuple[Any, ...]]) -> Member:
    return Member(row.event, row.account_id, row.name, MemberRole(row.role), row.team, row.joined)
