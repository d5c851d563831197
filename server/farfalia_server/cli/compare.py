"""`farfalia compare`: which of two bots is better, with as few matches as it takes."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import farfalia_engine as engine
from farfalia.arena import ArenaError
from farfalia.v1 import record_pb2, tournaments_pb2
from farfalia_server.cli.games import GameOption, OptionOption, PlayersOption, options_of
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
from farfalia_server.cli.private_server import PrivateServer, folder, secret_of
from farfalia_server.cli.records import write_into
from farfalia_server.cli.run_report import print_report, write_json
from farfalia_server.cli.signals import run_until_stopped
from farfalia_server.contract.errors import FarfaliaServerError, RecordError
from farfalia_server.local.bot_specs import BotSpec, BotSpecError, parse
from farfalia_server.local.comparison import (
    ComparisonProgress,
    ComparisonTerms,
    comparison_schedule,
    play_comparison,
    seated,
)
from farfalia_server.local.startable import check_startable
from farfalia_server.local.tournament import RunReport, Terms, TournamentRun
from farfalia_server.sandbox import NO_SANDBOX
from farfalia_tournaments import FEWEST_UNITS, Comparison, ComparisonAnswer
from farfalia_tournaments.schedules import Boards

#: Points per match within which two are equal, where no difference is expected.
MARGIN = 1.0
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
        float | None,
        typer.Option(
            min=0,
            help="Bots that differ by at most this many points per match count as equal.",
            show_default=f"{MARGIN:g}",
        ),
    ] = None,
    expect: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            min=0.1,
            max=1000,
            help="Test whether one is better by this many points per match, by SPRT: sooner, for boards that are not "
            "too far from normal.",
        ),
    ] = None,
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
    lasting: Lasting = False,
    proofs: Proofs = False,
) -> None:
    """Find out which of two bots is better.

    Both sit at one table, on opposite sides in games with sides, which plays each board from every seat, so that
    both hold every hand; each match starts a new process of every program, unless
    `--lasting-processes` lets them stay. Each bot has two seats if the table has
    room for them, and a second name there, such as new-2. After every board a sequential test looks
    at the differences so far; it is wrong no more often than --confidence allows, however often it looks. The
    comparison stops as soon as one bot is better or both are equal within --margin, after 20 boards at the earliest,
    and undecided after --most boards. While it runs it says how many more boards are likely, once that can be said.

    With --expect 3 a sequential probability ratio test (SPRT) asks whether one is better by 3 points per match or both
    are equal. It shows its log-likelihood ratio (LLR) with the bounds at which it ends, and the likelihood that
    the first is better (LOS). Equals are told apart, and a difference of 3 is missed, with a probability of 5 % each,
    or what --confidence leaves.

    The first incident of each bot, an illegal or a late answer, is printed at once.
    Ctrl-C stops the comparison and prints what is known so far.

    Exits with 4 if the answer is undecided, and with 1 if a program cannot be started, does not connect or
    ends too early.

    \b
    Examples:
      farfalia compare old=v1/bot.py new=v2/bot.py
      farfalia compare old=v1/bot.py new=v2/bot.py --expect 3
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
    if margin is not None and expect is not None:
        raise typer.BadParameter("--margin and --expect are two questions; expected one of them.")
    playing, places = seated(entrants, rules)
    control = record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=bank_ms, grace=grace)
    rounds, stages = comparison_schedule(most, rules)
    terms = Terms("compare", game, options, rounds, Boards.ROTATIONS, control, stages)
    names = [entrant.name for entrant in playing[: 2 * places]]
    comparison = ComparisonTerms(
        names[::2], names[1::2], confidence, MARGIN if margin is None else margin, expect, rules.teams or ()
    )
    with folder(keep, "farfalia-compare-") as data:

        def report(progress: ComparisonProgress, outcome: RunReport, *, stopped: bool = False) -> None:
            if json != "-":
                verdict = [sentence(progress.found, comparison, stopped=stopped), *remarks(progress, comparison)]
                print_report(outcome, kept=bool(keep), conduct_only=True, verdict=verdict, proofs=proofs)
            if json:
                write_json(outcome, json, comparison=_plain(progress, comparison))

        if lasting:
            check_lasting(entrants, rules, data, sandbox, wait)
        server = PrivateServer.in_(data, secret_of(seed), afresh=not lasting, sandbox=sandbox)
        progress, outcome = run_until_stopped(
            _compare(server, playing, terms, comparison, most, wait, records, partial(report, stopped=True))
        )
        report(progress, outcome)
    if outcome.died:
        raise typer.Exit(1)
    if progress.found.answer is ComparisonAnswer.UNDECIDED:
        raise typer.Exit(UNDECIDED)


def sentence(found: Comparison, comparison: ComparisonTerms, *, stopped: bool = False) -> str:
    """Return what is known, for people; `stopped` before the test had an answer, or all boards."""
    a, b = comparison.first, comparison.second
    more = "" if stopped or found.answer is not ComparisonAnswer.UNDECIDED else "; --most plays more"
    few = found.units < FEWEST_UNITS or (found.ratio is None and any(map(math.isinf, found.interval)))
    if few and found.answer is ComparisonAnswer.UNDECIDED:
        return f"Undecided after {found.units} boards, too few to say anything{more}."
    sure = f"with {100 * comparison.confidence:g} % confidence, after {found.units} boards"
    equal = f"equal within {comparison.margin:g}"
    if found.ratio is not None:
        sure = f"after {found.units} boards, {_ratio(found)}"
        equal = f"closer than {found.ratio.expected:g}"
    match found.answer:
        case ComparisonAnswer.FIRST:
            return f"{a} is better than {b}: {_points(found)} points per match, {sure}."
        case ComparisonAnswer.SECOND:
            return f"{b} is better than {a}: {_points(_turned(found))} points per match, {sure}."
        case ComparisonAnswer.EQUAL:
            return f"{a} and {b} are {equal}: {_points(found)} points per match, {sure}."
    return f"Undecided: {a} makes {_points(found)} points per match against {b}, {sure}{more}."


def remarks(progress: ComparisonProgress, comparison: ComparisonTerms) -> list[str]:
    """Return what has to be known beside the answer: lost seats, boards that were missed, and second names."""
    said = []
    for name in (comparison.first, comparison.second):
        if lost := progress.lost[name]:
            matches = "1 match" if lost == 1 else f"{lost} matches"
            said.append(f"{name} lost a seat in {matches}, where it has no points; that counts in full.")
    if missed := progress.missed:
        boards = "1 board says" if missed == 1 else f"{missed} boards say"
        said.append(f"{boards} nothing: one of the two was gone there before it was asked.")
    if second := [*comparison.firsts[1:], *comparison.seconds[1:]]:
        said.append(
            f"{' and '.join(second)} are {comparison.first} and {comparison.second} at their second seats; "
            "points are means of both."
        )
    return said


def _turned(found: Comparison) -> Comparison:
    """Return the same as seen from the second bot."""
    low, high = found.interval
    return replace(found, mean=-found.mean, interval=(-high, -low), superiority=1 - found.superiority)


def _points(found: Comparison) -> str:
    if found.ratio is not None:
        return f"{found.mean:+.1f}"
    low, high = found.interval
    return f"{found.mean:+.1f} ({low:+.1f} to {high:+.1f})"


def _ratio(found: Comparison) -> str:
    """Return how the test of an expected difference stands; LOS is that of the one who is ahead."""
    ratio = found.ratio
    assert ratio is not None
    los = 100 * max(found.superiority, 1 - found.superiority)
    return f"LLR {ratio.llr:.2f} ({ratio.lower:.2f}, {ratio.upper:.2f}) [0, {ratio.expected:g}], LOS {los:.1f} %"


def _plain(progress: ComparisonProgress, comparison: ComparisonTerms) -> dict[str, Any]:
    """Return the same for programs; what is not known yet, or not asked, is null."""
    found = progress.found
    low, high = (None if math.isinf(bound) else bound for bound in found.interval)
    return {
        "first": comparison.first,
        "second": comparison.second,
        "seats": [list(comparison.firsts), list(comparison.seconds)],
        "answer": found.answer.value,
        "mean": found.mean,
        "low": low,
        "high": high,
        "boards": found.units,
        "boards_missed": progress.missed,
        "seats_lost": {name: progress.lost[name] for name in (comparison.first, comparison.second)},
        "confidence": comparison.confidence,
        "margin": None if comparison.expected is not None else comparison.margin,
        "sprt": None if found.ratio is None else asdict(found.ratio),
        "los": found.superiority,
    }


async def _compare(
    server: PrivateServer,
    entrants: list[BotSpec],
    terms: Terms,
    comparison: ComparisonTerms,
    most: int,
    patience: float,
    records: Path | None,
    stopped: Callable[[ComparisonProgress, RunReport], None],
) -> tuple[ComparisonProgress, RunReport]:
    """Play and compare; if the work is stopped, or fails, `stopped` gets what is known by then."""
    async with server.up() as running:
        bar = Bar("boards", most)
        take = partial(write_into, records) if records else None
        tournament_run = TournamentRun(
            running.arena, running.address, running.data / "output", running.processes, bar.tell
        )
        await tournament_run.enter(running.programs, entrants, patience)
        begun = 0

        def watch(progress: ComparisonProgress, now: tournaments_pb2.Tournament) -> None:
            nonlocal begun
            found = progress.found
            if found.units or now.finished:  # the boards were read after the tournament
                begun = now.id
            bar.update(found.units, most, "; ".join(_running(progress, comparison)))

        async def tell(take: Callable[[record_pb2.Record], None] | None) -> None:
            if begun:
                outcome = await tournament_run.so_far(begun, take)
                progress = ComparisonProgress(running.arena, begun, comparison)
                await progress.look()
                stopped(progress, outcome)

        try:
            with bar:
                progress, tournament = await play_comparison(
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
    return progress, outcome


def _running(progress: ComparisonProgress, comparison: ComparisonTerms) -> list[str]:
    """Return what is said of a comparison while it goes on."""
    found = progress.found
    said = []
    if found.ratio is not None and found.units > 1:
        said = [f"{comparison.first} {_points(found)}", _ratio(found)]
    elif not any(map(math.isinf, found.interval)):
        said = [f"{comparison.first} {_points(found)}", f"LOS {100 * found.superiority:.1f} %"]
    more = progress.likely_more
    return [*said, f"likely {more} more"] if more is not None else said
