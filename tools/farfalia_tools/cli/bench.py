"""`farfalia bench`: figures that anyone can measure again."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from farfalia_server.cli.output import Bar, block, print_json
from farfalia_server.cli.remote import JsonOption
from farfalia_server.cli.signals import exit_at_sigterm, run_until_stopped
from farfalia_tools.cli.bench_ranking import COMMANDS

bench = typer.Typer(help="Measure the engine, a whole server, or how to rank bots.", no_args_is_help=True)


AgainstOption = Annotated[
    Path | None,
    typer.Option("--against", metavar="DIRECTORY", help="Another checkout, to be measured in turn with this one."),
]


@bench.callback()
def _bench() -> None:
    exit_at_sigterm()


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    for command in COMMANDS:
        bench.command()(command)
    app.add_typer(bench, name="bench")


@bench.command()
def engine(
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds of CPU time to spend.")] = 20,
    seed: Annotated[int, typer.Option(help="Random seed of deals, plays and the order of the turns.")] = 1,
    against: AgainstOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the engine.

    The figures are decisions, playouts, clones, observations and determinizations per second, and how many of the
    determinizations contradict the play. Where OpenSpiel is installed, its nearest games take turns with ours, for
    the ratio.

    With --against the engine of another checkout takes turns with this one, and the ratios have intervals.
    """
    if against is not None:
        _engine_against(against, seconds, seed, json)
        return
    from farfalia_tools.bench.engine import benchmark
    from farfalia_tools.bench.engine.contest import table

    report = benchmark.run(seconds, seed)
    if json:
        print_json(asdict(report))
    else:
        block(table(report))


def _engine_against(against: Path, seconds: float, seed: int, json: bool) -> None:
    from farfalia_tools.bench.engine import against as engine_against

    with Bar("pairs of processes") as bar:
        report = engine_against.run(against, seconds, seed, done=bar.update)
    if json:
        print_json(asdict(report))
    else:
        block(engine_against.table(report))


@bench.command()
def server(
    tables: Annotated[
        list[int] | None, typer.Option(min=1, max=64, help="Tables of five bots at a time; repeatable. [1, 16, 64]")
    ] = None,
    crowd: Annotated[bool, typer.Option("--crowd", help="Measure 300 bots at 200 tables, too.")] = False,
    seconds: Annotated[
        float, typer.Option(min=0.5, help="Seconds to measure each system at full load, and again at half load.")
    ] = 8,
    against: AgainstOption = None,
    starts: Annotated[
        int | None, typer.Option(min=1, help="How many times to start everything afresh. [1; 6 with --against]")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure a whole server, in turn with the bare transport.

    The figures are decisions per second, what they cost, and how long they take. Quote the ratio rather than
    single figures. At half load the command measures how long a match waits after an answer for its next
    question, batching delay included. A fit separates the CPU time of a match from that of its decisions.

    With --against the server of another checkout takes turns, too, with the same bots.
    """
    from farfalia_tools.bench.server import benchmark

    sizes = [benchmark.Size(count) for count in tables or ()] or list(benchmark.SIZES)
    if crowd:
        sizes.append(benchmark.CROWD)
    with Bar("starts") as bar:
        rows = run_until_stopped(benchmark.run(sizes, seconds, against=against, starts=starts, done=bar.update))
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(benchmark.table(rows, "" if against is None else str(against)))


@bench.command()
def peers(
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds of each run of a library, and of our server.")] = 3,
    runs: Annotated[int, typer.Option(min=1, max=50, help="Runs of each library.")] = 5,
    python: Annotated[
        Path | None, typer.Option(help="An interpreter that has the peers. [a throwaway environment, by pip]")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Try it out in seconds; the figures mean little.")] = False,
    json: JsonOption = False,
) -> None:
    """Measure other arenas and libraries beside ours.

    The figures are decisions per second, and the CPU time of a decision. The command installs OpenSpiel, RLCard,
    PettingZoo and kaggle-environments with pip into an environment that it throws away. What it cannot install or run
    has the figures that were measured last, with a mark.
    """
    from farfalia_tools.bench.peers import benchmark

    scale = benchmark.QUICK if quick else benchmark.Scale(seconds, runs)
    with Bar("steps") as bar:
        report = run_until_stopped(benchmark.run(scale, python=python, done=bar.update))
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))


@bench.command()
def loop(
    seconds: Annotated[float, typer.Option(min=0.5, help="Seconds to measure each part of each scene.")] = 20,
    bots: Annotated[int, typer.Option(min=5, max=5000, help="Connected bots that wait for a seat.")] = 1000,
    matches: Annotated[int, typer.Option(min=1000, max=20_000, help="Matches in the archive.")] = 20_000,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Tables of house bots.")] = 256,
    json: JsonOption = False,
) -> None:
    """Measure what blocks a server's event loop, and for how long.

    Three scenes: many bots that wait for a seat, the pages of an arena with many finished matches, and tables of house
    bots. More than 20 ms is too much: all bots wait meanwhile.
    """
    from farfalia_tools.bench.loop import benchmark

    scale = benchmark.Scale(bots, matches, tables)
    with Bar("scenes") as bar:
        rows = run_until_stopped(benchmark.run(seconds, scale, done=bar.update))
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(benchmark.table(rows))


@bench.command()
def cluster(
    workers: Annotated[
        list[int] | None, typer.Option(min=1, max=64, help="Workers of a server; may be repeated. [1, 2, 4]")
    ] = None,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Tables at which the bots of each server play.")] = 64,
    bots: Annotated[int, typer.Option(min=5, max=1000, help="Bots of each server.")] = 20,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Processes that run these bots.")] = 2,
    seconds: Annotated[float, typer.Option(min=0.5, help="Seconds to measure each server.")] = 8,
    json: JsonOption = False,
) -> None:
    """Measure what several workers add to a server on this machine.

    Servers with 1, 2 and 4 workers take turns, with the same bots at the same tables. The figures are decisions and
    matches per second, and the CPU time of a match. The bots run on this machine, too, so the figures mean most with
    more cores than workers and bot processes.
    """
    from farfalia_tools.bench.server import cluster as cluster_benchmark

    if bots < processes:
        raise typer.BadParameter(f"--processes is {processes}; expected {bots} at most, one for each bot")
    with Bar("turns") as bar:
        rows = run_until_stopped(
            cluster_benchmark.run(
                workers or cluster_benchmark.WORKERS,
                seconds,
                tables=tables,
                bots=bots,
                processes=processes,
                done=bar.update,
            )
        )
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(cluster_benchmark.table(rows))


@bench.command()
def crowd(
    bots: Annotated[
        list[int] | None,
        typer.Option(min=5, max=10_000, help="Connected bots; may be repeated. [100, 300, 1000, 3000]"),
    ] = None,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Tables of the ladder at which they play.")] = 200,
    seconds: Annotated[
        float, typer.Option(min=0.5, help="Seconds to measure each number of bots idle, and at full and half load.")
    ] = 8,
    json: JsonOption = False,
) -> None:
    """Measure what a crowd of connected bots costs.

    The figures are how long it takes to let the bots in, how much memory the server needs for each, what they cost
    while they wait, and how fast those that fit at the tables play beside those that wait.
    """
    from farfalia_tools.bench.server import crowd as crowd_benchmark

    with Bar("sizes") as bar:
        rows = run_until_stopped(crowd_benchmark.run(bots or crowd_benchmark.SIZES, seconds, tables, done=bar.update))
    if json:
        print_json({"rows": [asdict(row) for row in rows]})
    else:
        block(crowd_benchmark.table(rows))


@bench.command()
def web(
    seconds: Annotated[float, typer.Option(min=0.5, help="Seconds to measure each part of each scene.")] = 20,
    matches: Annotated[int, typer.Option(min=100, max=1_000_000, help="Matches in the database.")] = 100_000,
    bots: Annotated[int, typer.Option(min=10, max=10_000, help="Bots in the database.")] = 1000,
    tournaments: Annotated[int, typer.Option(min=1, max=10_000, help="Tournaments in the database.")] = 500,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Tables of house bots beside the pages.")] = 200,
    viewers: Annotated[int, typer.Option(min=1, max=1500, help="Viewers of one live table.")] = 500,
    people: Annotated[int, typer.Option(min=1, max=400, help="People at tables beside those of bots.")] = 200,
    json: JsonOption = False,
) -> None:
    """Measure what people cost: pages, a replay, tables.

    First the command measures the pages of a large arena: how long they take while nobody plays and while house bots
    play, and their bytes and nodes. If Playwright is installed, it then measures how long a replay takes from a key
    press to the painted card, in Chromium at a quarter of the processor's speed. Then many viewers watch one table:
    it measures what they cost everyone else, and how late they see a card. Finally, it measures what people at tables
    of their own, who think three to five seconds about each decision, cost 64 tables of bots.
    """
    from farfalia_tools.bench.web import benchmark
    from farfalia_tools.bench.web.large_arena import Size

    if matches < tournaments:
        raise typer.BadParameter(f"--tournaments is {tournaments}; expected {matches} at most, one for each match")
    size = Size(bots, tournaments, matches)
    with Bar("scenes") as bar:
        report = run_until_stopped(
            benchmark.run(seconds, size, tables=tables, viewers=viewers, people=people, done=bar.update)
        )
    if json:
        print_json(asdict(report))
    else:
        block(benchmark.table(report))
