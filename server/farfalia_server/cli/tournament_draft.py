"""`farfalia tournament change`, `publish`, `drop` and `drafts`: tournaments that are being prepared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import drafts_pb2, tournaments_pb2
from farfalia_server.cli.entrants_file import read_entrants
from farfalia_server.cli.games import OptionOption, options_of
from farfalia_server.cli.output import note, print_json, table
from farfalia_server.cli.remote import AdminOption, EventOption, JsonOption, ServerOption, ask
from farfalia_server.cli.tournament_terms import (
    STAGES_HELP,
    AloneOption,
    CountsOnOption,
    LastingOption,
    PersonsOption,
    StartAtOption,
    UnratedOption,
    WithEventOption,
    stages_of,
    start_time,
    time_control,
)
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.wording.phrases import date
from farfalia_tournaments.schedules import Boards

DraftOption = Annotated[
    bool, typer.Option("--draft", help="Keep it as a draft, which only organisers of its event see; then publish it.")
]
Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Number of the draft.")]
_EntrantsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="File with names of more bots, one per line; # starts a comment.")
]


def create_draft(server: str, plan: tournaments_pb2.CreateTournamentRequest, token: str, json: bool) -> None:
    """Make a draft of what a tournament would be created with."""
    _print(_save(server, drafts_pb2.TournamentDraft(plan=plan), token).draft, json)


def change(
    number: Number,
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT...", help="All its bots, if they change.")] = None,
    entrants: _EntrantsOption = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Its name.", show_default=False)] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="Its game.", show_default=False)] = "",
    option: OptionOption = None,
    rounds: Annotated[
        int | None, typer.Option(min=0, help="Rounds, in place of stages; 0 for enough that everyone meets everyone.")
    ] = None,
    stages: Annotated[str, typer.Option(metavar="STAGES", help=STAGES_HELP)] = "",
    boards: Annotated[Boards | None, typer.Option(help="Which matches have equal cards, as in `create`.")] = None,
    limit_ms: Annotated[int | None, typer.Option(min=1, help="Milliseconds per decision.")] = None,
    bank_ms: Annotated[int | None, typer.Option(min=0, help="Milliseconds in the time bank of a match.")] = None,
    grace: Annotated[int | None, typer.Option(min=0, help="Strikes that a seat survives.")] = None,
    lasting: LastingOption = None,
    persons: PersonsOption = None,
    alone: AloneOption = None,
    unrated: UnratedOption = False,
    ladder: CountsOnOption = "",
    event: EventOption = "",
    at: StartAtOption = "",
    with_event: WithEventOption = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Change the draft of a tournament; what you leave out stays.

    If somebody else changes it at the same time, the later change is refused.

    Example: farfalia tournament change 3 --rounds 12 --with-event
    """
    draft = _get(server, number, admin_token)
    plan = draft.plan
    named = list(bots or [])
    named += [] if entrants is None else read_entrants(entrants, named)
    if named:
        plan.bots[:] = named
    for field, value in (("name", name), ("ruleset", game), ("event", event)):
        if value:
            setattr(plan, field, value)
    if game or option:
        plan.options.clear()
        plan.options.update(options_of(plan.ruleset, option or [], None))
    if boards is not None:
        plan.boards = BOARDS[boards]
    if rounds is not None:
        plan.rounds = rounds
        del plan.stages[:]
    if stages:
        if rounds:
            raise typer.BadParameter("--rounds and --stages: expected one of them; each stage names its own rounds.")
        plan.rounds = 0
        del plan.stages[:]
        plan.stages.extend(map(stage_message, stages_of(stages, _boards(plan))))
    clock = time_control(limit_ms, bank_ms, grace)
    if clock is not None:
        plan.time_control.CopyFrom(clock)
    if lasting is not None:
        plan.lasting_processes = lasting
    if persons is not None:
        plan.persons = persons
    if alone is not None:
        plan.alone = alone
    if unrated or ladder:
        plan.unrated, plan.ladder = unrated, ladder
    _start(plan, at, with_event)
    _print(_save(server, draft, admin_token).draft, json)


def publish(
    number: Number,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Publish a draft as a tournament, open for entries.

    Example: farfalia tournament publish 3
    """
    made = _save(server, _get(server, number, admin_token), admin_token, publish=True).tournament
    if json:
        print_json(made)
    else:
        note(f"Draft {number} is tournament {made.id}, {made.name}. Start it: farfalia tournament start {made.id}")


def drop(number: Number, server: ServerOption = DEFAULT_SERVER, admin_token: AdminOption = "") -> None:
    """Delete a draft for good."""
    ask(server, "DropTournamentDraft", drafts_pb2.DropTournamentDraftRequest(id=number), admin_token)
    note(f"Draft {number} is dropped.")


def drafts(
    event: EventOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print the drafts of tournaments in the events that you organise."""
    answer = ask(server, "ListTournamentDrafts", drafts_pb2.ListTournamentDraftsRequest(event=event), admin_token)
    if json:
        print_json(answer)
    else:
        _table(answer.drafts)


def _get(server: str, number: int, token: str) -> drafts_pb2.TournamentDraft:
    answer = ask(server, "GetTournamentDraft", drafts_pb2.GetTournamentDraftRequest(id=number), token)
    draft: drafts_pb2.TournamentDraft = answer.draft
    return draft


def _save(
    server: str, draft: drafts_pb2.TournamentDraft, token: str, *, publish: bool = False
) -> drafts_pb2.SaveTournamentDraftResponse:
    request = drafts_pb2.SaveTournamentDraftRequest(draft=draft, publish=publish)
    answer: drafts_pb2.SaveTournamentDraftResponse = ask(server, "SaveTournamentDraft", request, token)
    return answer


def _start(plan: tournaments_pb2.CreateTournamentRequest, at: str, with_event: bool) -> None:
    """Put into a plan how it starts, if an option says it."""
    moment = start_time(at)
    if moment is not None and with_event:
        raise typer.BadParameter("--at and --with-event: expected one of them.")
    if moment is None and not with_event:
        return
    plan.starts_with_event = with_event
    plan.ClearField("starts")
    if moment is not None and moment.seconds:
        plan.starts.CopyFrom(moment)


def _boards(plan: tournaments_pb2.CreateTournamentRequest) -> Boards:
    return next((boards for boards, number in BOARDS.items() if number == plan.boards), Boards.DATUM)


def _print(draft: drafts_pb2.TournamentDraft, json: bool) -> None:
    if json:
        print_json(draft)
    else:
        _table([draft])
        note(f"Publish it: farfalia tournament publish {draft.id}")


def _table(many: Sequence[drafts_pb2.TournamentDraft]) -> None:
    rows = [(one.id, one.plan.name, one.plan.event, one.plan.ruleset, one.who, date(one.changed)) for one in many]
    table(["draft", "<name", "<event", "<game", "<saved by", "<at"], rows, gives_way=["saved by"])
