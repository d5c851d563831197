"""Solves Pocket by CFR+: prints after how many iterations how much a perfect opponent could still win per deal.

Install the package first: pip install clients/python/examples/pocket
"""

from collections.abc import Iterator

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability
from pocket import Pocket

from farfalia.learning.openspiel_limits import DealLimits, deal_limits
from farfalia.learning.tensor_layout import Description, Sizes, fields_of, match_fields, play_fields, sizes_of
from farfalia_engine import Kind


@sizes_of.register
def _sizes(game: Pocket, listed: int) -> Sizes:
    return Sizes(seats=2, positions=2, tricks=3, cards=6, listed=listed, kinds=frozenset([Kind.PLAY]))


@fields_of.register
def _fields(game: Pocket, sizes: Sizes) -> Iterator[Description]:
    yield from play_fields(sizes)
    yield from match_fields(sizes)


@deal_limits.register
def _limits(game: Pocket, sizes: Sizes, deals: int) -> DealLimits:
    return DealLimits(decisions=6, draws=1, outcomes=20, points=6)


def main() -> None:
    import farfalia.learning.openspiel_game  # noqa: F401  (registers the games, this one too)

    game = pyspiel.load_game("python_farfalia_pocket", {"horizon": "deal"})
    solver = cfr.CFRPlusSolver(game)
    for iteration in range(1, 51):
        solver.evaluate_and_update_policy()
        if iteration % 10 == 0:
            left = exploitability.exploitability(game, solver.average_policy())
            print(f"{iteration} iterations: {left:.4f} points", flush=True)


if __name__ == "__main__":
    main()
