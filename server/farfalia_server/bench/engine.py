"""How fast the engine is, beside OpenSpiel where it is installed.

All contestants take turns in one process, in an order that is shuffled every round,
and CPU time is what counts: on a busy machine the ratios stay while the rates move.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

from farfalia_engine import Deals, Kind, State, ruleset

ROUNDS: Final = 15
OURS: Final = "chinkway"
#: All rates are compared with this one's.
REFERENCE: Final = "OpenSpiel hearts"
PEERS: Final = {REFERENCE: "hearts", "OpenSpiel oh_hell 5x10": "oh_hell(players=5,num_tricks_fixed=10)"}
_CALLS: Final = 200


@dataclass(frozen=True, slots=True)
class Contestant:
    """One loop: `work` does some of it and says how many units that was."""

    loop: str
    name: str
    work: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Row:
    """Units of a loop in a second of CPU time, and how that compares with the reference if there is one."""

    loop: str
    name: str
    per_second: float
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """All rows, and what has to be known to read them."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def run(seconds: float, seed: int) -> Report:
    """Measure for about so many seconds of CPU time; the seed decides deals, plays and the order of the turns."""
    random = Random(seed)
    contestants = list(_ours(random))
    notes = ["Decisions and calls a second of CPU time, median of interleaved rounds; ratios count, rates move."]
    try:
        contestants += _peers(import_module("pyspiel"), random)
    except ImportError:
        notes.append("OpenSpiel is not installed, so there is no ratio; pip install open_spiel adds it.")
    rates = _measure(contestants, seconds / (ROUNDS * len(contestants)), random)
    references = {entry.loop: rate for entry, rate in rates.items() if entry.name == REFERENCE}
    rows = [
        Row(entry.loop, entry.name, rate, rate / references[entry.loop] if entry.loop in references else None)
        for entry, rate in rates.items()
    ]
    return Report(tuple(sorted(rows, key=lambda row: row.loop)), tuple(notes))


def table(report: Report) -> str:
    """The report as plain text."""
    lines = [f"{'loop':<24}{'engine':<26}{'per second':>12}{'µs each':>10}{'ratio':>8}"]
    for row in report.rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(f"{row.loop:<24}{row.name:<26}{row.per_second:>12,.0f}{1e6 / row.per_second:>10.2f}{ratio:>8}")
    return "\n".join([*lines, "", *report.notes])


def _measure(contestants: list[Contestant], slice_seconds: float, random: Random) -> dict[Contestant, float]:
    rates: dict[Contestant, list[float]] = {entry: [] for entry in contestants}
    for entry in contestants:
        entry.work()  # fills tables that are built on first use
    for _ in range(ROUNDS):
        for entry in random.sample(contestants, len(contestants)):
            units, begin = 0, process_time()
            while (elapsed := process_time() - begin) < slice_seconds or not units:
                units += entry.work()
            rates[entry].append(units / elapsed)
    return {entry: median(values) for entry, values in rates.items()}


def _ours(random: Random) -> Iterator[Contestant]:
    rules = ruleset("chinkway")

    def match() -> State:
        return rules.new_match(Deals(random.randbytes(32)))

    last_deal = match()
    while last_deal.deal < 11:
        last_deal.apply(random.choice(last_deal.legal_actions()))
    midway = last_deal.clone()
    while len(midway.plays) < 22 or midway.observation(0).kind is not Kind.PLAY:
        midway.apply(random.choice(midway.legal_actions()))
    yield Contestant("play, deals included", OURS, lambda: _play(match(), random.random))
    yield Contestant("play from a dealt state", OURS, lambda: _play(last_deal.clone(), random.random))
    yield Contestant("clone", OURS, lambda: _repeat(midway.clone))
    yield Contestant("observation", OURS, lambda: _repeat(lambda: midway.observation(0)))


def _play(state: State, random: Callable[[], float]) -> int:
    """Play to the end at random, one decision at a time."""
    decisions = 0
    while state.pending:
        actions = state.legal_actions()
        state.apply(actions[int(random() * len(actions))])
        decisions += 1
    return decisions


def _peers(spiel: Any, random: Random) -> Iterator[Contestant]:
    for name, game_name in PEERS.items():
        game = spiel.load_game(game_name)
        dealt = game.new_initial_state()
        while dealt.is_chance_node():
            dealt.apply_action(random.choice(dealt.legal_actions()))
        midway = dealt.clone()
        for _ in range(28):
            midway.apply_action(random.choice(midway.legal_actions()))
        yield from _peer(name, game, dealt, midway, random)


def _peer(name: str, game: Any, dealt: Any, midway: Any, random: Random) -> Iterator[Contestant]:
    yield Contestant("play, deals included", name, lambda: _play_peer(game.new_initial_state(), random.random))
    yield Contestant("play from a dealt state", name, lambda: _play_peer(dealt.clone(), random.random))
    yield Contestant("clone", name, lambda: _repeat(midway.clone))
    player = midway.current_player()
    yield Contestant("observation", name, lambda: _repeat(lambda: midway.information_state_string(player)))


def _play_peer(state: Any, random: Callable[[], float]) -> int:
    """The same loop; the cards are drawn from OpenSpiel's chance nodes in the cheapest way that it offers."""
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])
    decisions = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])
        decisions += 1
    return decisions


def _repeat(call: Callable[[], object]) -> int:
    for _ in range(_CALLS):
        call()
    return _CALLS


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="CPU seconds to spend (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="decides deals, plays and the order of the turns")
    arguments = parser.parse_args()
    print(table(run(arguments.seconds, arguments.seed)))


if __name__ == "__main__":
    main()
