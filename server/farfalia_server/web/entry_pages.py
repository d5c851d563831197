"""Where a person enters a tournament that lets persons in, and waits for the next match there.

Everything works by forms alone; a script follows the page's events, and shows the seat once a match begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.store import Entrant
from farfalia_server.web.calls import answer_to
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import key_of
from farfalia_server.web.forms import Visitor, keep_seat, seat_token
from farfalia_server.web.person_pages import PersonPages, waiting_events
from farfalia_server.web.person_seat import PersonSeat
from farfalia_server.web.query_parameters import check_names, number_of

#: States in which the person waits for a match.
_WAITS: Final = ("planned", "waiting")
_OPEN: Final = (tournaments_pb2.TOURNAMENT_STATE_PLANNED, tournaments_pb2.TOURNAMENT_STATE_RUNNING)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A tournament as a person sees it: its entry, None if it has none, and the match that it plays, 0 for none."""

    row: tournaments_pb2.Tournament
    entrant: Entrant | None = None
    match: int = 0

    @property
    def state(self) -> str:
        """What the page is about: `apart`, `planned`, `waiting`, `begun`, `left` or `over`."""
        if self.row.state not in _OPEN:
            return "over"
        if self.match:
            return "begun"
        if self.entrant is None:
            return "apart"
        if self.entrant.gone is not None:
            return "left"
        return "planned" if self.row.state == tournaments_pb2.TOURNAMENT_STATE_PLANNED else "waiting"


class EntryPages(PersonPages):
    """Everything under `/play/in`."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/play/in/{id}", self._front, methods=["GET"]),
            Route("/play/in/{id}/events", self._events, methods=["GET"]),
            self._form("/play/in/{id}/enter", self._enter),
            self._form("/play/in/{id}/leave", self._leave),
        ]

    async def _front(self, request: Request) -> Response:
        check_names(request, ["here"])
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page, or the way to the match that the person plays."""
        person = await self._person(request)
        entry = await self._entry(request, person)
        if entry.state == "begun":
            return RedirectResponse(f"/play/{entry.match}", 303)
        answer = self._page(
            "entry.html",
            visitor,
            request,
            refused,
            section="play",
            row=entry.row,
            state=entry.state,
            known=person is not None,
            name="" if person is None else person.name,
            replaced=person is not None and person.replaced,
            path=_address(entry.row.id),
        )
        if person is not None:
            keep_seat(request, answer, seat_token(request))
        return answer

    async def _entry(self, request: Request, person: PersonSeat | None) -> _Entry:
        """Return the tournament, with what the person has there; NotFound."""
        reader = await self._reader()
        row = await reader.tournament_alone(number_of(request, "tournament"))
        if person is None:
            return _Entry(row)
        mine = (match for match, at in person.matches.items() if at.seated.tournament == row.id and not at.over)
        return _Entry(row, await reader.entry(row.id, person.name), next(mine, 0))

    async def _enter(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Enter the person, as a new guest if this browser has none."""
        row = (await self._entry(request, None)).row
        if not row.persons:
            raise FailedPrecondition(
                said("bots alone may enter tournament %(tournament)s", tournament=row.id), "PERSONS_UNWANTED"
            )
        token, person = await self._person_here(request, visitor, fields)
        wanted = tournaments_pb2.EnterTournamentRequest(id=row.id, bot=person.name)
        answer = RedirectResponse(_address(row.id), 303)
        keep_seat(request, answer, token)
        await answer_to(self._make, "EnterTournament", wanted, request, token, key_of(fields))
        return answer

    async def _leave(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Take the person out."""
        number, person = number_of(request, "tournament"), await self._person(request)
        if person is None:
            raise FailedPrecondition(said("you have not entered tournament %(tournament)s", tournament=number))
        wanted = tournaments_pb2.WithdrawFromTournamentRequest(id=number, bot=person.name)
        await answer_to(self._make, "WithdrawFromTournament", wanted, request, seat_token(request), key_of(fields))
        return RedirectResponse(_address(number), 303)

    async def _events(self, request: Request) -> Response:
        """Return what becomes of the person's entry as a stream of events, until a match begins or all is over."""
        check_names(request, [])
        person = await self._person(request)
        if person is None or (await self._entry(request, person)).entrant is None:
            raise FailedPrecondition(said("you have not entered this tournament; enter it first"))
        return waiting_events(request, person, partial(self._told, request, person))

    async def _told(self, request: Request, person: PersonSeat) -> tuple[dict[str, Any], bool]:
        """Return what a script is told of the entry, and whether the person goes on waiting for a match."""
        entry = await self._entry(request, person)
        return _event(entry), entry.state in _WAITS


def _address(number: int) -> str:
    return f"/play/in/{number}"


def _event(entry: _Entry) -> dict[str, Any]:
    """Return what a script is told of an entry."""
    return {
        "type": "entry",
        "state": "open" if entry.state in _WAITS else entry.state,
        "finished": entry.row.finished,
        "match": entry.match,
    }
