"""`farfalia analyse`: what each decision of a match cost."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

import typer

import farfalia_engine as engine
from farfalia.analysis.prices import FEWEST_WORLDS, WORLDS, PricedDecision, check_priced
from farfalia.analysis.totals import total
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import record_pb2
from farfalia_server.cli.output import Bar, print_json, prose, say, table
from farfalia_server.cli.record_argument import RECORD_HELP, load_valid, seat_of
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.contract.conduct import REPLACED
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.missing_extra import install_line
from farfalia_server.records import codec
from farfalia_server.wording.phrases import decimal
from farfalia_server.wording.prices import ASPECTS, open_cards_words, place_price_words, price_words

#: What is said below the figures.
_LEGEND = (
    "A price is how many points of the deal, less the mean of the others', the best action is worth more than what was "
    "done, by what the seat could know; ± is its standard error. A mistake costs more than two standard errors."
)


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(analyse)


def analyse(
    record: Annotated[str, typer.Argument(help=RECORD_HELP)],
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Only its decisions: the number of a seat, from 0, or who sat there."),
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="Show this many of the dearest mistakes.")] = 10,
    worlds: Annotated[
        int, typer.Option(min=FEWEST_WORLDS, max=100_000, help="Worlds in which every action is tried.")
    ] = WORLDS,
    seed: Annotated[int, typer.Option(help="Random seed of the worlds.")] = 0,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Say what each decision of a match cost.

    Every legal action is tried in worlds that the seat could be in, weighed by how the others have played, and each
    is played out to the end of the deal as the bot cautious plays. The price of a decision is how far what was done is
    behind the best. Beside it stands what somebody would say who sees all cards. It needs NumPy, and takes about a
    twentieth of a second for each decision.

    In the last deal of a match it says, too, what a decision cost in places: there the points decide them.

    First come the dearest mistakes, then for each bot what its decisions cost by what they were about. The same record,
    --worlds and --seed give the same figures.

    \b
    Examples:
      farfalia analyse 42
      farfalia analyse records/match-42.json --seat ada --most 25
    """
    message = load_valid(record, server)
    played = codec.from_message(message)
    rules = engine.ruleset(played.ruleset, played.options)
    check_priced(rules)
    decisions = _priced(played, None if seat is None else seat_of(message, seat), worlds, seed)
    if json:
        print_json(
            {
                "match": played.match,
                "worlds": worlds,
                "seed": seed,
                "decisions": [plain(one, rules) for one in decisions],
            }
        )
        return
    _print_dearest(decisions, message, rules, most)
    _print_totals(decisions, message)


def _priced(record: engine.Record, seat: int | None, worlds: int, seed: int) -> list[PricedDecision]:
    try:
        from farfalia.analysis.pricing import price_decisions
    except ImportError:  # NumPy takes a while, and is an extra
        raise FarfaliaServerError(f"analyse needs NumPy: {install_line('numpy')}") from None
    found = []
    with Bar("actions") as bar:
        for one in price_decisions(record, seats=None if seat is None else [seat], worlds=worlds, seed=seed):
            found.append(one)
            bar.update(one.number + 1, len(record.actions))
        bar.update(len(record.actions), len(record.actions))
    return found


def plain(decision: PricedDecision, rules: engine.Ruleset) -> dict[str, Any]:
    """Return a decision as JSON has it, with its actions as texts."""
    return asdict(decision) | {
        "kind": decision.kind.name,
        "action_text": rules.text(decision.action),
        "best_text": rules.text(decision.best),
        "mistake": decision.mistake,
    }


def _print_dearest(
    decisions: Iterable[PricedDecision], record: record_pb2.Record, rules: engine.Ruleset, most: int
) -> None:
    mistakes = sorted((one for one in decisions if one.mistake), key=lambda one: (-one.price, one.number))
    if not mistakes:
        say("No decision is clearly a mistake.")
    for one in mistakes[:most]:
        places = place_price_words(one.places) if one.places else ""
        words = price_words(one, rules, _who(one, record)), places, open_cards_words(one)
        prose(" ".join(filter(None, words)))
    if len(mistakes) > most:
        say(f"… and {len(mistakes) - most} more")


def _print_totals(decisions: Iterable[PricedDecision], record: record_pb2.Record) -> None:
    by_name: dict[tuple[int, str], list[PricedDecision]] = {}
    for one in decisions:
        by_name.setdefault((one.seat, _who(one, record)), []).append(one)
    rows: list[tuple[Any, ...]] = []
    for (_, name), own in sorted(by_name.items()):
        rows += [
            _row(name, words, [one for one in own if one.aspect == aspect])
            for aspect, words in ASPECTS.items()
            if any(one.aspect == aspect for one in own)
        ]
        rows.append(_row(name, "all", own))
    say("")
    table(["<bot", "<decision", "decisions", "points each", "points", "±", "mistakes"], rows, gives_way=["±"])
    prose(_LEGEND)


def _row(name: str, words: str, decisions: Iterable[PricedDecision]) -> tuple[Any, ...]:
    whole = total(decisions)
    figures = decimal(whole.mean, 2), decimal(whole.price, 1), decimal(whole.error, 1)
    return name, words, whole.decisions, *figures, whole.mistakes


def _who(decision: PricedDecision, record: record_pb2.Record) -> str:
    """Return who decided: the bot at the seat, or the house bot in its place."""
    seat = record.seats[decision.seat]
    replaced = record.actions[decision.number].cause in REPLACED and not seat.house
    return f"a house bot for {seat.name}" if replaced else seat.name
