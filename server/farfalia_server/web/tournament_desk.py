"""The organiser's desk: tournaments are started, paused and ended there, and drafts are found."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import Final

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import drafts_pb2, events_pb2, tournaments_pb2
from farfalia_server.contract.errors import InvalidArgument, PermissionDenied, Unauthenticated
from farfalia_server.contract.moments import moment_of
from farfalia_server.contract.said import said
from farfalia_server.store import ARENA
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.organised_events import RUNNERS, organised_events
from farfalia_server.wording.language import gettext

#: Tournaments on the desk: the newest.
_ROWS = 50
_PATH = "/account/tournaments"
_PLANNED, _RUNNING = tournaments_pb2.TOURNAMENT_STATE_PLANNED, tournaments_pb2.TOURNAMENT_STATE_RUNNING
#: For tournaments in which states a form is.
_STATES: Final = {
    "schedule": (_PLANNED,),
    **dict.fromkeys(("enter", "replace", "withdraw"), (_PLANNED, _RUNNING)),
    "void": (_RUNNING, tournaments_pb2.TOURNAMENT_STATE_FINISHED),
}
#: What stands between the numbers of matches.
_BETWEEN = re.compile(r"[\s,;]+")


class TournamentDesk(FormPages):
    """Everything under `/account/tournaments`, for those who run events: the calls refuse others."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "start": self._start,
            "schedule": self._schedule,
            "pause": self._pause,
            "resume": self._resume,
            "cancel": self._cancel,
            "enter": self._enter,
            "replace": self._replace,
            "withdraw": self._withdraw,
            "void": self._void,
        }
        return [
            Route(_PATH, self._desk, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _desk(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        try:
            runs = await organised_events(self._call, request, visitor, RUNNERS)
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        if not runs:
            text = said("this account runs no event; an organiser of the arena or of an event can change that")
            raise PermissionDenied(text)
        chosen = request.query_params.get("event", "")
        shown = [chosen] if chosen in runs else ([""] if ARENA in runs else list(runs))
        rows = await self._tournaments(request, visitor, shown)
        return self._page(
            "tournament_desk.html",
            visitor,
            request,
            refused,
            drafts=await self._drafts(request, visitor, [chosen] if chosen in runs else list(runs)),
            rows=[(row, _acts(row)) for row in rows],
            choices={form: _choice(rows, states) for form, states in _STATES.items()},
            events=runs,
            event=chosen if chosen in runs else "",
            open=_STATES["enter"],
            organises=bool(await organised_events(self._call, request, visitor)),
        )

    async def _drafts(
        self, request: Request, visitor: Visitor, events: Iterable[str]
    ) -> list[drafts_pb2.TournamentDraft]:
        """Return the drafts of these events, newest first; none for who organises no event."""
        with suppress(PermissionDenied):
            found = await self._call(request, visitor, "ListTournamentDrafts", drafts_pb2.ListTournamentDraftsRequest())
            return [draft for draft in found.drafts if draft.plan.event in events]
        return []

    async def _tournaments(
        self, request: Request, visitor: Visitor, events: Iterable[str]
    ) -> list[tournaments_pb2.Tournament]:
        """Return the newest tournaments of these events; the empty name is for all."""
        rows: list[tournaments_pb2.Tournament] = []
        for event in events:
            wanted = tournaments_pb2.ListTournamentsRequest(limit=_ROWS, event=event)
            rows += (await self._call(request, visitor, "ListTournaments", wanted)).tournaments
        rows = sorted(rows, key=lambda row: -row.id)[:_ROWS]
        for row in rows:
            if row.state == _PLANNED or row.HasField("pause"):  # lists do not say what a tournament waits for
                one = tournaments_pb2.GetTournamentRequest(id=row.id)
                row.waiting = (await self._call(request, visitor, "GetTournament", one)).tournament.waiting
        return rows

    async def _start(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.StartTournamentRequest(id=whole_number(fields, "tournament"))
        return await self._done(request, visitor, "StartTournament", wanted)

    async def _schedule(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Let a tournament start by itself, at a time as clocks of its event show it or with its event, or by hand."""
        number, at = whole_number(fields, "tournament"), fields.get("at", "").strip()
        wanted = tournaments_pb2.StartTournamentRequest(id=number, at=Timestamp())
        wanted.with_event = fields.get("with_event") == "yes"
        if at:
            found = await self._call(request, visitor, "GetTournament", tournaments_pb2.GetTournamentRequest(id=number))
            event = events_pb2.GetEventRequest(name=found.tournament.event)
            zone = (await self._call(request, visitor, "GetEvent", event)).event.zone
            wanted.at.FromDatetime(moment_of("at", at, zone))
        return await self._done(request, visitor, "StartTournament", wanted)

    async def _pause(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.PauseTournamentRequest(
            id=whole_number(fields, "tournament"), reason=fields.get("reason", "")
        )
        return await self._done(request, visitor, "PauseTournament", wanted)

    async def _resume(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.ResumeTournamentRequest(id=whole_number(fields, "tournament"))
        return await self._done(request, visitor, "ResumeTournament", wanted)

    async def _cancel(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Cancel a tournament once somebody has said that it is meant."""
        number = whole_number(fields, "tournament")
        if fields.get("sure") != "yes":
            found = await self._call(request, visitor, "GetTournament", tournaments_pb2.GetTournamentRequest(id=number))
            return self._page("cancel.html", visitor, request, None, row=found.tournament)
        wanted = tournaments_pb2.CancelTournamentRequest(id=number, reason=fields.get("reason", ""))
        return await self._done(request, visitor, "CancelTournament", wanted)

    async def _enter(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.EnterTournamentRequest(
            id=whole_number(fields, "tournament"), bot=fields.get("bot", "").strip()
        )
        return await self._done(request, visitor, "EnterTournament", wanted)

    async def _replace(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Let a bot take over an entry once somebody has read what that means."""
        wanted = tournaments_pb2.EnterTournamentRequest(
            id=whole_number(fields, "tournament"),
            bot=fields.get("bot", "").strip(),
            instead_of=fields.get("former", "").strip(),
        )
        if not wanted.instead_of:
            raise InvalidArgument("former", said("no entrant is named; expected the one that is replaced"))
        if fields.get("sure") != "yes":
            asked = tournaments_pb2.GetTournamentRequest(id=wanted.id)
            row = (await self._call(request, visitor, "GetTournament", asked)).tournament
            played = next((one.matches for one in row.standings if one.entrant == wanted.instead_of), 0)
            return self._page("replace.html", visitor, request, None, row=row, wanted=wanted, played=played)
        return await self._done(request, visitor, "EnterTournament", wanted)

    async def _withdraw(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.WithdrawFromTournamentRequest(
            id=whole_number(fields, "tournament"), bot=fields.get("bot", "").strip()
        )
        return await self._done(request, visitor, "WithdrawFromTournament", wanted)

    async def _void(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Take results out, of a round or of single matches, and play them again if that is wished."""
        numbers = [name for name in _BETWEEN.split(fields.get("matches", "")) if name]
        wanted = tournaments_pb2.VoidMatchesRequest(
            id=whole_number(fields, "tournament"),
            matches=[whole_number({"matches": number}, "matches") for number in numbers],
            round=whole_number(fields, "round"),
            stage=whole_number(fields, "stage"),
            reason=fields.get("reason", ""),
            replay=fields.get("replay") == "yes",
        )
        return await self._done(request, visitor, "VoidMatches", wanted)

    async def _done(self, request: Request, visitor: Visitor, call: str, wanted: Message) -> Response:
        await self._call(request, visitor, call, wanted)
        return RedirectResponse(_PATH, 303)


def _acts(row: tournaments_pb2.Tournament) -> dict[str, str]:
    """Return what can be done to a tournament, by the name of the form, and what its button says."""
    if row.state == _PLANNED:
        return {"start": gettext("Start"), "cancel": gettext("Cancel …")}
    if row.state == _RUNNING:
        goes_on = {"resume": gettext("Resume")} if row.HasField("pause") else {"pause": gettext("Pause")}
        return goes_on | {"cancel": gettext("Cancel …")}
    return {}


def _choice(rows: Iterable[tournaments_pb2.Tournament], states: Container[int]) -> dict[str, str]:
    """Return the tournaments in these states, by number, with their names; of several, none is chosen beforehand."""
    found = {str(row.id): f"{row.id} {row.name}" for row in rows if row.state in states}
    return {"": ""} | found if len(found) > 1 else found
