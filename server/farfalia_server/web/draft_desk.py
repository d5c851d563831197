"""The desk on which a tournament is drafted, step by step, and published."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import bots_pb2, drafts_pb2, events_pb2, ladders_pb2, tournaments_pb2
from farfalia_engine import GAMES, RulesetError
from farfalia_server.arena.ladders import TABLES
from farfalia_server.contract.errors import InvalidArgument, NotFound, NotReady, PermissionDenied, Unauthenticated
from farfalia_server.contract.said import joined, said
from farfalia_server.contract.said_below import said_of
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.entrants_text import unknown_in
from farfalia_server.organising.measured_noise import MeasuredNoise, measured_noise, worth_reading
from farfalia_server.organising.plan_figures import plan_figures
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.web.draft_fields import (
    ALONE,
    AT_A_TIME,
    BOTS_ALONE,
    BY_HAND,
    LASTING,
    NO_LADDER,
    OF_THE_GAME,
    ONE_A_MATCH,
    PERSONS_TOO,
    PUT,
    STEPS,
    WITH_EVENT,
    WITH_LADDERS,
    entrants_text,
    place_of,
    values_of,
)
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor
from farfalia_server.web.organised_events import organised_events
from farfalia_server.web.query_parameters import number_asked
from farfalia_server.wording.amounts import roughly
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.measured_noise import noise_words
from farfalia_server.wording.phrases import BOARDS as BOARD_WORDS
from farfalia_server.wording.phrases import stage_words
from farfalia_tournaments import Plan, PlannedStage, ScheduleError
from farfalia_tournaments.schedules import Boards

DESK: Final = "/account/tournaments"
_PATH: Final = f"{DESK}/draft"
#: Milliseconds for a decision that figures of a plan count with.
_DECISION_MS = 20
#: What is done after a step is saved: on to the next, back, leave it as it is, or stay for the figures.
_WAYS = {"next": 1, "back": -1, "stay": 0}


@dataclass(frozen=True, slots=True)
class Figures:
    """What a plan comes to; without one, why."""

    plan: Plan | None
    entrants: int = 0
    time: str = ""
    why: str = ""
    noise: str = ""
    tables: int = TABLES
    decision_ms: int = _DECISION_MS

    @property
    def stages(self) -> list[tuple[str, PlannedStage]]:
        """What each stage is, in words, with its figures."""
        return [(stage_words(stage_message(one.stage)), one) for one in self.plan.stages] if self.plan else []


class DraftDesk(FormPages):
    """Everything under `/account/tournaments/draft`, for those who organise events: the calls refuse others."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        forms = dict.fromkeys(PUT, self._step) | {"begin": self._begin, "publish": self._publish, "drop": self._drop}
        return [
            Route(_PATH, self._desk, methods=["GET"]),
            *(self._form(f"{_PATH}/{name}", act) for name, act in forms.items()),
        ]

    async def _desk(self, request: Request) -> Response:
        try:
            return await self._shown(request, Visitor.of(request))
        except Unauthenticated:
            return RedirectResponse("/account", 303)

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page of a step, or of the last one that was refused; beside it what the plan comes to."""
        number = number_asked(request, "draft") if refused is None else whole_number(refused.typed, "draft")
        if not number:
            return await self._first(request, visitor, refused)
        draft = await self._draft(request, visitor, number)
        if draft.tournament:
            if refused is not None:
                return self._page("refused.html", visitor, request, refused)
            return RedirectResponse(f"/tournaments/{draft.tournament}", 303)
        event = await self._event(request, visitor, draft)
        refused = refused and _placed(refused)
        step = refused.form if refused else request.query_params.get("step", "")
        figures = await self._figures(request, visitor, draft)
        return self._page(
            "draft.html",
            visitor,
            request,
            refused,
            draft=draft,
            step=step if step in STEPS else STEPS[0],
            steps=STEPS,
            values=values_of(draft, event.zone),
            of_event=event,
            events=await organised_events(self._call, request, visitor),
            games=GAMES,
            boards={boards.value: gettext(BOARD_WORDS[message]) for boards, message in BOARDS.items()},
            ladders=await self._ladders(request, visitor),
            ways={BY_HAND: gettext(BY_HAND), AT_A_TIME: gettext(AT_A_TIME), WITH_EVENT: gettext(WITH_EVENT)},
            who={BOTS_ALONE: gettext(BOTS_ALONE), PERSONS_TOO: gettext(PERSONS_TOO)},
            knowledge={WITH_LADDERS: gettext(WITH_LADDERS), ALONE: gettext(ALONE)},
            processes={ONE_A_MATCH: gettext(ONE_A_MATCH), LASTING: gettext(LASTING)},
            figures=figures,
        )

    async def _first(self, request: Request, visitor: Visitor, refused: Refused | None) -> Response:
        """Return the page on which a draft begins: with its name and its event."""
        events = await organised_events(self._call, request, visitor)
        if not events:
            text = said("this account organises no event; an organiser of the arena or of an event can change that")
            raise PermissionDenied(text)
        return self._page(
            "draft_begin.html",
            visitor,
            request,
            refused,
            events=events,
            event=request.query_params.get("event", ""),
        )

    async def _begin(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Make a draft: from then on it has an address, and each step is saved."""
        plan = tournaments_pb2.CreateTournamentRequest(
            name=fields.get("name", "").strip(), event=fields.get("event", "")
        )
        made = await self._save(request, visitor, drafts_pb2.TournamentDraft(plan=plan))
        return _to(made.draft.id, STEPS[0])

    async def _step(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Save what stands in a step, and go where the button says."""
        step = request.url.path.rpartition("/")[2]
        found = await self._draft(request, visitor, whole_number(fields, "draft"))
        draft = _asked(found, whole_number(fields, "revision"))
        zone = (await self._event(request, visitor, found)).zone
        PUT[step](draft, fields, zone)
        try:
            await self._save(request, visitor, draft)
        except InvalidArgument as error:
            if error.field != "bots":
                raise
            text = entrants_text(fields)
            unknown = unknown_in(text, await self._known(request, visitor, draft.plan.bots))
            raise InvalidArgument("bots", joined(unknown, "; ") if unknown else error.text) from None
        if fields.get("go") == "desk":
            return RedirectResponse(DESK, 303)
        place = STEPS.index(step) + _WAYS.get(fields.get("go", ""), 1)
        return _to(draft.id, STEPS[max(0, place)])

    async def _publish(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Publish a draft as the summary has shown it."""
        found = await self._draft(request, visitor, whole_number(fields, "draft"))
        await self._save(request, visitor, _asked(found, whole_number(fields, "revision")), publish=True)
        return RedirectResponse(DESK, 303)

    async def _drop(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Drop a draft once somebody has said that it is meant."""
        number = whole_number(fields, "draft")
        if fields.get("sure") != "yes":
            draft = await self._draft(request, visitor, number)
            return self._page("draft_drop.html", visitor, request, None, draft=draft)
        await self._call(request, visitor, "DropTournamentDraft", drafts_pb2.DropTournamentDraftRequest(id=number))
        return RedirectResponse(DESK, 303)

    async def _save(
        self, request: Request, visitor: Visitor, draft: drafts_pb2.TournamentDraft, *, publish: bool = False
    ) -> Any:
        wanted = drafts_pb2.SaveTournamentDraftRequest(draft=draft, publish=publish)
        return await self._call(request, visitor, "SaveTournamentDraft", wanted)

    async def _draft(self, request: Request, visitor: Visitor, number: int) -> drafts_pb2.TournamentDraft:
        wanted = drafts_pb2.GetTournamentDraftRequest(id=number)
        found: drafts_pb2.TournamentDraft = (await self._call(request, visitor, "GetTournamentDraft", wanted)).draft
        return found

    async def _event(self, request: Request, visitor: Visitor, draft: drafts_pb2.TournamentDraft) -> events_pb2.Event:
        wanted = events_pb2.GetEventRequest(name=draft.plan.event)
        found: events_pb2.Event = (await self._call(request, visitor, "GetEvent", wanted)).event
        return found

    async def _ladders(self, request: Request, visitor: Visitor) -> dict[str, str]:
        """Return what a tournament can count on, with words for it."""
        found = await self._call(request, visitor, "ListLadders", ladders_pb2.ListLaddersRequest())
        names = sorted({*(one.name for one in found.ladders), *found.rated} - GAMES.keys())
        return {
            "": gettext("what is usual in the event"),
            NO_LADDER: gettext("no ladder: it is unrated"),
            OF_THE_GAME: gettext("the ladder of its game"),
            **{name: name for name in names},
        }

    async def _known(self, request: Request, visitor: Visitor, names: Iterable[str]) -> set[str]:
        """Return those of the names that are of bots."""
        known: set[str] = set()
        for name in names:
            with suppress(NotFound):
                await self._call(request, visitor, "GetBot", bots_pb2.GetBotRequest(name=name))
                known.add(name)
        return known

    async def _noise(self, request: Request, visitor: Visitor, game: str, options: dict[str, str]) -> MeasuredNoise:
        """Return how noisy matches of a game were in the last tournaments."""
        wanted = tournaments_pb2.ListTournamentsRequest()
        listed = (await self._call(request, visitor, "ListTournaments", wanted)).tournaments
        read = []
        for one in worth_reading(listed, game, options):
            with suppress(NotReady):
                asked = tournaments_pb2.GetTournamentRequest(id=one.id)
                read.append((await self._call(request, visitor, "GetTournament", asked)).tournament)
        return measured_noise(game, read)

    async def _figures(self, request: Request, visitor: Visitor, draft: drafts_pb2.TournamentDraft) -> Figures:
        """Return what a draft comes to, with as many entrants as it names or expects."""
        plan, entrants = draft.plan, max(len(draft.plan.bots), draft.entrants_expected)
        values = values_of(draft, "UTC")
        if not entrants:
            return Figures(None)
        try:
            noise = await self._noise(request, visitor, values["ruleset"], dict(plan.options))
            found = await asyncio.to_thread(
                plan_figures,
                values["ruleset"],
                dict(plan.options),
                entrants,
                rounds=plan.rounds,
                stages=values["stages"],
                boards=Boards(values["boards"]),
                decision_ms=_DECISION_MS,
                tables=TABLES,
                noise=noise.noise,
            )
        except (ScheduleError, RulesetError) as error:
            return Figures(None, entrants, why=said_of(error).in_words_of(gettext, ngettext))
        source = noise_words(noise.matches, [one.stage.boards for one in found.stages])
        return Figures(found, entrants, "" if found.seconds is None else roughly(found.seconds), noise=source)


def _asked(found: drafts_pb2.TournamentDraft, revision: int) -> drafts_pb2.TournamentDraft:
    """Return a draft to be saved as it is, for the revision that a page has shown."""
    return drafts_pb2.TournamentDraft(
        id=found.id, plan=found.plan, entrants_expected=found.entrants_expected, revision=revision
    )


def _placed(refused: Refused) -> Refused:
    """Return what was refused, at the step and the field where it can be mended."""
    step, field = place_of(refused.field)
    if not step:
        return Refused(refused.form, "", refused.text, refused.status, refused.typed)
    return Refused(step, field, refused.text, refused.status, refused.typed if refused.form == step else {})


def _to(draft: int, step: str) -> Response:
    return RedirectResponse(f"{_PATH}?draft={draft}&step={step}", 303)
