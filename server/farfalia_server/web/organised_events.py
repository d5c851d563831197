"""The open events that the sender of a request runs or organises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request

from farfalia.v1 import accounts_pb2, events_pb2
from farfalia_server.store import ARENA
from farfalia_server.web.forms import Visitor

#: Makes a call in the session of a visitor.
Call = Callable[[Request, Visitor, str, Message], Awaitable[Any]]
#: Roles of accounts that organise all events.
_ORGANISE = (accounts_pb2.ROLE_ORGANISER, accounts_pb2.ROLE_ADMIN)
ORGANISERS = (events_pb2.MEMBER_ROLE_ORGANISER,)
RUNNERS = (events_pb2.MEMBER_ROLE_HELPER, *ORGANISERS)


async def organised_events(
    call: Call, request: Request, visitor: Visitor, roles: Collection[events_pb2.MemberRole] = ORGANISERS
) -> dict[str, str]:
    """Return the open events in which the visitor has one of these roles, with their titles, the public arena first.

    Unauthenticated if nobody is signed in.
    """
    own = await call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
    found = await call(request, visitor, "ListEvents", events_pb2.ListEventsRequest())
    member_of = {one.event for one in own.memberships if one.role in roles}
    return {
        event.name: event.title
        for event in sorted(found.events, key=lambda event: event.name != ARENA)
        if event.state != events_pb2.EVENT_STATE_CLOSED and (own.account.role in _ORGANISE or event.name in member_of)
    }
