"""What pages have in common on which a person plays: its seat, its name, its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from farfalia import bots as house_bots
from farfalia.v1 import bots_pb2, record_pb2
from farfalia_engine import GAMES
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FailedPrecondition, FarfaliaServerError, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.addresses import Addresses
from farfalia_server.records.house_names import is_playable
from farfalia_server.web.calls import MakeCall
from farfalia_server.web.event_streams import HEADERS, encoded
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor, seat_token
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.person_seat import PersonSeat, PersonSeats
from farfalia_server.wording.seat import opponents

#: The house bot where nothing is chosen.
OPPONENT: Final = "cautious"
#: Minutes for a decision that can be chosen.
MINUTES: Final = (1, 3, 10)
#: Seconds of silence after which a browser that follows is told that all is well.
SILENCE: Final = 15.0
#: Seconds between two looks at what a person waits for.
_STEP: Final = 2.0
#: Time bank in milliseconds, and strikes that a seat survives.
_BANK_MS, _GRACE = 60_000, 3


class PersonPages(FormPages):
    """Pages of persons at the table; `reader` reads matches and tournaments, `seats` holds their streams."""

    def __init__(
        self,
        make: MakeCall,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        reader: Callable[[], Awaitable[Reader]],
        seats: PersonSeats,
    ) -> None:
        super().__init__(make, addresses, renderer)
        self._reader = reader
        self._seats = seats

    async def _person(self, request: Request) -> PersonSeat | None:
        """Return the seat of this browser's guest, None if it has none that may play."""
        token = seat_token(request)
        if not token:
            return None
        person = await self._seats.of(token, here="here" in request.query_params)
        return None if person.unknown else person

    async def _person_here(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> tuple[str, PersonSeat]:
        """Return the token and the seat of this browser's guest, a new one with the name in a form if it has none."""
        token, person = seat_token(request), await self._person(request)
        if person is None:
            wanted = bots_pb2.RegisterBotRequest(name=fields.get("name", "").strip(), person=True)
            token = (await self._call(request, visitor, "RegisterBot", wanted)).token
            person = await self._seats.of(token)
        if not person.name:
            raise FailedPrecondition(
                said("your seat cannot be opened: %(why)s", why=person.refused or said("the server does not answer"))
            )
        return token, person


def waiting_events(
    request: Request, person: PersonSeat, told: Callable[[], Awaitable[tuple[dict[str, Any], bool]]]
) -> Response:
    """Return what a person waits for as a stream of events, until it waits no more.

    `told` returns what a script is told now, and whether the person goes on waiting.
    """
    news = _waiting_news(person, told) if request.method == "GET" else ()
    return StreamingResponse(news, headers={**HEADERS, "content-type": "text/event-stream"})


async def _waiting_news(
    person: PersonSeat, told: Callable[[], Awaitable[tuple[dict[str, Any], bool]]]
) -> AsyncIterator[bytes]:
    """Yield what is told, and again each time that it changes; who follows it stays connected."""
    person.viewers += 1
    try:
        yield b"retry: 1000\n\n"
        before, silent = b"", 0.0
        while True:
            try:
                event, waits = await told()
            except FarfaliaServerError:  # the browser comes back by itself
                return
            now = json.dumps(event, separators=(",", ":")).encode()
            if now != before or silent >= SILENCE:
                yield encoded(now, "", lines=False) if now != before else b":\n\n"
                before, silent = now, 0.0
            if not waits:
                return
            person.look()
            await asyncio.sleep(_STEP)
            silent += _STEP
    finally:
        person.viewers -= 1


def game_of(fields: dict[str, str]) -> str:
    """Return the game that a form names; InvalidArgument."""
    game = fields.get("game", "")
    if game not in GAMES:
        raise InvalidArgument(
            "game",
            said(
                "%(field)s is %(value)s; expected one of %(choices)s",
                field="game",
                value=quoted(game),
                choices=", ".join(GAMES),
            ),
        )
    return game


def control_of(fields: dict[str, str]) -> record_pb2.TimeControl:
    """Return the time control with the minutes that a form names; InvalidArgument."""
    minutes = whole_number(fields, "minutes")
    if minutes not in MINUTES:
        choice = ", ".join(map(str, MINUTES))
        raise InvalidArgument(
            "minutes",
            said("%(field)s is %(value)s; expected one of %(choices)s", field="minutes", value=minutes, choices=choice),
        )
    return record_pb2.TimeControl(limit_ms=minutes * 60_000, bank_ms=_BANK_MS, grace=_GRACE)


def games() -> dict[str, str]:
    """Return the games that a form offers, with how they are called."""
    return {name: name.replace("-", " ").capitalize() for name in GAMES}


def playable_opponents() -> dict[str, str]:
    """Return the house bots that this server can play, with words for each."""
    return opponents(filter(is_playable, house_bots.NAMES))
