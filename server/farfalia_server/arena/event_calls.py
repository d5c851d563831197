"""The calls of events and their members."""

from __future__ import annotations

from dataclasses import replace

from farfalia.v1 import acts_pb2, events_pb2
from farfalia_server.arena.access import ORGANISERS, Caller
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.event_messages import (
    LONGEST_TEAM,
    MEMBER_ROLES,
    checked_event,
    checked_lines,
    event_message,
    member_message,
)
from farfalia_server.arena.request_checks import checked_number
from farfalia_server.arena.webhook_calls import WebhookCalls
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.validation import checked_text
from farfalia_server.play.play_service import bearer_token
from farfalia_server.store import ARENA, Account, Event, MemberRole, RatedOn


class EventCalls(WebhookCalls):
    """A part of the arena's service: events, and who is in them."""

    @errors_as_status
    async def CreateEvent(  # noqa: N802 - the contract's name
        self, request: events_pb2.CreateEventRequest, context: Context
    ) -> events_pb2.CreateEventResponse:
        """Make an event."""
        caller = await self._access.require(bearer_token(context), *ORGANISERS)
        event = checked_event(request.event)
        model = await self._event(request.like, caller) if request.like else None
        if model is not None:
            event = _like(event, request.event, model)
        organiser = None if caller.account is None else caller.account.id
        made = await self._store.events.create(event, organiser, caller.name)
        if model is not None:
            made = await self._copy_staff(model.name, made, caller.name)
        return events_pb2.CreateEventResponse(event=event_message(made))

    @errors_as_status
    async def ChangeEvent(  # noqa: N802
        self, request: events_pb2.ChangeEventRequest, context: Context
    ) -> events_pb2.ChangeEventResponse:
        """Change an event, and publish it if that is asked for."""
        token, name = bearer_token(context), request.event.name
        caller = await self._access.require_in_event(token, name, MemberRole.ORGANISER)
        asked, who = checked_event(request.event), caller.name
        public = asked.rated_on is RatedOn.GAME
        if public and (await self._store.events.get(asked.name)).rated_on is not RatedOn.GAME:
            await self._access.require(token, *ORGANISERS)  # the public ladders are the arena's
        event = await self._store.events.change(asked, who)
        if request.publish:
            event = await self._store.events.publish(event.name, who)
        return events_pb2.ChangeEventResponse(event=event_message(event))

    @errors_as_status
    async def CloseEvent(  # noqa: N802
        self, request: events_pb2.CloseEventRequest, context: Context
    ) -> events_pb2.CloseEventResponse:
        """Close an event."""
        caller = await self._access.require_in_event(bearer_token(context), request.name, MemberRole.ORGANISER)
        if request.name == ARENA:
            raise InvalidArgument(
                "name", said("name is %(name)s, which is always there; expected another event", name=ARENA)
            )
        closed = await self._store.events.close(request.name, caller.name)
        return events_pb2.CloseEventResponse(event=event_message(closed))

    @errors_as_status
    async def GetEvent(  # noqa: N802
        self, request: events_pb2.GetEventRequest, context: Context
    ) -> events_pb2.GetEventResponse:
        """Return an event."""
        caller = await self._access.caller(bearer_token(context))
        event = await self._event(request.name or ARENA, caller)
        return await self._reader.events.one(event)

    @errors_as_status
    async def ListEvents(  # noqa: N802
        self, request: events_pb2.ListEventsRequest, context: Context
    ) -> events_pb2.ListEventsResponse:
        """Return the events that the caller may see."""
        caller = await self._access.caller(bearer_token(context))
        account = None if caller.person is None else caller.person.id
        found = await self._store.events.all(account, drafts=caller.role in ORGANISERS)
        return events_pb2.ListEventsResponse(events=map(event_message, found))

    @errors_as_status
    async def JoinEvent(  # noqa: N802
        self, request: events_pb2.JoinEventRequest, context: Context
    ) -> events_pb2.JoinEventResponse:
        """Make the account that calls a member."""
        account = await self._own(context)
        event = _with_members(request.event)
        code = checked_text("invitation", request.invitation, 80)
        member = await self._store.members.join(event, account.id, account.name, code)
        return events_pb2.JoinEventResponse(member=member_message(member))

    @errors_as_status
    async def SetEventMember(  # noqa: N802
        self, request: events_pb2.SetEventMemberRequest, context: Context
    ) -> events_pb2.SetEventMemberResponse:
        """Make an account a member, or change it."""
        caller = await self._access.require_in_event(bearer_token(context), request.event, MemberRole.ORGANISER)
        event, account = _with_members(request.event), await self._named(request.account)
        if request.role not in MEMBER_ROLES:
            raise InvalidArgument(
                "role",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="role",
                    value=request.role,
                    choices=", ".join(MemberRole),
                ),
            )
        team = checked_text("team", request.team.strip(), LONGEST_TEAM)
        role = MEMBER_ROLES[request.role]
        member = await self._store.members.set(event, account.id, role, team, caller.name)
        return events_pb2.SetEventMemberResponse(member=member_message(member))

    @errors_as_status
    async def RemoveEventMember(  # noqa: N802
        self, request: events_pb2.RemoveEventMemberRequest, context: Context
    ) -> events_pb2.RemoveEventMemberResponse:
        """Take an account out of an event."""
        token = bearer_token(context)
        caller = await self._access.caller(token)
        if request.account and (caller.account is None or request.account != caller.account.name):
            await self._access.require_in_event(token, request.event, MemberRole.ORGANISER)
            account = await self._named(request.account)
        else:
            account = await self._own(context)
        await self._store.members.remove(_with_members(request.event), account.id, caller.name)
        return events_pb2.RemoveEventMemberResponse()

    @errors_as_status
    async def Announce(  # noqa: N802
        self, request: events_pb2.AnnounceRequest, context: Context
    ) -> events_pb2.AnnounceResponse:
        """Tell everybody something."""
        event = request.event or ARENA
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        await self._store.events.get(event)
        text = checked_lines("text", request.text.strip())
        if not text:
            raise InvalidArgument("text", said("text is empty; expected what everybody is told"))
        await self._store.announcements.make(event, text, caller.name)
        return events_pb2.AnnounceResponse()

    @errors_as_status
    async def RetractAnnouncement(  # noqa: N802
        self, request: events_pb2.RetractAnnouncementRequest, context: Context
    ) -> events_pb2.RetractAnnouncementResponse:
        """Take an announcement back."""
        number = checked_number(request.id, "announcement")
        event = await self._store.announcements.event(number)
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        await self._store.announcements.retract(number, caller.name)
        return events_pb2.RetractAnnouncementResponse()

    @errors_as_status
    async def ListActs(  # noqa: N802
        self, request: acts_pb2.ListActsRequest, context: Context
    ) -> acts_pb2.ListActsResponse:
        """Return the log, to those who may see it."""
        if not request.tournament:
            event = request.event or ARENA
            await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
            await self._store.events.get(event)
            if not request.event:  # all of it, which organisers of the arena may see
                await self._access.require(bearer_token(context), *ORGANISERS)
        found: acts_pb2.ListActsResponse = await self._reader.log.acts(request)
        return found

    async def _event(self, name: str, caller: Caller) -> Event:
        """Return an event that the caller may see; NotFound (EVENT_UNKNOWN), also for a draft of others."""
        event = await self._store.events.get(name)
        if event.published is None and not await self._access.may_in_event(caller, event.name, *MemberRole):
            raise NotFound(said("there is no event %(name)s", name=quoted(name)), "EVENT_UNKNOWN")
        return event

    async def _copy_staff(self, like: str, event: Event, who: str) -> Event:
        """Make organisers and helpers of an event the same of another one."""
        for member in await self._store.members.of(like):
            if member.role is not MemberRole.MEMBER:
                await self._store.members.set(event.name, member.account_id, member.role, member.team, who)
        return await self._store.events.get(event.name)

    async def _own(self, context: Context) -> Account:
        """Return the account that makes the call."""
        return (await self._access.whole(bearer_token(context)))[1]


def _with_members(name: str) -> str:
    """Return the name of an event that can have members; everybody is in the public arena."""
    if name == ARENA:
        raise FailedPrecondition(said("everybody is in the public arena; name another event"), "EVENT_WITHOUT_MEMBERS")
    return name


def _like(event: Event, asked: events_pb2.Event, model: Event) -> Event:
    """Return an event with what the request leaves out as the model has it, without its times."""
    return replace(
        event,
        title=event.title if asked.title else model.title,
        about=event.about or model.about,
        zone=event.zone if asked.zone else model.zone,
        rated_on=event.rated_on if asked.rated_on else model.rated_on,
        by_invitation=event.by_invitation or model.by_invitation,
        caps=event.caps if asked.HasField("caps") else model.caps,
    )
