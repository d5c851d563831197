"""`farfalia tournament`: plan one on a server, start it, watch it, end it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from farfalia.arena import ArenaError, SyncArena
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import acts_pb2, bots_pb2, matches_pb2, tournaments_pb2
from farfalia_server.cli.entrants_file import check_known, read_entrants
from farfalia_server.cli.games import BoardsOption, GameOption, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import Bar, note, print_json, table
from farfalia_server.cli.remote import AdminOption, EventOption, JsonOption, ServerOption, ask, ask_all
from farfalia_server.cli.standings import CrosstableOption, print_deals, print_one, print_tournament
from farfalia_server.cli.tournament_draft import DraftOption, change, create_draft, drafts, drop, publish
from farfalia_server.cli.tournament_field import enter, withdraw
from farfalia_server.cli.tournament_plan import plan
from farfalia_server.cli.tournament_results import replay, void
from farfalia_server.cli.tournament_terms import (
    STAGES_HELP,
    AloneOption,
    CountsOnOption,
    LastingOption,
    Number,
    PersonsOption,
    ReasonOption,
    StartAtOption,
    UnratedOption,
    WithEventOption,
    stages_of,
    start_time,
    time_control,
    until_stages,
)
from farfalia_server.cli.void_attempts import print_void_attempts
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.wording.acts import act_who, act_words
from farfalia_server.wording.phrases import date, tournament_status
from farfalia_tournaments.schedules import Boards

tournaments = typer.Typer(help="Tournaments: plan, create, start, watch, show, and more.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    for command in (enter, withdraw, void, replay, plan, change, publish, drop, drafts):
        tournaments.command()(command)
    app.add_typer(tournaments, name="tournament")


@tournaments.command()
def create(
    name: Annotated[str, typer.Argument(help="Its name, up to 80 characters.")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="Names of registered bots, and of house bots as house-greedy-1; house bots fill a table.",
        ),
    ] = None,
    entrants: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with names of more bots, one per line; # starts a comment."),
    ] = None,
    game: GameOption = "chinkway",
    players: PlayersOption = None,
    option: OptionOption = None,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds; 0 for enough that everyone meets everyone.")] = 0,
    stages: Annotated[str, typer.Option(metavar="STAGES", help=STAGES_HELP)] = "",
    until: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help='Stop once the leaders are this certain, after --rounds at the latest, such as "first 3 at 95 %".',
        ),
    ] = "",
    boards: BoardsOption = Boards.DATUM,
    limit_ms: Annotated[int | None, typer.Option(min=1, help="Milliseconds per decision.")] = None,
    bank_ms: Annotated[
        int | None,
        typer.Option(min=0, help="Milliseconds in the time bank of a match, which pays for longer decisions."),
    ] = None,
    grace: Annotated[int | None, typer.Option(min=0, help="Strikes that a seat survives.")] = None,
    beacon_source: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help='Announce a public value that is mixed into all deals: where it comes from, such as "drand quicknet".',
        ),
    ] = "",
    beacon_round: Annotated[
        str, typer.Option(metavar="TEXT", help="The round of that source, whose value nobody can know yet.")
    ] = "",
    pause_percent: Annotated[
        int, typer.Option(min=0, max=100, help="Pause when this share of its bots is lost together; 0 for never.")
    ] = 50,
    pause_within: Annotated[
        int, typer.Option(metavar="SECONDS", min=1, max=3600, help="What counts as at once for --pause-percent.")
    ] = 30,
    pause_settling: Annotated[
        int, typer.Option(metavar="SECONDS", min=0, max=3600, help="Go on when the bots are back for this long.")
    ] = 10,
    lasting: LastingOption = None,
    persons: PersonsOption = None,
    alone: AloneOption = None,
    unrated: UnratedOption = False,
    ladder: CountsOnOption = "",
    event: EventOption = "",
    start: Annotated[bool, typer.Option("--start", help="Start it immediately.")] = False,
    draft: DraftOption = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Create a tournament, with its whole schedule.

    `start` begins it. The server's own time control applies unless you give all three figures.
    """
    clock = time_control(limit_ms, bank_ms, grace)
    if start and (beacon_source or beacon_round):
        raise typer.BadParameter(
            "--start with a beacon: its value is not known yet; give it to `tournament start --beacon-value`."
        )
    named = list(bots or [])
    named += [] if entrants is None else read_entrants(entrants, named)
    if draft and start:
        raise typer.BadParameter("--draft and --start: expected one of them; a draft is published first.")
    if not (named or draft):
        raise typer.BadParameter("no entrants are given: expected bots, or a file of them with --entrants.")
    request = tournaments_pb2.CreateTournamentRequest(
        name=name,
        ruleset=game,
        options=options_of(game, option or [], players),
        bots=named,
        rounds=0 if until else rounds,
        time_control=clock,
        boards=BOARDS[boards],
        beacon_source=beacon_source,
        beacon_round=beacon_round,
        unrated=unrated,
        ladder=ladder,
        lasting_processes=bool(lasting),
        persons=bool(persons),
        alone=bool(alone),
        event=event,
        network_rule=tournaments_pb2.NetworkRule(percent=pause_percent, seconds=pause_within, settling=pause_settling),
        stages=map(stage_message, until_stages(until, rounds, stages, boards) if until else stages_of(stages, boards)),
    )
    try:
        if draft:
            create_draft(server, request, admin_token, json)
            return
        made = ask(server, "CreateTournament", request, admin_token).tournament
    except ArenaError:
        if entrants is not None:  # then which of its lines are wrong is of more use
            known = {bot.name for bot in ask_all(server, "ListBots", bots_pb2.ListBotsRequest()).bots}
            check_known(entrants, known)
        raise
    print_one(_start(server, made.id, admin_token) if start else made, json)
    if start:
        note(f"Follow it: farfalia tournament watch {made.id}")
    else:
        note(f"Start it: farfalia tournament start {made.id}")


@tournaments.command("start")
def start_one(
    number: Number,
    beacon_value: Annotated[
        str, typer.Option(metavar="TEXT", help="Value of the beacon that was announced, 8 to 64 bytes; it is final.")
    ] = "",
    at: StartAtOption = "",
    with_event: WithEventOption = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Start a tournament.

    The server collects what bots and beacon add to its secret, draws each entrant's place in the schedule, and queues
    the matches.
    """
    print_one(_start(server, number, admin_token, beacon_value, at, with_event=with_event), json)


@tournaments.command()
def watch(
    number: Number,
    crosstable: CrosstableOption = False,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Follow a tournament to its end, and print its standings."""
    print_one(_watch(server, number), json, crosstable=crosstable)


@tournaments.command()
def show(
    number: Number,
    crosstable: CrosstableOption = False,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Print a tournament's state, standings and void attempts."""
    tournament = ask(server, "GetTournament", tournaments_pb2.GetTournamentRequest(id=number)).tournament
    if json:
        print_json(tournament)
        return
    print_tournament(tournament, crosstable=crosstable)
    if tournament.void_attempts:
        request = matches_pb2.ListVoidAttemptsRequest(tournament=number)
        print_void_attempts(ask(server, "ListVoidAttempts", request).attempts, tournament.void_attempts)
    print_deals(tournament)


@tournaments.command("list")
def list_all(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print all tournaments, newest first."""
    answer = ask_all(server, "ListTournaments", tournaments_pb2.ListTournamentsRequest())
    if json:
        print_json(answer)
    else:
        print_list(answer.tournaments)


@tournaments.command()
def cancel(
    number: Number,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Cancel a tournament; its open matches are given up, unrated.

    Its secret and nonces are published.
    """
    request = tournaments_pb2.CancelTournamentRequest(id=number, reason=reason)
    print_one(ask(server, "CancelTournament", request, admin_token).tournament, json)


@tournaments.command()
def pause(
    number: Number,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Pause a tournament: no match begins until you resume it.

    Matches in play are played on.

    Example: farfalia tournament pause 3 --reason "the switch is down"
    """
    request = tournaments_pb2.PauseTournamentRequest(id=number, reason=reason)
    print_one(ask(server, "PauseTournament", request, admin_token).tournament, json)


@tournaments.command()
def resume(
    number: Number,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Let a paused tournament go on, also one that has paused itself.

    Example: farfalia tournament resume 3
    """
    request = tournaments_pb2.ResumeTournamentRequest(id=number, reason=reason)
    print_one(ask(server, "ResumeTournament", request, admin_token).tournament, json)


@tournaments.command()
def log(number: Number, server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print what was done to a tournament: when, by whom and why."""
    answer = ask(server, "ListActs", acts_pb2.ListActsRequest(tournament=number))
    if json:
        print_json(answer)
    else:
        rows = [(date(act.time), act_who(act), act_words(act)) for act in answer.acts]
        table(["<time", "<who", "<what"], rows)


def _start(
    server: str, number: int, admin_token: str, beacon_value: str = "", at: str = "", *, with_event: bool = False
) -> tournaments_pb2.Tournament:
    request = tournaments_pb2.StartTournamentRequest(
        id=number, beacon_value=beacon_value, at=start_time(at), with_event=with_event
    )
    answer = ask(server, "StartTournament", request, admin_token)
    started: tournaments_pb2.Tournament = answer.tournament
    return started


def _watch(server: str, number: int) -> tournaments_pb2.Tournament:
    latest = tournaments_pb2.Tournament(id=number)
    with SyncArena(server) as arena, Bar(f"tournament {number}") as bar:
        for answer in arena.watch_tournament(id=number):
            latest = answer.tournament
            bar.update(latest.finished, latest.matches, latest.waiting)
    return latest


def print_list(many: Sequence[tournaments_pb2.Tournament]) -> None:
    """Print a line about each."""
    rows = [(t.id, t.name, t.ruleset, f"{t.finished}/{t.matches}", t.void_attempts, tournament_status(t)) for t in many]
    table(["number", "<name", "<game", "matches", "void attempts", "<state"], rows, gives_way=["void attempts"])
