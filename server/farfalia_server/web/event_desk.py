"""The desk of events: making and changing them, joining them, and their members, for those who run them."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from urllib.parse import quote

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, acts_pb2, events_pb2
from farfalia_server.arena.request_checks import MOST_ROWS
from farfalia_server.contract.errors import InvalidArgument, Unauthenticated
from farfalia_server.contract.moments import moment_of, shown_in
from farfalia_server.contract.said import said
from farfalia_server.web.csv_table import csv_of
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.inviting import InvitingPages
from farfalia_server.web.query_parameters import number_asked
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import EVENT_TIMES, MEMBER_ROLES, RATED_ON

_PATH = "/account/events"
#: Entries of the log on a page.
_ROWS = 100
#: Roles of accounts that run all events.
_ORGANISE = (accounts_pb2.ROLE_ORGANISER, accounts_pb2.ROLE_ADMIN)
#: What is said of where tournaments count.
_COUNTS = {
    "none": "no ladder: they are unrated",
    "own": "a ladder of the event for each game",
    "game": "the ladder of their game",
}

#: The caps of an event, with the fields of the form: one called `matches` would hide a method of the form from scripts.
_CAPS = {"bots": "bots", "versions": "versions", "matches": "hourly", "connections": "connected"}


class EventDesk(InvitingPages):
    """Everything under `/account/events`, for those who are signed in; the calls refuse what they may not do."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "create": self._create,
            "join": self._join,
            "leave": self._leave,
            "change": self._change,
            "publish": self._publish,
            "close": self._close,
            "member": self._member,
            "remove": self._remove,
            "invite": self._invite,
            "announce": self._announce,
            "retract": self._retract,
        }
        return [
            Route(_PATH, self._events, methods=["GET"]),
            Route(f"{_PATH}/log", self._log, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _events(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page of an event for those who run it, or that of all; sends others to where they can sign in."""
        try:
            own = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        typed = refused.typed.get("event", "") if refused and refused.form not in ("create", "join", "leave") else ""
        name = request.query_params.get("event", "") or typed
        organises = own.account.role in _ORGANISE
        if name:
            return await self._one(request, visitor, refused, name)
        found = await self._call(request, visitor, "ListEvents", events_pb2.ListEventsRequest())
        roles = {one.event: one.role for one in own.memberships}
        runs = {one for one, role in roles.items() if role == events_pb2.MEMBER_ROLE_ORGANISER}
        return self._page(
            "event_desk.html",
            visitor,
            request,
            refused,
            rows=[(event, roles.get(event.name), organises or event.name in runs) for event in found.events],
            organises=organises,
            joining=request.query_params.get("join", "")[:40],
            code=request.query_params.get("code", "")[:80],
            models={"": "none", **{event.name: event.title for event in found.events if event.name != "arena"}},
        )

    async def _one(self, request: Request, visitor: Visitor, refused: Refused | None, name: str) -> Response:
        found = await self._call(request, visitor, "GetEvent", events_pb2.GetEventRequest(name=name))
        wanted = accounts_pb2.ListInvitationsRequest(event=name)
        invitations = await self._call(request, visitor, "ListInvitations", wanted)
        event = found.event
        times = {
            time: shown_in(getattr(event.times, time).ToDatetime(UTC), event.zone).replace(" ", "T")
            if event.times.HasField(time)
            else ""
            for time in EVENT_TIMES
        }
        return self._page(
            "event_edit.html",
            visitor,
            request,
            refused,
            found=found,
            event=event,
            times=times,
            words={name: gettext(word) for name, word in EVENT_TIMES.items()},
            counts={name: gettext(said) for name, said in _COUNTS.items()},
            rated_on=RATED_ON[event.rated_on],
            roles={word: gettext(word) for word in MEMBER_ROLES.values()},
            invitations=invitations.invitations,
        )

    async def _log(self, request: Request) -> Response:
        """Return what was done in an event, or in the arena, as a page or as CSV: by everybody, or by one."""
        visitor, given = Visitor.of(request), request.query_params
        event, who = given.get("event", ""), given.get("who", "")
        wanted = acts_pb2.ListActsRequest(event=event, who=who, before=number_asked(request, "before"))
        as_csv = given.get("format") == "csv"
        wanted.limit = MOST_ROWS if as_csv else _ROWS
        try:
            found = await self._call(request, visitor, "ListActs", wanted)
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        if as_csv:
            return Response(csv_of(found.acts), media_type="text/csv", headers={"cache-control": "no-store"})
        older = found.acts[0].id if len(found.acts) == _ROWS else 0
        return self._page(
            "log.html", visitor, request, None, acts=reversed(found.acts), event=event, who=who, older=older
        )

    async def _create(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, title, zone = (fields.get(field, "").strip() for field in ("name", "title", "zone"))
        event = events_pb2.Event(name=name, title=title, zone=zone)
        wanted = events_pb2.CreateEventRequest(event=event, like=fields.get("like", ""))
        await self._call(request, visitor, "CreateEvent", wanted)
        return _to(name)

    async def _join(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name = fields.get("event", "").strip()
        wanted = events_pb2.JoinEventRequest(event=name, invitation=fields.get("invitation", "").strip())
        await self._call(request, visitor, "JoinEvent", wanted)
        return RedirectResponse(f"/events/{quote(name)}", 303)

    async def _leave(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = events_pb2.RemoveEventMemberRequest(event=fields.get("event", ""))
        await self._call(request, visitor, "RemoveEventMember", wanted)
        return RedirectResponse(_PATH, 303)

    async def _announce(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name = fields.get("event", "")
        wanted = events_pb2.AnnounceRequest(event=name, text=fields.get("text", "").replace("\r\n", "\n"))
        await self._call(request, visitor, "Announce", wanted)
        return RedirectResponse(f"{_PATH}?event={name}", 303)

    async def _retract(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = events_pb2.RetractAnnouncementRequest(id=whole_number(fields, "announcement"))
        await self._call(request, visitor, "RetractAnnouncement", wanted)
        return RedirectResponse(f"{_PATH}?event={fields.get('event', '')}", 303)

    async def _change(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        event = await self._event(request, visitor, fields)
        event.revision = whole_number(fields, "revision")
        for name in ("title", "about", "zone"):
            setattr(event, name, fields.get(name, "").strip())
        event.by_invitation = fields.get("by_invitation") == "yes"
        chosen = [rated for rated, word in RATED_ON.items() if word == fields.get("rated_on", "none")]
        if not chosen:
            expected = ", ".join(RATED_ON.values())
            raise InvalidArgument(
                "rated_on",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="rated_on",
                    value=repr(fields["rated_on"]),
                    choices=expected,
                ),
            )
        event.rated_on = chosen[0]
        for cap, field in (
            ("bots", "bots"),
            ("versions", "versions"),
            ("matches", "hourly"),
            ("connections", "connected"),
        ):
            setattr(event.caps, cap, whole_number(fields, field))
        for name in EVENT_TIMES:
            event.times.ClearField(name)
            if text := fields.get(name, "").strip():
                getattr(event.times, name).FromDatetime(moment_of(name, text, event.zone))
        return await self._done(request, visitor, "ChangeEvent", events_pb2.ChangeEventRequest(event=event), event.name)

    async def _publish(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        event = await self._event(request, visitor, fields)
        event.revision = 0  # it is published as it is
        wanted = events_pb2.ChangeEventRequest(event=event, publish=True)
        return await self._done(request, visitor, "ChangeEvent", wanted, event.name)

    async def _close(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Close an event once somebody has said that it is meant."""
        name = fields.get("event", "")
        if fields.get("sure") != "yes":
            event = await self._event(request, visitor, fields)
            return self._page("event_close.html", visitor, request, None, event=event)
        return await self._done(request, visitor, "CloseEvent", events_pb2.CloseEventRequest(name=name), name)

    async def _member(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, role = fields.get("event", ""), fields.get("role", "member")
        chosen = [one for one, word in MEMBER_ROLES.items() if word == role]
        if not chosen:
            raise InvalidArgument(
                "role",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="role",
                    value=repr(role),
                    choices=", ".join(MEMBER_ROLES.values()),
                ),
            )
        wanted = events_pb2.SetEventMemberRequest(
            event=name, account=fields.get("account", "").strip(), role=chosen[0], team=fields.get("team", "")
        )
        return await self._done(request, visitor, "SetEventMember", wanted, name)

    async def _remove(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        name, account = fields.get("event", ""), fields.get("account", "")
        if not account:
            raise InvalidArgument("account", said("account is empty; expected who is to leave"))
        wanted = events_pb2.RemoveEventMemberRequest(event=name, account=account)
        return await self._done(request, visitor, "RemoveEventMember", wanted, name)

    async def _event(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Any:
        wanted = events_pb2.GetEventRequest(name=fields.get("event", ""))
        return (await self._call(request, visitor, "GetEvent", wanted)).event

    async def _done(self, request: Request, visitor: Visitor, call: str, wanted: Message, name: str) -> Response:
        await self._call(request, visitor, call, wanted)
        return _to(name)


def _to(event: str) -> Response:
    return RedirectResponse(f"{_PATH}?event={quote(event)}", 303)
