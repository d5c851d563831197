"""The variances of hands and of blocks, by restricted maximum likelihood with a weak prior.

H. D. Patterson and R. Thompson, "Recovery of Inter-block Information when Block Sizes are Unequal", Biometrika 58,
1971. Strengths are integrated out with their prior, and luck's variance with a flat one for its logarithm.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

from farfalia_tournaments.statistics.strengths.algebra import Matrix, cholesky, forward, log_determinant
from farfalia_tournaments.statistics.strengths.information import Information, Likelihood

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


def estimated_variances(information: Information, prior: Sequence[float]) -> tuple[float, float]:
    """Return the variances of hands and blocks, as multiples of luck's; 0 for one that nothing tells from luck.

    `prior` are the precisions of the strengths' prior, as multiples of luck's.
    """
    if not information.knows_hands:
        return 0.0, 0.0
    blocks = information.knows_blocks

    def badness(logs: Sequence[float]) -> float:
        hand, block = logs
        likelihood = information.at(math.exp(hand), math.exp(block) if blocks else 0.0)
        return (
            restricted(likelihood, prior, information.contrasts)
            + ((hand - HAND_PRIOR[0]) / HAND_PRIOR[1]) ** 2
            + ((block - BLOCK_PRIOR[0]) / BLOCK_PRIOR[1]) ** 2
        )

    hand, block = _lowest(badness, [HAND_PRIOR[0], BLOCK_PRIOR[0]], 2 if blocks else 1)
    return math.exp(hand), math.exp(block) if blocks else 0.0


def restricted(likelihood: Likelihood, prior: Sequence[float], contrasts: int) -> float:
    """Return -2 log of the likelihood of the variances, but for what does not depend on hands and blocks."""
    lower, residual = solved(likelihood, prior)
    return likelihood.log_determinant + log_determinant(lower) + (contrasts + LUCK_WEIGHT) * math.log(residual)


def solved(likelihood: Likelihood, prior: Sequence[float]) -> tuple[Matrix, float]:
    """Return the triangle of the posterior precision, and the residual square with that of its prior."""
    precision = [row[:] for row in likelihood.precision]
    for number, own in enumerate(prior):
        precision[number][number] += own
    lower = cholesky(precision)
    half = forward(lower, likelihood.right)
    residual = likelihood.square - sum(value * value for value in half)
    return lower, max(residual, 0.0) + LUCK_WEIGHT * LUCK_SQUARE


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
