"""The variances of hands and of blocks, by restricted maximum likelihood with a weak prior.

H. D. Patterson and R. Thompson, "Recovery of Inter-block Information when Block Sizes are Unequal", Biometrika 58,
1971. Strengths are integrated out with their prior, and luck's variance with a flat one for its logarithm.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from farfalia_tournaments.statistics.strengths.algebra import Solution, solution
from farfalia_tournaments.statistics.strengths.information import Information, Likelihood
from farfalia_tournaments.statistics.strengths.priors import Prior

#: Prior of the logarithms of both variances, as multiples of that of luck: mean and standard deviation. Measured with
#: sample bots: hand, bot × board and the rest were 65, 3 and 32 % of a score's variance, and 48, 3 and 49 %.
HAND_PRIOR: Final = (math.log(1.3), 0.8)
BLOCK_PRIOR: Final = (math.log(0.08), 1.0)
#: Prior of luck's variance: it counts like as many observations of as many square points. No game's luck is smaller,
#: and a few results that are alike by chance are no proof.
LUCK_WEIGHT: Final = 1.0
LUCK_SQUARE: Final = 1.0
#: The steps of the search, in logarithms.
_STEPS: Final = (1.0, 0.5, 0.25)


def estimated_variances(information: Information, prior: Prior) -> tuple[float, float]:
    """Return the variances of hands and blocks, as multiples of luck's; 0 for one that nothing tells from luck."""
    if not information.knows_hands:
        return 0.0, 0.0
    blocks = information.knows_blocks
    near = [0.0] * len(prior.own)

    def badness(logs: Sequence[float]) -> float:
        hand, block = logs
        likelihood = information.at(math.exp(hand), math.exp(block) if blocks else 0.0)
        found = solved(likelihood, prior, near)
        near[:] = found.solution.values
        return (
            likelihood.log_determinant
            + found.solution.log_determinant
            + (information.contrasts + LUCK_WEIGHT) * math.log(found.residual)
            + ((hand - HAND_PRIOR[0]) / HAND_PRIOR[1]) ** 2
            + ((block - BLOCK_PRIOR[0]) / BLOCK_PRIOR[1]) ** 2
        )

    hand, block = _lowest(badness, [HAND_PRIOR[0], BLOCK_PRIOR[0]], 2 if blocks else 1)
    return math.exp(hand), math.exp(block) if blocks else 0.0


@dataclass(frozen=True, slots=True)
class SolvedStrengths:
    """Strengths for given variances: the solution, and the residual square with that of luck's prior.

    `misfit` is the square of what strengths differ from what was known before, which tells nothing of luck, `fixed` how
    many of them that fixes, and `played` how many the results fix, if anything was known before.
    """

    solution: Solution
    residual: float
    misfit: float = 0.0
    fixed: float = 0.0
    played: float = 0.0


def solved(likelihood: Likelihood, prior: Prior, near: Sequence[float]) -> SolvedStrengths:
    """Return the posterior of strengths, for a luck of 1."""
    precision = [row[:] for row in likelihood.precision]
    for number, own in enumerate(prior.own):
        precision[number][number] += own
    for one, other, tie in prior.ties:
        precision[one][one] += tie
        precision[other][other] += tie
        precision[one][other] -= tie
        precision[other][one] -= tie
    right, square = likelihood.right, likelihood.square
    if prior.known is not None:
        right, square = right[:], square + prior.known.square
        prior.known.add_to(precision, right)
    # What ties two of a family together can be as much as all the rest of their rows.
    found = solution(precision, right, near, exact=bool(prior.ties))
    left = square - sum(map(mul, found.values, right))
    if prior.known is None:
        return SolvedStrengths(found, max(left, 0.0) + LUCK_WEIGHT * LUCK_SQUARE)
    misfit = prior.known.misfit(found.values)
    residual = max(left - misfit, 0.0) + LUCK_WEIGHT * LUCK_SQUARE
    if found.covariances is None:
        played = sum(row[number] * found.variances[number] for number, row in enumerate(likelihood.precision))
    else:
        played = sum(sum(map(mul, *rows)) for rows in zip(likelihood.precision, found.covariances, strict=True))
    return SolvedStrengths(found, residual, misfit, prior.known.share(found), played)


def _lowest(badness: Callable[[Sequence[float]], float], at: list[float], coordinates: int) -> list[float]:
    """Return where a smooth function is lowest, by parabolas along one coordinate after the other."""
    best = badness(at)
    for step in _STEPS:
        for number in range(coordinates):
            here = at[number]
            around = []
            for tried in (here - step, here + step):
                at[number] = tried
                around.append(badness(at))
            curve = around[0] + around[1] - 2 * best
            slope = around[0] - around[1]
            move = step * slope / (2 * curve) if curve > 0 else math.copysign(2 * step, slope)
            at[number] = here + max(-2 * step, min(2 * step, move))
            now = badness(at)
            if now > best:
                at[number], now = here, best
            best = now
    return at
