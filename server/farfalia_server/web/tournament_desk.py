"""The organiser's desk: tournaments are created, started, paused and ended there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, bots_pb2, events_pb2, ladders_pb2, tournaments_pb2
from farfalia_engine import GAMES, RulesetError
from farfalia_server.arena.ladders import TABLES
from farfalia_server.contract.errors import InvalidArgument, NotFound, PermissionDenied, Unauthenticated
from farfalia_server.contract.moments import moment_of
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.entrants_text import entrants_in, unknown_in
from farfalia_server.organising.plan_figures import plan_figures
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.store import ARENA
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.wording.amounts import roughly
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import BOARDS as BOARD_WORDS
from farfalia_tournaments import Plan, ScheduleError, parse_stages
from farfalia_tournaments.schedules import Boards

#: Tournaments on the desk: the newest.
_ROWS = 50
_PATH = "/account/tournaments"
#: What stands for the ladder with the name of the game, and for none: no ladder is called so.
_OF_THE_GAME, _NONE = "*", "-"
#: Roles that run all events, and those that run one.
_ORGANISE = (accounts_pb2.ROLE_ORGANISER, accounts_pb2.ROLE_ADMIN)
_RUN = (events_pb2.MEMBER_ROLE_HELPER, events_pb2.MEMBER_ROLE_ORGANISER)
#: What stands between the numbers of matches.
_BETWEEN = re.compile(r"[\s,;]+")
#: What people put between names in a line, too.
_BLANKS = re.compile(r"[^\S\n]+")
#: Milliseconds for a decision that figures of a plan count with.
_DECISION_MS = 20
#: The field of a form in which nothing is wrong.
_NO_FIELD = "-"


class TournamentDesk(FormPages):
    """Everything under `/account/tournaments`, for those who run events: the calls refuse others."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = {
            "create": self._create,
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

    async def _shown(
        self, request: Request, visitor: Visitor, refused: Refused | None = None, plan: Plan | None = None
    ) -> Response:
        """Return the page, with the figures of a plan if there are some; sends those who are not signed in to where
        they can.
        """
        try:
            own = await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        runs = await self._runs(request, visitor, own)
        if not runs:
            text = "this account runs no event; an organiser of the arena or of an event can change that"
            raise PermissionDenied(text)
        chosen = request.query_params.get("event", "")
        shown = [chosen] if chosen in runs else ([""] if ARENA in runs else list(runs))
        return self._page(
            "tournament_desk.html",
            visitor,
            request,
            refused,
            plan=plan,
            plan_time=roughly(plan.seconds) if plan is not None and plan.seconds is not None else "",
            plan_tables=TABLES,
            plan_decision_ms=_DECISION_MS,
            rows=[(row, _acts(row)) for row in await self._tournaments(request, visitor, shown)],
            events=runs,
            event=chosen if chosen in runs else "",
            games=GAMES,
            boards={boards.value: BOARD_WORDS[message] for boards, message in BOARDS.items()},
            ladders=await self._ladders(request, visitor),
        )

    async def _runs(self, request: Request, visitor: Visitor, own: accounts_pb2.GetAccountResponse) -> dict[str, str]:
        """Return the open events whose tournaments the visitor runs, with their titles, the public arena first."""
        found = await self._call(request, visitor, "ListEvents", events_pb2.ListEventsRequest())
        roles = {one.event for one in own.memberships if one.role in _RUN}
        return {
            event.name: event.title
            for event in sorted(found.events, key=lambda event: event.name != ARENA)
            if event.state != events_pb2.EVENT_STATE_CLOSED and (own.account.role in _ORGANISE or event.name in roles)
        }

    async def _tournaments(
        self, request: Request, visitor: Visitor, events: Iterable[str]
    ) -> list[tournaments_pb2.Tournament]:
        """Return the newest tournaments of these events; the empty name is for all."""
        rows: list[tournaments_pb2.Tournament] = []
        for event in events:
            wanted = tournaments_pb2.ListTournamentsRequest(limit=_ROWS, event=event)
            rows += (await self._call(request, visitor, "ListTournaments", wanted)).tournaments
        return sorted(rows, key=lambda row: -row.id)[:_ROWS]

    async def _ladders(self, request: Request, visitor: Visitor) -> dict[str, str]:
        """Return what a tournament can count on, with words for it."""
        found = await self._call(request, visitor, "ListLadders", ladders_pb2.ListLaddersRequest())
        names = sorted({*(one.name for one in found.ladders), *found.rated} - GAMES.keys())
        return {
            "": "what is usual in the event",
            _NONE: "no ladder: it is unrated",
            _OF_THE_GAME: "the ladder of its game",
            **{name: name for name in names},
        }

    async def _create(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        boards = Boards(fields["boards"]) if fields.get("boards") in set(Boards) else Boards.DATUM
        try:
            stages = parse_stages(fields.get("stages", ""), boards)
        except ScheduleError as error:
            raise InvalidArgument("stages", str(error)) from None
        text = _BLANKS.sub(",", fields.get("bots", ""))
        bots, wrong = entrants_in(text)
        if wrong:
            raise InvalidArgument("bots", "; ".join(wrong))
        ladder, game = fields.get("ladder", ""), fields.get("ruleset", "") or DEFAULT_GAME
        if fields.get("plan"):
            return await self._planned(request, visitor, fields, game, len(bots), boards)
        wanted = tournaments_pb2.CreateTournamentRequest(
            name=fields.get("name", "").strip(),
            ruleset=game,
            bots=bots,
            rounds=whole_number(fields, "rounds"),
            stages=map(stage_message, stages),
            boards=BOARDS[boards],
            unrated=ladder == _NONE,
            ladder="" if ladder == _NONE else game if ladder == _OF_THE_GAME else ladder,
            event=fields.get("event", ""),
        )
        try:
            return await self._done(request, visitor, "CreateTournament", wanted)
        except InvalidArgument as error:
            if error.field != "bots":
                raise
            unknown = unknown_in(text, await self._known(request, visitor, bots))
            raise InvalidArgument("bots", "; ".join(unknown) or str(error)) from None

    async def _planned(
        self, request: Request, visitor: Visitor, fields: dict[str, str], game: str, entrants: int, boards: Boards
    ) -> Response:
        """Return the desk with the figures of what stands in the form, which stays as it is."""
        try:
            found = await asyncio.to_thread(
                plan_figures,
                game,
                {},
                max(1, entrants),
                rounds=whole_number(fields, "rounds"),
                stages=fields.get("stages", ""),
                boards=boards,
                decision_ms=_DECISION_MS,
                tables=TABLES,
            )
        except ScheduleError as error:
            raise InvalidArgument("stages" if fields.get("stages") else "rounds", str(error)) from None
        except RulesetError as error:
            raise InvalidArgument("ruleset", str(error)) from None
        kept = Refused("create", _NO_FIELD, "", 200, fields)
        return await self._shown(request, visitor, kept, plan=found)

    async def _known(self, request: Request, visitor: Visitor, names: Iterable[str]) -> set[str]:
        """Return those of the names that are of bots."""
        known: set[str] = set()
        for name in names:
            with suppress(NotFound):
                await self._call(request, visitor, "GetBot", bots_pb2.GetBotRequest(name=name))
                known.add(name)
        return known

    async def _start(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        wanted = tournaments_pb2.StartTournamentRequest(id=whole_number(fields, "tournament"))
        return await self._done(request, visitor, "StartTournament", wanted)

    async def _schedule(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Let a tournament start by itself, at a time as clocks of its event show it, or by hand for none."""
        number, at = whole_number(fields, "tournament"), fields.get("at", "").strip()
        wanted = tournaments_pb2.StartTournamentRequest(id=number, at=Timestamp())
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
            raise InvalidArgument("former", "no entrant is named; expected the one that is replaced")
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
    if row.state == tournaments_pb2.TOURNAMENT_STATE_PLANNED:
        return {"start": gettext("Start"), "cancel": gettext("Cancel …")}
    if row.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING:
        goes_on = {"resume": gettext("Resume")} if row.HasField("pause") else {"pause": gettext("Pause")}
        return goes_on | {"cancel": gettext("Cancel …")}
    return {}
