"""The fields of the steps in which a tournament is drafted: from what was typed to the draft, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Final

from farfalia.v1 import drafts_pb2
from farfalia_engine import GAMES
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.moments import moment_of, shown_in
from farfalia_server.contract.said import joined, said
from farfalia_server.contract.said_below import said_of
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.entrants_text import entrants_in
from farfalia_server.organising.stage_messages import stage_message, stages_from
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.web.form_pages import whole_number
from farfalia_tournaments import ScheduleError, parse_stages
from farfalia_tournaments.schedules import Boards

#: The steps, in their order, each the name of its form; the last one has a summary.
STEPS: Final = ("game", "format", "field", "publish")
#: What stands for the ladder with the name of the game, and for none: no ladder is called so.
OF_THE_GAME, NO_LADDER = "*", "-"
#: How a tournament starts.
BY_HAND, AT_A_TIME, WITH_EVENT = "by hand", "at a time", "with its event"
#: How programs that were handed in play.
ONE_A_MATCH, LASTING = "a process for each match", "a process for many matches"
#: Who may enter.
BOTS_ALONE, PERSONS_TOO = "bots alone", "bots, and persons who play themselves"
#: What probabilities start from.
WITH_LADDERS, ALONE = "what a ladder knows", "this tournament alone"
#: Figures of a time control.
_CLOCK = ("limit_ms", "bank_ms", "grace")
#: What people put between names in a line, too.
_BLANKS = re.compile(r"[^\S\n]+")
#: Step and field of a form for those fields of a draft that are called otherwise, or stand in another step.
_ELSEWHERE: Final = {
    "name": ("game", "name"),
    "event": ("game", "event"),
    "ruleset": ("game", "ruleset"),
    "options": ("game", "options"),
    "lasting_processes": ("game", "processes"),
    "rounds": ("format", "rounds"),
    "stages": ("format", "stages"),
    "boards": ("format", "boards"),
    "entrants_expected": ("format", "entrants_expected"),
    "bots": ("field", "bots"),
    "persons": ("field", "who"),
    "ladder": ("field", "ladder"),
    "alone": ("field", "knowledge"),
    "starts": ("field", "at"),
    "starts_with_event": ("field", "begins"),
} | {f"time_control.{name}": ("game", name) for name in _CLOCK}

Draft = drafts_pb2.TournamentDraft
Fields = Mapping[str, str]


def place_of(field: str) -> tuple[str, str]:
    """Return the step and the name there of a field of the contract; two empty texts if no step has it."""
    return _ELSEWHERE.get(field, ("", ""))


def entrants_text(fields: Fields) -> str:
    """Return the entrants that were typed, with commas in place of blanks."""
    return _BLANKS.sub(",", fields.get("bots", ""))


def put_game(draft: Draft, fields: Fields, zone: str) -> None:
    """Put what the first step has into a draft."""
    plan = draft.plan
    plan.name = fields.get("name", "").strip()
    plan.event = fields.get("event", plan.event)
    plan.ruleset = fields.get("ruleset", "") or DEFAULT_GAME
    plan.options.clear()
    for line in filter(None, map(str.strip, fields.get("options", "").splitlines())):
        name, equals, value = map(str.strip, line.partition("="))
        if not equals or name in plan.options:
            raise InvalidArgument(
                "options",
                said("options has %(line)s, which is given twice; expected NAME=VALUE, one a line", line=quoted(line))
                if equals
                else said(
                    "options has %(line)s, which has no value; expected NAME=VALUE, one a line", line=quoted(line)
                ),
            )
        plan.options[name] = value
    given = [name for name in _CLOCK if fields.get(name, "").strip()]
    plan.ClearField("time_control")
    if given and len(given) < len(_CLOCK):
        missing = next(name for name in _CLOCK if name not in given)
        text = said(
            "the clock has %(given)s and no %(missing)s; expected all three of %(clock)s, or none",
            given=given[0],
            missing=missing,
            clock=", ".join(_CLOCK),
        )
        raise InvalidArgument(f"time_control.{missing}", text)
    for name in given:
        setattr(plan.time_control, name, whole_number(dict(fields), name))
    plan.lasting_processes = fields.get("processes") == LASTING


def put_format(draft: Draft, fields: Fields, zone: str) -> None:
    """Put what the second step has into a draft."""
    plan = draft.plan
    boards = Boards(fields["boards"]) if fields.get("boards") in set(Boards) else Boards.DATUM
    plan.boards = BOARDS[boards]
    draft.entrants_expected = whole_number(dict(fields), "entrants_expected")
    plan.rounds = whole_number(dict(fields), "rounds")
    del plan.stages[:]
    try:
        plan.stages.extend(map(stage_message, parse_stages(fields.get("stages", ""), boards)))
    except ScheduleError as error:
        raise InvalidArgument("stages", said_of(error)) from None


def put_field(draft: Draft, fields: Fields, zone: str) -> None:
    """Put what the third step has into a draft; times are those that clocks of the event's `zone` show."""
    plan = draft.plan
    bots, wrong = entrants_in(entrants_text(fields))
    if wrong:
        raise InvalidArgument("bots", joined(wrong, "; "))
    plan.bots[:] = bots
    plan.persons = fields.get("who") == PERSONS_TOO
    ladder = fields.get("ladder", "")
    plan.unrated = ladder == NO_LADDER
    game = plan.ruleset or DEFAULT_GAME
    plan.ladder = "" if plan.unrated else game if ladder == OF_THE_GAME else ladder
    plan.alone = fields.get("knowledge") == ALONE
    begins, at = fields.get("begins", BY_HAND), fields.get("at", "").strip()
    plan.ClearField("starts")
    plan.starts_with_event = begins == WITH_EVENT
    if begins == AT_A_TIME:
        if not at:
            raise InvalidArgument("starts", said("at is empty; expected when it starts, or another way to start"))
        plan.starts.FromDatetime(moment_of("starts", at, zone))
    elif at:
        raise InvalidArgument(
            "starts",
            said(
                "at is %(at)s, but it starts %(begins)s; expected no time, or %(at_a_time)s",
                at=quoted(at),
                begins=said(begins) if begins in (BY_HAND, WITH_EVENT) else begins,
                at_a_time=said(AT_A_TIME),
            ),
        )


#: What puts the fields of a step into a draft.
PUT: Final[Mapping[str, Callable[[Draft, Fields, str], None]]] = {
    "game": put_game,
    "format": put_format,
    "field": put_field,
}


def values_of(draft: Draft, zone: str) -> dict[str, str]:
    """Return what stands in the fields of all steps."""
    plan = draft.plan
    boards = next((boards for boards, number in BOARDS.items() if number == plan.boards), Boards.DATUM)
    clock = plan.time_control if plan.HasField("time_control") else None
    return {
        "name": plan.name,
        "event": plan.event,
        "ruleset": plan.ruleset or DEFAULT_GAME,
        "options": "\n".join(f"{name}={value}" for name, value in sorted(plan.options.items())),
        **{name: "" if clock is None else str(getattr(clock, name)) for name in _CLOCK},
        "processes": LASTING if plan.lasting_processes else ONE_A_MATCH,
        "rounds": str(plan.rounds),
        "boards": boards.value,
        "stages": stages_text(draft, boards),
        "entrants_expected": str(draft.entrants_expected or ""),
        "bots": "\n".join(plan.bots),
        "who": PERSONS_TOO if plan.persons else BOTS_ALONE,
        "ladder": NO_LADDER if plan.unrated else OF_THE_GAME if plan.ladder in GAMES else plan.ladder,
        "knowledge": ALONE if plan.alone else WITH_LADDERS,
        "begins": AT_A_TIME if plan.HasField("starts") else WITH_EVENT if plan.starts_with_event else BY_HAND,
        "at": shown_in(plan.starts.ToDatetime(UTC), zone).replace(" ", "T") if plan.HasField("starts") else "",
    }


def stages_text(draft: Draft, boards: Boards) -> str:
    """Return the stages of a draft as they are typed, each without its boards if they are those of all."""
    words = []
    for stage in stages_from(draft.plan.stages, boards):
        own = {"boards": stage.boards.value} if stage.boards is not boards else {}
        settings = {name: value for name, value in stage.settings().items() if name not in ("kind", "boards")}
        given = [f"{name}={value}" for name, value in (settings | own).items()]
        words.append(f"{stage.kind}:{','.join(given)}" if given else str(stage.kind))
    return " ".join(words)
