"""`farfalia tournament plan`: a tournament in numbers, before anything is played. It needs no server."""

from dataclasses import asdict
from typing import Annotated

import typer

import farfalia_engine as engine
from farfalia.v1 import tournaments_pb2
from farfalia_server.cli.games import BoardsOption, GameOption, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import print_json, prose, say, table
from farfalia_server.cli.remote import JsonOption, ask
from farfalia_server.contract.bounds import MOST_ENTRANTS, MOST_ROUNDS
from farfalia_server.organising.measured_noise import MeasuredNoise, measured_noise, worth_reading
from farfalia_server.organising.plan_figures import plan_figures
from farfalia_server.wording.measured_noise import noise_words
from farfalia_tournaments import Plan, PlannedStage, ScheduleError, Span
from farfalia_tournaments.schedules import Boards


def plan(
    entrants: Annotated[int, typer.Option(min=1, max=MOST_ENTRANTS, help="Number of entrants.")],
    rounds: Annotated[
        int, typer.Option(min=0, max=MOST_ROUNDS, help="Rounds; 0 for enough that everyone meets everyone.")
    ] = 0,
    stages: Annotated[str, typer.Option(metavar="STAGES", help="Stages, as in `create`.")] = "",
    game: GameOption = "chinkway",
    players: PlayersOption = None,
    option: OptionOption = None,
    boards: BoardsOption = Boards.DATUM,
    decision_ms: Annotated[float, typer.Option(min=0, help="Milliseconds per decision, on average.")] = 20,
    tables: Annotated[int, typer.Option(min=1, help="Matches played at a time.")] = 4,
    measured: Annotated[
        str, typer.Option("--measured", metavar="SERVER", help="Count on the noise of matches measured on this server.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Print what to expect of a tournament before it is played.

    The figures are how balanced it is, how many matches it has, how long it takes, and which difference in strength it
    can detect. They count on noise that was measured with sample bots, or with --measured in tournaments of a server.
    """
    try:
        if stages and rounds:
            raise typer.BadParameter("--rounds and --stages: expected one of them; each stage names its own rounds.")
        options = options_of(game, option or [], players)
        rules = engine.ruleset(game, options)
        noise = _measured(measured, rules.name, options) if measured else None
        found = plan_figures(
            game,
            options,
            entrants,
            rounds=rounds,
            stages=stages,
            boards=boards,
            decision_ms=decision_ms,
            tables=tables,
            noise=None if noise is None else noise.noise,
        )
    except (engine.RulesetError, ScheduleError) as error:
        raise typer.BadParameter(str(error)) from error
    if json:
        print_json(_plain(found, rules.name, noise))
        return
    if rules.seats > entrants:
        prose(f"House bots take {rules.seats - entrants} of the {rules.seats} seats of a table.")
    print_plan(found, decision_ms, tables, rules, noise)


def _measured(server: str, game: str, options: dict[str, str]) -> MeasuredNoise:
    """Return how noisy matches were in the last tournaments of a server."""
    listed = ask(server, "ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    asked = [tournaments_pb2.GetTournamentRequest(id=one.id) for one in worth_reading(listed, game, options)]
    return measured_noise(game, [ask(server, "GetTournament", one).tournament for one in asked])


def print_plan(
    found: Plan, decision_ms: float, tables: int, rules: engine.Ruleset, noise: MeasuredNoise | None = None
) -> None:
    """Print a line of figures per stage, what each stage does, and what the figures mean."""
    heads = ["#", "<stage", "entrants", "rounds", "matches", "each", "meetings", "byes", "±", "min diff"]
    rows = [
        [
            number,
            str(one.stage),
            one.entrants,
            one.rounds,
            one.matches,
            str(one.matches_each),
            _span(one.meetings),
            _span(one.byes),
            f"{1.96 * one.standard_error:.1f}",
            f"{one.minimum_detectable_difference:.1f}",
        ]
        for number, one in enumerate(found.stages, start=1)
    ]
    table(heads, rows, gives_way=["stage"], tell=False)
    say("")
    prose(*(f"Stage {number}, {one.stage}: {one.balance.sentence}" for number, one in enumerate(found.stages, start=1)))
    prose(
        f"{found.matches} matches, about {_time(found.seconds or 0)} with {decision_ms:g} ms per decision"
        f" and {tables} {'table' if tables == 1 else 'tables'} at a time.",
        "each: matches per bot; meetings: per pair, in a Swiss those of a trial; byes: rounds without a match;"
        " ±: 95 % margin of a bot's points per match; min diff: minimum detectable difference between two bots,"
        " at 95 % confidence and 80 % power.",
        _source(found, rules, noise),
    )


def _source(found: Plan, rules: engine.Ruleset, noise: MeasuredNoise | None) -> str:
    """Return where the noise is from."""
    without = "without the luck of the cards, " if rules.value_function else ""
    said = f"Both are those of adjusted scores, {without}"
    if noise is not None:
        return f"{said.rstrip(', ')}. {noise_words(noise.matches, [one.stage.boards for one in found.stages])}"
    options = f" in {rules.name} with its default options: with others they are a guess" if rules.options else ""
    return f"{said}measured with sample bots{options}."


def _span(span: Span | None) -> str:
    return "–" if span is None else str(span)


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{max(1, round(seconds))} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _plain(found: Plan, game: str, noise: MeasuredNoise | None) -> dict[str, object]:
    return {
        "game": game,
        "matches": found.matches,
        "seconds": found.seconds,
        "measured_matches": {} if noise is None else {kind.value: number for kind, number in noise.matches.items()},
        "stages": [_stage(one) for one in found.stages],
    }


def _stage(one: PlannedStage) -> dict[str, object]:
    balance = asdict(one.balance) | {"text": one.balance.sentence}
    return asdict(one) | {"stage": str(one.stage), "balance": balance}
