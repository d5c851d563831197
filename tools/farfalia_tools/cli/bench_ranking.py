"""`farfalia bench` for methods: how many matches rankings take, and how often they are right."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from farfalia.analysis.prices import FEWEST_WORLDS, WORLDS
from farfalia_server.cli.output import Bar, block, print_json
from farfalia_server.cli.remote import JsonOption
from farfalia_server.contract.untrusted import quoted
from farfalia_server.records.house_bot import ITERATIONS


def fairness(
    repetitions: Annotated[int, typer.Option(min=1, help="Tournaments of each kind; more are more accurate.")] = 8,
    seed: Annotated[int, typer.Option(help="Random seed of deals, tables and errors.")] = 1,
    json: JsonOption = False,
) -> None:
    """Measure how many matches it takes to rank bots.

    10 and 25 bots of known strength play real matches, with several ways to draw tables and boards. It takes some
    minutes on all cores. The intervals of the standings are checked, too: about 95 % of those at 95 % should hold the
    truth.
    """
    from farfalia_tools.bench.fairness import benchmark

    report = benchmark.run(repetitions, seed)
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))


def calibration(
    repetitions: Annotated[
        int, typer.Option(min=1, max=100_000, help="Tournaments of each field and format; fewer of long ones.")
    ] = 20,
    boards: Annotated[
        int, typer.Option(min=1, max=100_000, help="Boards of real matches of five bots, each in five rotations.")
    ] = 40,
    field: Annotated[
        list[str] | None, typer.Option(help="A field to play; may be repeated. [all fields]", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of strengths, tables and luck.")] = 1,
    looks: Annotated[
        bool, typer.Option("--looks", help="Look after every few rounds, too, and stop at the worst moment.")
    ] = False,
    finals: Annotated[
        bool, typer.Option("--finals", help="Play stages, too, that end once the first is known; this takes hours.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a reliability diagram to this file, as SVG.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure how often standings and crosstables are right.

    Bots of known strength play tournaments in many formats, by the real schedules, with simulated luck and with the
    luck of real matches. Of the pairs with a probability of 80 %, four in five should be in the predicted order; 95 %
    of the intervals should hold the truth, the leader's included; and bots of equal strength should hardly ever be told
    apart. It takes a minute or two, and the same seed gives the same table. With --looks, more tournaments are watched
    while they are played: their intervals must be right at every look, and they stop once the leader is known.
    With --finals the report has how many matches stages take until the first is known, and how often it is wrong.
    """
    from farfalia_tools.bench.calibration import benchmark
    from farfalia_tools.bench.calibration import finals as calibration_finals
    from farfalia_tools.bench.calibration import looks as calibration_looks
    from farfalia_tools.bench.calibration.picture import picture as drawn

    if picture is not None and not picture.absolute().parent.is_dir():
        raise typer.BadParameter(f"--picture is {picture}; there is no folder {picture.absolute().parent}.")
    if unknown := [one for one in field or () if one not in benchmark.ALL_FIELDS]:
        raise typer.BadParameter(f"--field is {quoted(unknown[0])}; expected one of {', '.join(benchmark.ALL_FIELDS)}.")
    scale = benchmark.Scale(repetitions, boards, fields=tuple(field or ()))
    with Bar("tournaments") as bar:
        report = benchmark.run(scale, seed, done=bar.update)
    if looks:
        with Bar("watched tournaments") as bar:
            report = replace(report, looks=tuple(calibration_looks.run(repetitions, seed, done=bar.update)))
    if finals:
        with Bar("stages") as bar:
            report = replace(report, finals=tuple(calibration_finals.run(repetitions, seed, done=bar.update)))
    if picture is not None:
        picture.write_text(drawn(report), encoding="utf-8")
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))


def luck(
    matches: Annotated[
        int | None,
        typer.Option(min=300, help="Matches of each field and way to deal, or of each game to fit. [600; 8000]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of deals, tables and errors.")] = 1,
    fit: Annotated[
        Path | None,
        typer.Option(
            "--fit", metavar="FILE", help="Fit the value function again and write its module here; needs NumPy."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure how much luck the value function takes out of scores.

    Fields of different strength play real matches of Chinkway, with fresh cards, one board per round and five
    rotations. The figures are the variance of a score about its bot's mean, with luck and without. The value function
    was fitted on none of these matches and on few of these bots.
    """
    if fit is not None:
        _fit_luck(fit, matches or 8000, seed)
        return
    from farfalia_tools.bench.luck import benchmark

    with Bar("scenes") as bar:
        report = benchmark.run(matches or 600, seed, done=bar.update)
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))


def _fit_luck(path: Path, matches: int, seed: int) -> None:
    from farfalia_tools.bench.luck import fit as luck_fit

    try:
        with Bar("parts") as bar:
            text = luck_fit.fit(matches, str(seed), done=bar.update)
        path.write_text(luck_fit.module(text, f"Made with --matches {matches} --seed {seed}."), encoding="utf-8")
    except ModuleNotFoundError as error:
        raise typer.BadParameter(f"--fit needs NumPy, which is not installed: {error}.") from error
    except OSError as error:
        raise typer.BadParameter(f"--fit {path} cannot be written: {error.strerror}.") from error


def collusion(
    reports: Annotated[
        int, typer.Option(min=1, help="Reports of each kind on each field; more are more accurate.")
    ] = 8,
    joint: Annotated[int, typer.Option(min=20, help="How often any two meet, on average.")] = 400,
    played: Annotated[
        int, typer.Option(min=2, help="The same in the field played, in which a match takes some 50 ms.")
    ] = 20,
    field: Annotated[
        list[str] | None,
        typer.Option(help="A field, as the table names it; may be repeated. [all]", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of strengths, tables and luck.")] = 1,
    json: JsonOption = False,
) -> None:
    """Measure how well the report on collusion works.

    The figures are how often it flags an honest pair, and how often it finds two bots that help each other, or one that
    feeds the other. There are 20 bots, in several kinds of fields, with simulated scores. In the field played, bots of
    all sorts play out their matches of chinkway, and the report tests their cards, too. It takes some minutes on all
    cores.
    """
    from farfalia_tools.bench import collusion as collusion_benchmark

    known = (*collusion_benchmark.FIELDS, collusion_benchmark.PLAYED)
    fields = tuple(dict.fromkeys(field or known))
    if unknown := [one for one in fields if one not in known]:
        raise typer.BadParameter(f"--field is {quoted(unknown[0])}; expected one of {', '.join(known)}.")
    rows = collusion_benchmark.run(reports, joint, seed, played=played, fields=fields)
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(collusion_benchmark.table(rows))


def pairing(
    bots: Annotated[int, typer.Option(min=10, max=100_000, help="Bots that come and go.")] = 30,
    matches: Annotated[int, typer.Option(min=40, help="Matches of each ladder.")] = 6000,
    repetitions: Annotated[int, typer.Option(min=1, help="Ladders of each kind; more are more accurate.")] = 3,
    seating: Annotated[
        list[str] | None,
        typer.Option(help="ladder, random or teaches-most; may be repeated. [all three]", show_default=False),
    ] = None,
    cards: Annotated[
        float,
        typer.Option(min=0, max=0.95, help="Share of luck's variance that is the cards' and is taken out of ratings."),
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Random seed of strengths, tables and luck.")] = 1,
    json: JsonOption = False,
) -> None:
    """Measure ways to choose who plays next on a ladder.

    The figures are how soon the ladder is in order (Kendall's tau of 0.9 and 0.95), and whether ratings drift. The
    ladder's own way, random tables, and tables that teach most play with the same bots. A match takes about a quarter
    of a millisecond, however many bots there are; by teaches-most it takes 1 ms with 300 bots and 10 with 3,000. So
    for 3,000 bots, which need more than a million matches, choose the other two.
    """
    from farfalia_tools.bench import pairing as pairing_benchmark

    policies = tuple(dict.fromkeys(seating or pairing_benchmark.POLICIES))
    if unknown := [one for one in policies if one not in pairing_benchmark.POLICIES]:
        expected = ", ".join(pairing_benchmark.POLICIES)
        raise typer.BadParameter(f"--seating is {quoted(unknown[0])}; expected one of {expected}.")
    with Bar("ladders") as bar:
        held = [0]

        def done() -> None:
            held[0] += 1
            bar.update(held[0], len(policies) * repetitions)

        rows = pairing_benchmark.run(bots, matches, repetitions, seed, done, policies, cards)
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(pairing_benchmark.table(rows))


def strengths(
    game: Annotated[list[str] | None, typer.Option(help="May be repeated. [all games]", show_default=False)] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(help="Measure these in the place of --other. May be repeated. [the rungs]", show_default=False),
    ] = None,
    other: Annotated[
        str | None, typer.Option(help="With --bot: in whose place they play. [cautious]", show_default=False)
    ] = None,
    deals: Annotated[
        int,
        typer.Option(min=2, help="Deals of each game; rungs below expert play two or eight times more."),
    ] = 40,
    iterations: Annotated[int, typer.Option(min=1, help="Rollouts per decision of all that search.")] = ITERATIONS,
    milliseconds: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="With --bot: CPU time per decision instead; each gets as many rollouts as that allows here.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the deals.")] = 1,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Rungs of how many games to measure at a time. [one on each core]")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure how strong the sample bots are.

    Each rung, from random to expert, plays the same deals in each seat of a table of the rung below, and of one of
    cautious. A row says how many points of a match it gains over that bot, with the standard error, as a share of what
    a player gains that sees all cards, and what a decision costs. With --bot other bots are measured, at a table of any
    bot. It needs NumPy.
    """
    from farfalia.errors import BadSetting
    from farfalia_engine import GAMES, RulesetError, ruleset
    from farfalia_tools.bench import rungs
    from farfalia_tools.bench import strengths as benchmark

    if not bot and (other is not None or milliseconds is not None):
        option = "--other" if other is not None else "--milliseconds"
        raise typer.BadParameter(f"{option} goes with --bot; the rungs are measured without it.")
    games, other = list(dict.fromkeys(game or sorted(GAMES))), other or rungs.BASE
    try:
        for name in games:
            ruleset(name)
        for name in (*(bot or ()), other, benchmark.OPEN_CAUTIOUS):
            benchmark.player(name, iterations)
    except (RulesetError, BadSetting) as error:
        raise typer.BadParameter(str(error)) from error
    if bot:
        with Bar("players") as bar:
            found = benchmark.run(games, bot, other, deals, iterations, seed, bar.update, milliseconds)
        if json:
            print_json({"rows": [asdict(row) for row in found]})
        else:
            block(benchmark.table(found, other))
        return
    rows: list[rungs.Rung] = []
    with Bar("games") as bar:
        for measured in rungs.run(games, deals, iterations, seed, processes):
            rows += measured
            bar.update(len(rows) // len(measured), len(games))
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(rungs.table(rows))


def analysis(
    game: Annotated[list[str] | None, typer.Option(help="May be repeated. [all games]", show_default=False)] = None,
    deals: Annotated[int, typer.Option(min=4, help="Deals of each game; more are more accurate.")] = 60,
    worlds: Annotated[
        int, typer.Option(min=FEWEST_WORLDS, help="Worlds in which the analysis tries every action.")
    ] = WORLDS,
    iterations: Annotated[int, typer.Option(min=1, help="Rollouts per decision of expert.")] = 1000,
    other: Annotated[str, typer.Option(help="The bot in all other seats.")] = "cautious",
    seed: Annotated[int, typer.Option(help="Random seed of the deals.")] = 1,
    json: JsonOption = False,
) -> None:
    """Measure whether the prices of `farfalia analyse` are right.

    In positions of real deals all sample bots say what they would do. A row says what their decisions cost on average,
    with the standard error; how many points they lose in the true cards for each point of the price, which should be 1;
    how often the choice of a longer analysis is called a mistake, which it is not; and the CPU time of a position. It
    needs NumPy, and takes some minutes.
    """
    from farfalia.bots import create
    from farfalia.errors import BadSetting
    from farfalia_engine import GAMES, RulesetError, ruleset

    games = game or sorted(GAMES)
    try:
        for name in games:
            ruleset(name)
        create("expert")  # says what is missing
        create(other)
    except (RulesetError, BadSetting) as error:
        raise typer.BadParameter(str(error)) from error
    from farfalia_tools.bench import analysis as benchmark

    with Bar("deals") as bar:
        report = benchmark.run(games, deals, worlds, iterations, other, seed, done=bar.update)
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))


COMMANDS = (fairness, calibration, luck, collusion, pairing, strengths, analysis)
