"""How much stronger one sample bot is than another: the same deals with and without it, once for each seat.

`python -m tests.clients.strength` renews the table of docs/bots.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from tests.figures.markdown import table
from tests.figures.marks import rewritten

from farfalia import Bot
from farfalia.bots import HOUSE, NAMES, create
from farfalia_engine import GAMES, Deals, Ruleset, ruleset

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/bots.md"
#: Deals behind each figure of the table, fewer for a bot that searches.
DEALS, SEARCHED = 400, 60
#: Rollouts per decision of a bot that searches.
ITERATIONS = 100
#: Each bot, and the one below it.
PAIRS = tuple(zip(NAMES[1:], NAMES, strict=False))


@dataclass(frozen=True)
class Gain:
    """Points of a deal that a bot makes more than the mean of the others, compared with the other bot in its seat."""

    points: float
    #: The standard error.
    error: float


def gain(name: str, bot: str, other: str, deals: int) -> Gain:
    """What `bot` gains in the place of `other`, alone (in `four` with its partner) at a table of others."""
    rules, random = ruleset(name), Random(f"{name} {bot}")
    better, rest = create(bot, 1, iterations=None if bot in HOUSE else ITERATIONS), create(other, 2)
    own = rules.teams or [(seat,) for seat in range(rules.seats)]
    found = []
    for number in range(deals):
        key, deal = random.randbytes(32), 1 + number % rules.last_deal
        without = _played(rules, key, deal, [rest] * rules.seats)
        gained = [
            _margin(_played(rules, key, deal, [better if s in seats else rest for s in range(rules.seats)]), seats)
            - _margin(without, seats)
            for seats in own
        ]
        found.append(fmean(gained))
    return Gain(fmean(found), stdev(found) / math.sqrt(deals))


def _played(rules: Ruleset, key: bytes, deal: int, bots: Sequence[Bot]) -> tuple[int, ...]:
    """The points of one deal."""
    state = rules.new_match(Deals(key), deal)
    state.end_with_deal()
    while state.pending:
        seat = state.pending.seats[0]
        legal = state.legal_actions(seat)
        state.apply(legal[0] if len(legal) == 1 else bots[seat].decide(state.observation(seat)), seat)
    return state.scores[-rules.seats :]


def _margin(points: Sequence[int], seats: Sequence[int]) -> float:
    mine = sum(points[seat] for seat in seats)
    return mine / len(seats) - (sum(points) - mine) / (len(points) - len(seats))


def main() -> None:
    heads = ["game", *(f"`{bot}` for `{other}`" for bot, other in PAIRS)]
    rows = []
    for name in sorted(GAMES):
        gains = [gain(name, bot, other, DEALS if bot in HOUSE else SEARCHED) for bot, other in PAIRS]
        rows.append([f"`{name}`", *(f"{one.points:+.2f} ± {one.error:.2f}".replace("-", "−") for one in gains)])
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(rewritten(text, {"strength": table(heads, rows)}), encoding="utf-8")


if __name__ == "__main__":
    main()
