"""`farfalia run` and `farfalia demo`: a private server for one tournament."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shlex import quote
from shutil import which
from typing import Annotated

import typer

import farfalia_engine as engine
from farfalia import bots as samples
from farfalia.arena import Arena, ArenaError
from farfalia.v1 import record_pb2, tournaments_pb2
from farfalia_server.analysis.match_pricing import can_analyse
from farfalia_server.cli.games import BoardsOption, GameOption, OptionOption, PlayersOption, options_of
from farfalia_server.cli.lasting import check_lasting
from farfalia_server.cli.local_options import (
    BANK_MS,
    GRACE,
    LIMIT_MS,
    PATIENCE,
    BankMs,
    Grace,
    JsonFile,
    Keep,
    Lasting,
    LimitMs,
    Proofs,
    RecordsIn,
    SandboxOption,
    Wait,
)
from farfalia_server.cli.output import Bar, note
from farfalia_server.cli.private_server import PrivateServer, RunningServer, folder, secret_of
from farfalia_server.cli.records import write_into
from farfalia_server.cli.run_losses import plain_losses
from farfalia_server.cli.run_report import print_report, write_json
from farfalia_server.cli.run_verdict import below_others, run_verdict
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.cli.standings import CrosstableOption
from farfalia_server.cli.usage import NamesBots
from farfalia_server.contract.errors import FarfaliaServerError, RecordError
from farfalia_server.local.bot_specs import BotSpec, BotSpecError, parse
from farfalia_server.local.losses import Losses, losses_of
from farfalia_server.local.startable import check_startable
from farfalia_server.local.tournament import RunReport, Terms, TournamentRun
from farfalia_server.sandbox import NO_SANDBOX
from farfalia_tournaments.schedules import Boards

Rounds = Annotated[int, typer.Option(min=0, help="Rounds; 0 for enough that everyone meets everyone.")]
AnalysisSeconds = Annotated[
    float,
    typer.Option(min=0, help="Seconds in which decisions of your program are priced if it loses; 0 for no prices."),
]
Seed = Annotated[int, typer.Option(help="Random seed of the bots.")]

#: Seconds in which decisions are priced.
ANALYSIS_SECONDS = 10.0
#: The default directory of a demo.
DEMO = Path("farfalia-demo")


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.command()(demo)
    app.command(cls=NamesBots)(run)


def run(
    bot: Annotated[
        list[str],
        typer.Option(metavar="BOT", help=f"A program, NAME=PROGRAM, or one of {', '.join(samples.NAMES)}; repeat it."),
    ],
    rounds: Rounds = 0,
    seed: Annotated[
        int | None, typer.Option(help="Repeat a tournament: the same seed gives the same schedule and deals.")
    ] = None,
    boards: BoardsOption = Boards.ROTATIONS,
    game: GameOption = "chinkway",
    players: PlayersOption = None,
    option: OptionOption = None,
    limit_ms: LimitMs = LIMIT_MS,
    bank_ms: BankMs = BANK_MS,
    grace: Grace = GRACE,
    wait: Wait = PATIENCE,
    json: JsonFile = None,
    records: RecordsIn = None,
    keep: Keep = None,
    sandbox: SandboxOption = NO_SANDBOX,
    lasting: Lasting = False,
    crosstable: CrosstableOption = False,
    proofs: Proofs = False,
    analysis_seconds: AnalysisSeconds = ANALYSIS_SECONDS,
) -> None:
    """Run a tournament between local bots on a private server.

    The command starts the server and the bots and plays the tournament. At the end it says in words how your program
    did against the other bots that you named, or else against those that fill the table; then it prints the standings.
    If another bot is better for certain, it prices decisions of your program for some seconds, and says which kind of
    them costs most beside what the bot cautious would do. That needs NumPy.

    A bot is a program that connects to FARFALIA_SERVER with FARFALIA_TOKEN, both in its environment;
    `./mybot --fast`, `node bot.js` and `mybot.py` all work. A house bot plays inside the server. With fewer
    bots than a table has seats, house bots fill it. Incidents (decisions that came too late, illegal
    answers) are listed below the standings; the first one of each bot is printed at once. Ctrl-C stops the
    tournament and prints the standings and incidents so far.

    By default every table plays its board once from every seat, so that every bot holds the good cards once: with five
    seats a round is five matches per table. So that no bot recognises its cards, each match starts a new process with
    another token and terminates it afterwards. With `--boards fresh` programs are started once and play many matches at
    a time. Fast bots then play many more matches in the same time, but the luck of the cards stays in the
    scores: it takes more matches to tell the bots apart. With `--lasting-processes` they are started once, too, and the
    boards stay as they are, if every program gives the same answers after other matches on the same boards.

    Deals are new each time. With `--seed` they follow from the seed, and bots add no nonces: deterministic
    bots then play the same tournament again.

    Programs of other people are safe to try with `--sandbox auto`: they see their own folder and the server, no other
    file and no network, and are ended if they use too much of the machine. Without it, programs have all your rights.

    Exits with 1 if a program cannot be started, does not connect or ends too early, or if the server fails
    at every attempt to play a match.

    \b
    Examples:
      farfalia run --bot ./mybot --bot greedy --rounds 10
      farfalia run --bot old=v1/bot.py --bot new=v2/bot.py --records matches
      farfalia run --bot ./mybot --bot theirs/bot.py --sandbox auto
      farfalia run --bot ./mybot --game farrago --players 3 --option order=random
    """
    try:
        entrants = parse(bot)
        check_startable(entrants)
        options = options_of(game, option or [], players)
        rules = engine.ruleset(game, options)
    except (BotSpecError, engine.RulesetError) as error:
        raise typer.BadParameter(str(error)) from error
    control = record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=bank_ms, grace=grace)
    terms = Terms("run", game, options, rounds, boards, control)
    secret = secret_of(seed)
    afresh = boards is Boards.ROTATIONS and not lasting
    with folder(keep, "farfalia-run-") as data:
        report = partial(
            _report,
            entrants=entrants,
            json=json,
            kept=bool(keep),
            crosstable=crosstable,
            proofs=proofs,
            records=records,
        )
        if lasting:
            check_lasting(entrants, rules, data, sandbox, wait)
        server = PrivateServer.in_(data, secret, afresh=afresh, sandbox=sandbox)
        outcome, losses = run_until_stopped(_run(server, entrants, terms, wait, records, report, analysis_seconds))
        report(outcome, losses=losses)
    if records is None:
        note(
            "",
            f"To look at matches, run it with --records DIR; then `{command()} replay DIR/match-1.json` shows one.",
        )
    if outcome.died or outcome.void:
        raise typer.Exit(1)


def demo(
    rounds: Rounds = 10,
    seed: Seed = 0,
    data: Annotated[Path, typer.Option(file_okay=False, help="Keep everything in this directory.")] = DEMO,
    serve: Annotated[bool, typer.Option("--serve", help="Keep the server and its pages up until Ctrl-C.")] = False,
    json: JsonFile = None,
) -> None:
    """Run a demo: a server, six bots, a tournament.

    The bots are two of each sample, each in a process of its own that connects over gRPC as a bot on
    another machine would. They play a round robin of Chinkway.
    """
    terms = Terms("demo", rounds=rounds)
    with folder(data, "") as kept:
        outcome = run_until_stopped(_demo(PrivateServer.in_(kept), terms, seed, kept / "records", serve, json))
    farfalia = command()
    note(
        "",
        "The standings as a page, and every match card by card:",
        f"  {farfalia} serve --data-dir {quote(str(data))}",
        "One match in the terminal:",
        f"  {farfalia} replay {quote(str(data / 'records' / 'match-1.json'))}",
    )
    if outcome.died or outcome.void:
        raise typer.Exit(1)


def command() -> str:
    """Return what starts the next command from here: in a checkout nothing is on the PATH."""
    return "./farfalia" if which("farfalia") is None and Path("farfalia").is_file() else "farfalia"


async def _play(
    running: RunningServer,
    entrants: Sequence[BotSpec],
    terms: Terms,
    patience: float,
    records: Path | None,
    stopped: Callable[[RunReport], None],
) -> RunReport:
    """Enter everybody and play, with a bar; records are written where that is wanted.

    If the work is stopped, or fails, `stopped` is shown what has come of it so far.
    """
    bar = Bar("matches")
    address, output = running.address, running.data / "output"
    tournament_run = TournamentRun(running.arena, address, output, running.processes, bar.tell)
    await tournament_run.enter(running.programs, entrants, patience)
    take = partial(write_into, records) if records else None
    latest = tournaments_pb2.Tournament()

    def watch(now: tournaments_pb2.Tournament) -> None:
        latest.CopyFrom(now)
        # Bots that are being started again are awaited all the time.
        bar.update(now.finished, now.matches, "" if running.processes else now.waiting)

    async def tell(take: Callable[[record_pb2.Record], None] | None) -> None:
        if latest.finished:
            stopped(await tournament_run.so_far(latest.id, take))

    try:
        with bar:
            outcome = await tournament_run.play(terms, entrants, watch, take)
    except asyncio.CancelledError:
        await tell(take)
        raise
    except (FarfaliaServerError, ArenaError) as error:
        with suppress(FarfaliaServerError, ArenaError):  # what failed may fail again
            await tell(None if isinstance(error, RecordError) else take)
        raise
    if records:
        note(f"The records of all matches are in {records}; `farfalia replay FILE` shows one.")
    return outcome


async def _run(
    server: PrivateServer,
    entrants: Sequence[BotSpec],
    terms: Terms,
    patience: float,
    records: Path | None,
    stopped: Callable[[RunReport], None],
    seconds: float,
) -> tuple[RunReport, dict[str, Losses]]:
    async with server.up() as running:
        outcome = await _play(running, entrants, terms, patience, records, stopped)
        try:
            return outcome, await _losses(running.arena, outcome, below_others(outcome, entrants), seconds)
        except asyncio.CancelledError:
            stopped(outcome)
            raise


async def _losses(arena: Arena, outcome: RunReport, losing: Sequence[str], seconds: float) -> dict[str, Losses]:
    """Return where each of these programs loses its points; all of them together have this many seconds."""
    if not losing or not seconds:
        return {}
    if can_analyse():
        note(f"Decisions of {' and '.join(losing)} are priced for up to {seconds:g} seconds.")
    number = outcome.tournament.id
    return {name: await losses_of(arena, number, name, seconds / len(losing)) for name in losing}


async def _demo(
    server: PrivateServer, terms: Terms, seed: int, records: Path | None, stay: bool, json: str | None
) -> RunReport:
    entrants = [
        BotSpec(f"{sample}-{twin}", command=(sys.executable, "-m", "farfalia.bots", sample, "--seed", f"{seed + twin}"))
        for sample in samples.HOUSE
        if sample not in samples.NEEDING_NUMPY
        for twin in (1, 2)
    ]
    async with server.up() as running:
        pages = running.server.pages
        note(f"The server is up: bots at {running.server.grpc_address}, pages at {pages}.")
        report = partial(_report, entrants=entrants, json=json, kept=records is not None, records=records)
        outcome = await _play(running, entrants, terms, PATIENCE, records, report)
        report(outcome)
        if stay:
            note(
                "",
                f"The pages stay up until Ctrl-C: {pages}tournaments/{outcome.tournament.id}",
                f"Commands find the server by --server {running.server.grpc_address}, and its admin token is",
                running.admin_token,
            )
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
    return outcome


def _report(
    outcome: RunReport,
    entrants: Sequence[BotSpec],
    json: str | None,
    *,
    kept: bool,
    crosstable: bool = False,
    proofs: bool = False,
    records: Path | None = None,
    losses: Mapping[str, Losses] | None = None,
) -> None:
    if json != "-":
        print_report(
            outcome,
            kept,
            crosstable=crosstable,
            command="farfalia run … --crosstable",
            verdict=run_verdict(outcome, entrants, command(), records, losses),
            proofs=proofs,
        )
    if json:
        write_json(outcome, json, losses={name: plain_losses(found) for name, found in (losses or {}).items()})
