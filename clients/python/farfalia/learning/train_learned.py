"""Trains the networks of the sample bot `learned`: `python -m farfalia.learning.train_learned`.

Every card that may be played is tried in the true cards, and all play on as `cautious` does. A network that sees only
what the seat may know learns what that comes to: on average over the cards it cannot see. To take the best card by that
is one step of policy improvement upon cautious.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from farfalia.learning.card_lessons import CardLessons
from farfalia.learning.learned_networks import FILE, GAMES_OF, store
from farfalia.learning.network_training import NetworkTraining
from farfalia.learning.policy_network import PolicyNetwork
from farfalia.learning.self_play import SelfPlay

#: Neurons of the two hidden layers.
HIDDEN: Final = (64, 32)
#: How often each position is looked at.
_REUSE: Final = 4
_BATCH: Final = 1024
_RATE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Course:
    """What a network learns from."""

    #: With their options; each in turn.
    games: Sequence[tuple[str, dict[str, str]]]
    positions: int = 200_000
    #: How many deals it plays side by side: fewer where they are of many kinds, so that all come up again and again.
    deals: int = 4096
    #: How many points are one unit of what it learns.
    unit: float = 1.0
    #: What one part of cautious's guesses is worth before anything is learned, in units.
    trust: float = 1 / 16


#: By network; Farrago for all numbers of players, and the four of the default most of the time.
COURSES: Final = {name: Course([(game, {}) for game in games]) for name, games in GAMES_OF.items()} | {
    "five": Course([(game, {}) for game in GAMES_OF["five"]], positions=300_000),
    "three-short": Course([("three-short", {})], deals=1024),
    "farrago": Course(
        [
            *[("farrago", {})] * 3,
            ("farrago", {"players": "3"}),
            ("farrago", {"players": "5"}),
            ("farrago", {"players": "5", "pack": "five-hundred"}),
        ],
        positions=400_000,
        deals=512,
        unit=10.0,
        trust=1 / 24,
    ),
}


def train(
    name: str,
    positions: int | None = None,
    seed: int = 1,
    said: Callable[[str], None] = lambda text: None,
) -> PolicyNetwork:
    """Train one network; the same seed, machine and number of positions give the same weights.

    `said` hears how it goes. Raises KeyError if there is no such network.
    """
    course = COURSES[name]
    positions = course.positions if positions is None else positions
    lessons = CardLessons([SelfPlay(game, options) for game, options in course.games], course.unit, seed)
    training = None
    while lessons.seen < positions:
        before = lessons.seen
        lessons.more(min(course.deals, max(64, positions // 8)))
        if training is None:
            training = NetworkTraining((lessons.inputs, *HIDDEN, 1), course.trust, np.random.default_rng(seed))
        # The rate falls to nothing, so that the last steps average over many positions.
        rate = _RATE * max(1 - before / positions, 0.01)
        for _ in range((lessons.seen - before) * _REUSE // _BATCH):
            training.learn(*lessons.some(_BATCH), rate)
        if lessons.seen * 20 // positions > before * 20 // positions:
            said(f"{name}: {lessons.seen:,} of {positions:,} positions")
    assert training is not None
    return training.network()


def main(given: Sequence[str] | None = None) -> None:
    """Train the networks that the command line names, all if it names none, and store them."""
    parser = argparse.ArgumentParser(prog="python -m farfalia.learning.train_learned", description=__doc__)
    parser.add_argument("networks", nargs="*", help=f"of {', '.join(COURSES)} (default: all)")
    parser.add_argument("--positions", type=int, help="to learn from, for each (default: as the package's did)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and the first weights (default: 1)")
    parser.add_argument("--file", type=Path, default=FILE, help="where to store them (default: in the package)")
    arguments = parser.parse_args(given)
    if arguments.positions is not None and arguments.positions < 1:
        parser.error(f"--positions is {arguments.positions}, expected 1 or more")
    for name in arguments.networks:
        if name not in COURSES:
            parser.error(f"there is no network {name!r}, expected some of {', '.join(COURSES)}")
    try:
        store({}, arguments.file)  # better now than after an hour
    except (OSError, ValueError) as error:
        parser.error(f"networks cannot be stored in {arguments.file}: {error}")
    for name in arguments.networks or COURSES:
        store({name: train(name, arguments.positions, arguments.seed, print)}, arguments.file)


if __name__ == "__main__":
    main()
