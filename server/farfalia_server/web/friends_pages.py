"""Where friends wait for each other: a form that opens a table, and the page of its link, with who is there.

Everything works by forms alone; a script follows the table's events and shows the page anew.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, gatherings_pb2
from farfalia_server.arena.registering import LONGEST_GUEST
from farfalia_server.contract.errors import FailedPrecondition, FarfaliaServerError, NotFound
from farfalia_server.contract.said import said
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.web.calls import answer_to
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import key_of, refusal
from farfalia_server.web.forms import Visitor, keep_seat, seat_token
from farfalia_server.web.person_pages import (
    MINUTES,
    OPPONENT,
    PersonPages,
    control_of,
    game_of,
    games,
    playable_opponents,
    waiting_events,
)
from farfalia_server.web.person_seat import PersonSeat
from farfalia_server.web.qr_code import qr_code
from farfalia_server.web.query_parameters import check_names

#: Where the form is.
_FORM: Final = "/play/friends"
_STATES: Final = {
    gatherings_pb2.GATHERING_STATE_OPEN: "open",
    gatherings_pb2.GATHERING_STATE_BEGUN: "begun",
    gatherings_pb2.GATHERING_STATE_CLOSED: "closed",
    gatherings_pb2.GATHERING_STATE_EXPIRED: "expired",
}


class FriendsPages(PersonPages):
    """Everything under `/play/friends` and `/play/with`."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(_FORM, self._front, methods=["GET"]),
            self._form(f"{_FORM}/open", self._open),
            Route("/play/with/{key}", self._table, methods=["GET"]),
            Route("/play/with/{key}/events", self._events, methods=["GET"]),
            self._form("/play/with/{key}/join", self._join),
            self._form("/play/with/{key}/begin", self._begin),
            self._form("/play/with/{key}/leave", self._leave),
        ]

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        if "key" in request.path_params:
            return await self._waiting(request, visitor, refused)
        return await self._opening(request, visitor, refused)

    # -- the form ------------------------------------------------------------------------------

    async def _front(self, request: Request) -> Response:
        check_names(request, ["game", "here"])
        return await self._opening(request, Visitor.of(request), None)

    async def _opening(self, request: Request, visitor: Visitor, refused: Refused | None) -> Response:
        """Return the page with the form, and the way to a table at which the person waits."""
        person = await self._person(request)
        query = request.query_params
        return self._page(
            "friends.html",
            visitor,
            request,
            refused,
            section="play",
            games=games(),
            game=query["game"] if query.get("game") in games() else DEFAULT_GAME,
            opponents=playable_opponents(),
            opponent=OPPONENT,
            minutes=MINUTES,
            known=person is not None,
            name=await self._own_name(request, visitor),
            waits=await self._waits(request) if person is not None else "",
        )

    async def _open(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Open a table, with a new guest as its host if this browser has none."""
        wanted = gatherings_pb2.OpenGatheringRequest(
            ruleset=game_of(fields), house=fields.get("opponents", ""), time_control=control_of(fields)
        )
        token, _ = await self._person_here(request, visitor, fields)
        made = await answer_to(self._make, "OpenGathering", wanted, request, token, key_of(fields))
        answer = RedirectResponse(_address(made.gathering.key), 303)
        keep_seat(request, answer, token)
        return answer

    async def _waits(self, request: Request) -> str:
        """Return the key of the open table at which this browser's guest waits; empty if there is none."""
        wanted = gatherings_pb2.GetGatheringRequest()
        try:
            found = await answer_to(self._make, "GetGathering", wanted, request, seat_token(request))
        except NotFound:
            return ""
        is_open = found.gathering.state == gatherings_pb2.GATHERING_STATE_OPEN
        return str(found.gathering.key) if is_open else ""

    async def _own_name(self, request: Request, visitor: Visitor) -> str:
        """Return the name of the account that is signed in, if a guest can have it; else empty."""
        if not visitor.session:
            return ""
        try:
            found = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except FarfaliaServerError:  # the session is over
            return ""
        name: str = found.account.name
        return name if len(name) <= LONGEST_GUEST else ""

    # -- the table -----------------------------------------------------------------------------

    async def _table(self, request: Request) -> Response:
        check_names(request, ["here"])
        return await self._waiting(request, Visitor.of(request), None)

    async def _waiting(self, request: Request, visitor: Visitor, refused: Refused | None) -> Response:
        """Return who is there, or the way to the match, which shows those their seats who have one."""
        person = await self._person(request)
        try:
            table = await self._gathering(request, person)
        except NotFound as error:
            gone = refusal("table", error, {})
            values: dict[str, Any] = {"state": "unknown", "table": gatherings_pb2.Gathering(), "replaced": False}
            return self._page("gathering.html", visitor, request, gone, section="play", **values)
        if table.state == gatherings_pb2.GATHERING_STATE_BEGUN:
            return RedirectResponse(f"/play/{table.match}", 303)
        name = "" if person is None else person.name
        there = _has(table, person)
        address = (await self._addresses()).pages.rstrip("/") + _address(table.key)
        answer = self._page(
            "gathering.html",
            visitor,
            request,
            refused,
            section="play",
            table=table,
            state=_STATES.get(table.state, "closed"),
            name=name,
            known=person is not None,
            there=there,
            hosts=there and table.people[0].bot == name,
            free=table.seats - len(table.people),
            full=len(table.people) >= table.seats,
            empty=table.seats - sum(one.ready for one in table.people),
            replaced=person is not None and person.replaced,
            proposed="" if person is not None else await self._own_name(request, visitor),
            path=_address(table.key),
            address=address,
            picture=qr_code(address),
            minutes=table.time_control.limit_ms // 60_000,
        )
        if person is not None:
            keep_seat(request, answer, seat_token(request))
        return answer

    async def _gathering(self, request: Request, person: PersonSeat | None) -> gatherings_pb2.Gathering:
        """Return the table of a link, which begins now if everybody has come; NotFound."""
        key = request.path_params["key"]
        wanted = gatherings_pb2.GetGatheringRequest(key=key)
        found = (await answer_to(self._make, "GetGathering", wanted, request, "")).gathering
        is_full = len(found.people) == found.seats and all(one.ready for one in found.people)
        if found.state == gatherings_pb2.GATHERING_STATE_OPEN and is_full and _has(found, person):
            again = gatherings_pb2.JoinGatheringRequest(key=key)
            found = (await answer_to(self._make, "JoinGathering", again, request, seat_token(request))).gathering
        table: gatherings_pb2.Gathering = found
        return table

    async def _join(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Take a place, as a new guest if this browser has none."""
        table = await self._gathering(request, None)
        if table.state == gatherings_pb2.GATHERING_STATE_OPEN and len(table.people) >= table.seats:
            raise FailedPrecondition(
                said("all %(seats)s seats of this table are taken", seats=table.seats), "GATHERING_FULL"
            )
        token, _ = await self._person_here(request, visitor, fields)
        wanted = gatherings_pb2.JoinGatheringRequest(key=table.key)
        await answer_to(self._make, "JoinGathering", wanted, request, token, key_of(fields))
        answer = RedirectResponse(_address(table.key), 303)
        keep_seat(request, answer, token)
        return answer

    async def _begin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Begin with those who are there."""
        wanted = gatherings_pb2.BeginGatheringRequest(key=request.path_params["key"])
        begun = await answer_to(self._make, "BeginGathering", wanted, request, seat_token(request))
        return RedirectResponse(f"/play/{begun.gathering.match}", 303)

    async def _leave(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Give the place up."""
        wanted = gatherings_pb2.LeaveGatheringRequest(key=request.path_params["key"])
        await answer_to(self._make, "LeaveGathering", wanted, request, seat_token(request))
        return RedirectResponse(_address(wanted.key), 303)

    async def _events(self, request: Request) -> Response:
        """Return what happens at the table as a stream of events, to those who are there, until it waits no more."""
        check_names(request, [])
        person = await self._person(request)
        table = await self._gathering(request, person)
        if person is None or not _has(table, person):
            raise FailedPrecondition(said("you are not at this table; join it first"))
        return waiting_events(request, person, partial(self._told, request, person))

    async def _told(self, request: Request, person: PersonSeat) -> tuple[dict[str, Any], bool]:
        """Return what a script is told of the table, and whether the person goes on waiting there."""
        table = await self._gathering(request, person)
        return _event(table), table.state == gatherings_pb2.GATHERING_STATE_OPEN and _has(table, person)


def _address(key: str) -> str:
    return f"/play/with/{key}"


def _has(table: gatherings_pb2.Gathering, person: PersonSeat | None) -> bool:
    """Return whether a person is at a table."""
    return person is not None and any(one.bot == person.name for one in table.people)


def _event(table: gatherings_pb2.Gathering) -> dict[str, Any]:
    """Return what a script is told of a table."""
    return {
        "type": "gathering",
        "state": _STATES.get(table.state, "closed"),
        "seats": table.seats,
        "people": [{"bot": one.bot, "ready": one.ready} for one in table.people],
        "match": table.match,
    }
