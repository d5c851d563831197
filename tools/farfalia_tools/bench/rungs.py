"""The sample bots as rungs: what each gains at a table of the rung below, and at one of cautious, on the same deals.

All measurements of a game begin with the same deals; a bot that costs less is measured on more of them, so that the
errors are small where that is cheap. Bots that search have as many rollouts as house bots have, unless others are asked
for. The bound beside them is what a player gains who sees all cards and plays them out as cautious does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from farfalia_engine import ruleset
from farfalia_server.records.house_bot import ITERATIONS
from farfalia_tools.bench.strengths import OPEN_CAUTIOUS, Strength, strength
from farfalia_tools.bench.worker_pool import WorkerPool

#: From the weakest on.
RUNGS: Final = ("random", "greedy", "cautious", "learned", "expert")
#: All are measured at a table of this one, the bound too.
BASE: Final = "cautious"
#: Standard errors from which on a gain is one.
CLEAR: Final = 2
#: How many times as many deals a bot gets as `expert`, whose decisions cost most.
_TIMES: Final = {"random": 2, "greedy": 8, "cautious": 8, "learned": 8}
_BELOW: Final = {bot: below for below, bot in pairwise(RUNGS)}


@dataclass(frozen=True, slots=True)
class Rung:
    """A bot in a game; or the bound, under the name of `OPEN_CAUTIOUS`."""

    game: str
    bot: str
    #: What it gains in the place of the rung below; None for the lowest, and for the bound.
    below: Strength | None
    #: What it gains in the place of `BASE`; None for that one itself.
    base: Strength | None
    #: The latter as a share of what the bound gains; None if that is nothing.
    share: float | None

    @property
    def measured(self) -> Strength:
        """What says how many deals it played, and what its decisions cost."""
        found = self.base or self.below
        assert found is not None
        return found

    @property
    def is_above(self) -> bool:
        """Whether it is clearly above the rung below; the lowest is."""
        return self.below is None or self.below.points > CLEAR * self.below.error


def run(
    games: Sequence[str],
    deals: int,
    iterations: int = ITERATIONS,
    seed: int = 1,
    processes: int | None = None,
) -> Iterator[list[Rung]]:
    """Measure all rungs of each game, and the bound, which is last; yield them game by game.

    `deals` are those of `expert`, rounded up to whole matches; the others play more. The same seed measures the same
    points, on any number of processes.
    """
    with WorkerPool(processes) as pool:
        yield from pool.results(_measured, games, *zip(*[(deals, iterations, seed)] * len(games), strict=True))


def table(rows: Sequence[Rung]) -> str:
    """Return the rows as text."""
    lines = [
        "Points of a match more than in the place of the rung below, and in that of cautious, on the same cards:",
        f"{'game':<14}{'bot':<20}{'rung below':>18}{BASE:>18}{'of open cards':>15}{'deals':>7}{'ms a decision':>15}",
    ]
    for row in rows:
        share = "" if row.share is None else f"{row.share:.0%}"
        lines.append(
            f"{row.game:<14}{row.bot:<20}{_points(row.below):>18}{_points(row.base):>18}{share:>15}"
            f"{row.measured.deals:>7}{row.measured.milliseconds:>15.2f}"
        )
    unordered = [f"{row.bot} in {row.game}" for row in rows if not row.is_above]
    if unordered:
        lines.append(f"Not above the rung below by {CLEAR} standard errors: {', '.join(unordered)}.")
    return "\n".join(lines)


def _measured(game: str, deals: int, iterations: int, seed: int) -> list[Rung]:
    match = ruleset(game).last_deal

    def gain(bot: str, other: str) -> Strength:
        whole = math.ceil(deals * _TIMES.get(bot, 1) / match) * match
        return strength(game, bot, other, whole, iterations, Random(f"{game} {seed}"))

    bound = gain(OPEN_CAUTIOUS, BASE)
    rows = []
    for bot in RUNGS:
        base = gain(bot, BASE) if bot != BASE else None
        below = base if _BELOW.get(bot) == BASE else gain(bot, _BELOW[bot]) if bot in _BELOW else None
        rows.append(Rung(game, bot, below, base, _share(base, bound)))
    return [*rows, Rung(game, OPEN_CAUTIOUS, None, bound, _share(bound, bound))]


def _share(found: Strength | None, bound: Strength) -> float | None:
    return found.points / bound.points if found is not None and bound.points > 0 else None


def _points(found: Strength | None) -> str:
    return "" if found is None else f"{found.points:+.2f} ± {found.error:.2f}"
