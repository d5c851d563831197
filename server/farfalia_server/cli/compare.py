"""`farfalia compare`: which of two bots is better, with as few matches as it takes."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import farfalia_engine as engine
from farfalia.arena import ArenaError
from farfalia.v1 import record_pb2, tournaments_pb2
from farfalia_server.cli.games import GameOption, OptionOption, PlayersOption, options_of
from farfalia_server.cli.local_options import (
    BANK_MS,
    GRACE,
    LIMIT_MS,
    PATIENCE,
    BankMs,
    Grace,
    JsonFile,
    Keep,
    LimitMs,
    Proofs,
    RecordsIn,
    SandboxOption,
    Wait,
)
from farfalia_server.cli.output import Bar, note
from farfalia_server.cli.private_server import PrivateServer, folder, secret_of
from farfalia_server.cli.records import write_into
from farfalia_server.cli.run_report import print_report, write_json
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.contract.errors import FarfaliaServerError, RecordError
from farfalia_server.local.bot_specs import BotSpec, BotSpecError, parse
from farfalia_server.local.comparison import ComparisonProgress, ComparisonTerms, comparison_schedule, play_comparison
from farfalia_server.local.startable import check_startable
from farfalia_server.local.tournament import RunReport, Terms, TournamentRun
from farfalia_server.sandbox import NO_SANDBOX
from farfalia_tournaments import FEWEST_UNITS, Comparison, ComparisonAnswer
from farfalia_tournaments.schedules import Boards

#: Exit code if nothing can be said yet.
UNDECIDED = 4


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(compare)


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A bot, as in `farfalia run`.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other bot.")],
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="BOT", help="Another bot at the table; may be repeated. House bots take the other seats."
        ),
    ] = None,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.9999, help="Confidence: at 0.95, one comparison of equals in twenty errs.")
    ] = 0.95,
    margin: Annotated[
        float, typer.Option(min=0, help="Bots that differ by at most this many points per match count as equal.")
    ] = 1.0,
    most: Annotated[int, typer.Option(metavar="BOARDS", min=2, help="Stop after this many boards.")] = 200,
    seed: Annotated[int | None, typer.Option(help="Repeat a comparison: the same seed gives the same deals.")] = None,
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
    proofs: Proofs = False,
) -> None:
    """Find out which of two bots is better.

    Both sit at one table, on opposite sides in games with sides, which plays each board from every seat, so that
    both hold every hand; each match starts a new process of every program. After every board a sequential test looks
    at the differences so far; it is wrong no more often than --confidence allows, however often it looks. The
    comparison stops as soon as one bot is better or both are equal within --margin, after 20 boards at the earliest,
    and undecided after --most boards. While it runs it says how many more boards are likely, once that can be said.
    The first incident of each bot, an illegal or a late answer, is printed at once.
    Ctrl-C stops the comparison and prints what is known so far.

    Exits with 4 if the answer is undecided, and with 1 if a program cannot be started, does not connect or
    ends too early.

    \b
    Examples:
      farfalia compare old=v1/bot.py new=v2/bot.py
      farfalia compare ./mybot cautious --with greedy --with greedy --with greedy
      farfalia compare ./mybot greedy --game two --confidence 0.99 --most 500
    """
    try:
        entrants = parse([a, b, *(others or [])])
        check_startable(entrants)
        options = options_of(game, option or [], players)
        rules = engine.ruleset(game, options)
    except (BotSpecError, engine.RulesetError) as error:
        raise typer.BadParameter(str(error)) from error
    if len(entrants) > rules.seats:
        raise typer.BadParameter(
            f"--with names {len(entrants) - 2} bots; expected at most {rules.seats - 2}, as {game} seats {rules.seats}."
        )
    control = record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=bank_ms, grace=grace)
    rounds, stages = comparison_schedule(most, rules)
    terms = Terms("compare", game, options, rounds, Boards.ROTATIONS, control, stages)
    comparison = ComparisonTerms(entrants[0].name, entrants[1].name, confidence, margin, rules.teams or ())
    with folder(keep, "farfalia-compare-") as data:

        def report(found: Comparison, outcome: RunReport, *, stopped: bool = False) -> None:
            if json != "-":
                verdict = sentence(found, comparison, stopped=stopped)
                print_report(outcome, kept=bool(keep), margins=False, verdict=[verdict], proofs=proofs)
            if json:
                write_json(outcome, json, comparison=_plain(found, comparison))

        server = PrivateServer.in_(data, secret_of(seed), afresh=True, sandbox=sandbox)
        found, outcome = run_until_stopped(
            _compare(server, entrants, terms, comparison, most, wait, records, partial(report, stopped=True))
        )
        report(found, outcome)
    if outcome.died:
        raise typer.Exit(1)
    if found.answer is ComparisonAnswer.UNDECIDED:
        raise typer.Exit(UNDECIDED)


def sentence(found: Comparison, comparison: ComparisonTerms, *, stopped: bool = False) -> str:
    """Return what is known, for people; `stopped` before the test had an answer, or all boards."""
    a, b = comparison.first, comparison.second
    sure = f"with {100 * comparison.confidence:g} % confidence, after {found.units} boards"
    match found.answer:
        case ComparisonAnswer.FIRST:
            return f"{a} is better than {b}: {_points(found)} points per match, {sure}."
        case ComparisonAnswer.SECOND:
            turned = Comparison(found.answer, -found.mean, (-found.interval[1], -found.interval[0]), found.units)
            return f"{b} is better than {a}: {_points(turned)} points per match, {sure}."
        case ComparisonAnswer.EQUAL:
            return f"{a} and {b} are equal within {comparison.margin:g}: {_points(found)} points per match, {sure}."
    more = "" if stopped else "; --most plays more"
    if any(map(math.isinf, found.interval)) or found.units < FEWEST_UNITS:
        return f"Undecided after {found.units} boards, too few to say anything{more}."
    return f"Undecided: {a} makes {_points(found)} points per match against {b}, {sure}{more}."


def _points(found: Comparison) -> str:
    low, high = found.interval
    return f"{found.mean:+.1f} ({low:+.1f} to {high:+.1f})"


def _plain(found: Comparison, comparison: ComparisonTerms) -> dict[str, Any]:
    """Return the same for programs; bounds that are not known yet are null."""
    low, high = (None if math.isinf(bound) else bound for bound in found.interval)
    return {
        "first": comparison.first,
        "second": comparison.second,
        "answer": found.answer.value,
        "mean": found.mean,
        "low": low,
        "high": high,
        "boards": found.units,
        "confidence": comparison.confidence,
        "margin": comparison.margin,
    }


async def _compare(
    server: PrivateServer,
    entrants: list[BotSpec],
    terms: Terms,
    comparison: ComparisonTerms,
    most: int,
    patience: float,
    records: Path | None,
    stopped: Callable[[Comparison, RunReport], None],
) -> tuple[Comparison, RunReport]:
    """Play and compare; if the work is stopped, or fails, `stopped` gets what is known by then."""
    async with server.up() as running:
        bar = Bar("boards", most)
        take = partial(write_into, records) if records else None
        tournament_run = TournamentRun(
            running.arena, running.address, running.data / "output", running.processes, bar.tell
        )
        await tournament_run.enter(running.programs, entrants, patience)
        latest: tuple[Comparison, int] | None = None

        def watch(found: Comparison, more: int | None, now: tournaments_pb2.Tournament) -> None:
            nonlocal latest
            if found.units or now.finished:  # the boards were read after the tournament
                latest = (found, now.id)
            known = not any(map(math.isinf, found.interval))
            said = [f"{comparison.first} {_points(found)}"] * known + [f"likely {more} more"] * (more is not None)
            bar.update(found.units, most, "; ".join(said))

        async def tell(take: Callable[[record_pb2.Record], None] | None) -> None:
            if latest is not None:
                outcome = await tournament_run.so_far(latest[1], take)
                question = ComparisonProgress(running.arena, latest[1], comparison)
                stopped(await question.look(), outcome)

        try:
            with bar:
                found, tournament = await play_comparison(
                    running.arena, tournament_run, terms, entrants, comparison, watch, take
                )
        except asyncio.CancelledError:
            await tell(take)
            raise
        except (FarfaliaServerError, ArenaError) as error:
            with suppress(FarfaliaServerError, ArenaError):  # what failed may fail again
                await tell(None if isinstance(error, RecordError) else take)
            raise
        outcome = await tournament_run.outcome(tournament, take)
    if records:
        note(f"The records of all finished matches are in {records}.")
    return found, outcome
