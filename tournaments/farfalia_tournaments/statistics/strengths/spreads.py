"""A field whose spread is unknown, and how near those of one family are to each other.

Most strengths are normal around the middle of the field. Some entrants stand outside: a bot that is 35 points weaker
than nine equal ones does not make these look different. So the prior is a mixture of a normal whose spread is unknown
and a wide one. Who stands outside is found by variational Bayes: D. M. Blei, A. Kucukelbir and J. D. McAuliffe,
"Variational Inference: A Review for Statisticians", Journal of the American Statistical Association 112, 2017. The
spread is not plugged in but integrated over on a grid, each spread with the weight that the results give it.

Bots of one family share a mean, which is drawn from the field as a bot without a family is; around it they have a
spread of their own, which all families share and which is integrated over as well. Without that, two families far apart
would make the field wide, and within each of them all luck would be taken for strength. A member may stand outside of
its family, too.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.statistics.strengths.algebra import Solution
from farfalia_tournaments.statistics.strengths.components import Strength
from farfalia_tournaments.statistics.strengths.information import Information, Likelihood
from farfalia_tournaments.statistics.strengths.knowledge import KnownDifferences
from farfalia_tournaments.statistics.strengths.priors import Kinship, Prior
from farfalia_tournaments.statistics.strengths.variances import LUCK_WEIGHT, solved

#: Prior of the logarithm of the field's spread, in standard deviations of a match's luck, the cards' included: mean and
#: standard deviation. Fields of sample bots spread by a third of luck, those of one bot's versions by a tenth and less.
SPREAD_PRIOR: Final = (math.log(0.3), 1.2)
#: The same of the spread within families.
FAMILY_PRIOR: Final = (math.log(0.06), 1.0)
#: The share of outsiders before anything is known, and their spread. Entrants that are not rated, such as house bots,
#: are outsiders beside a field of others.
OUTSIDE: Final = 0.1
OUTSIDE_SPREAD: Final = 1.5
#: Neighbours on the grid of spreads have this ratio, those within families the other one. Those with less than this
#: share of the best one's weight are left out.
_RATIO: Final = 1.6
_FAMILY_RATIO: Final = 2.0
_NEGLIGIBLE: Final = 1e-3
_FARTHEST: Final = 8
_ROUNDS: Final = 4


@dataclass(slots=True)
class Posterior:
    """The posterior for one spread of the field, and one within families.

    `bound` is the logarithm of its weight, but for a constant; `inside` the probability for each unit, then for each
    member of a family, that it is no outsider; `luck` is the variance of luck, in square points, and
    `known_share` the share of what was known before in what is known of differences, beside the results.
    """

    bound: float
    inside: list[float]
    prior: Prior
    solution: Solution
    degrees: float
    luck: float
    known_share: float = 0.0
    weight: float = 0.0


class Field:
    """A field whose spread is unknown.

    `known` is what was known of two unknowns or more before, in points; `luck` is about what luck's variance is then.
    """

    def __init__(
        self,
        information: Information,
        hand: float,
        block: float,
        kinship: Kinship,
        known: Mapping[int, Strength] | None = None,
        luck: float = 0.0,
    ) -> None:
        self._likelihood: Likelihood = information.at(hand, block)
        self._degrees = information.contrasts + LUCK_WEIGHT
        #: The deviation of a match's luck, in those of luck with known cards.
        self._match_luck = math.sqrt(1 + hand + block)
        self._units, self._members = kinship.units, kinship.members
        self._outside = [outside for _, outside in self._units] + [False] * len(self._members)
        self._unknowns = kinship.unknowns
        self._means = {number: own.mean for number, own in (known or {}).items()}
        self._deviations = {number: own.deviation for number, own in (known or {}).items()}
        self._luck = luck

    def integrated(self) -> list[Posterior]:
        """Return the posteriors for all spreads that the results do not rule out, with their weights."""
        first = self._at(
            0, 0, [0.0 if outside else 1.0 for outside in self._outside], [0.0] * self._unknowns, self._luck
        )
        found = self._of_fields(first, 0)
        best = max(one.bound for one in found)
        for way in (-1, 1) if self._members else ():
            near = first
            for step in range(1, _FARTHEST + 1):
                near = self._at(0, way * step, near.inside, near.solution.values, near.luck)
                more = self._of_fields(near, way * step)
                found += more
                highest = max(one.bound for one in more)
                best = max(best, highest)
                if highest < best + math.log(_NEGLIGIBLE):
                    break
        for one in found:
            one.weight = math.exp(one.bound - best)
        return [one for one in found if one.weight > _NEGLIGIBLE]

    def _of_fields(self, first: Posterior, within: int) -> list[Posterior]:
        """Return the posteriors for all spreads of the field beside the first, with one spread within families."""
        found, best = [first], first.bound
        for way in (-1, 1):
            near = first
            for step in range(1, _FARTHEST + 1):
                near = self._at(way * step, within, near.inside, near.solution.values, near.luck)
                found.append(near)
                best = max(best, near.bound)
                if near.bound < best + math.log(_NEGLIGIBLE):
                    break
        return found

    def _at(self, step: int, within: int, inside: list[float], near: list[float], luck: float) -> Posterior:
        """Return the posterior for spreads this many steps from the prior's, starting from that of spreads nearby."""
        away, apart = step * math.log(_RATIO), within * math.log(_FAMILY_RATIO)
        wide = (OUTSIDE_SPREAD * self._match_luck) ** 2
        narrow = [(math.exp(SPREAD_PRIOR[0] + away) * self._match_luck) ** 2] * len(self._units)
        narrow += [(math.exp(FAMILY_PRIOR[0] + apart) * self._match_luck) ** 2] * len(self._members)
        for _ in range(_ROUNDS):
            used = inside
            precisions = [share / own + (1 - share) / wide for share, own in zip(used, narrow, strict=True)]
            prior = self._prior(precisions, luck)
            found = solved(self._likelihood, prior, near)
            near = found.solution.values
            degrees = self._degrees + found.fixed
            luck, misfit = found.residual / degrees, found.misfit / (luck or 1.0)
            inside = [
                0.0 if outside else _inside(square, own, wide)
                for square, own, outside in zip(self._squares(found.solution, luck), narrow, self._outside, strict=True)
            ]
        # What was known has its own precision, whatever luck is; without it the last two are the same for all spreads.
        known_share = found.fixed / (found.fixed + found.played) if found.fixed else 0.0
        evidence = found.solution.log_determinant + self._degrees * math.log(luck) + degrees + misfit
        bound = -0.5 * (evidence + (away / SPREAD_PRIOR[1]) ** 2 + (apart / FAMILY_PRIOR[1]) ** 2)
        for share, own in zip(used, narrow, strict=True):
            if share > 0:
                bound += share * (math.log((1 - OUTSIDE) / share) - math.log(own) / 2)
            if share < 1:
                bound += (1 - share) * (math.log(OUTSIDE / (1 - share)) - math.log(wide) / 2)
        return Posterior(bound, inside, prior, found.solution, degrees, luck, known_share)

    def _prior(self, precisions: Sequence[float], luck: float) -> Prior:
        own = [0.0] * self._unknowns
        for (unit, _), precision in zip(self._units, precisions, strict=False):
            own[unit] = precision
        tied = precisions[len(self._units) :]
        known = KnownDifferences.of(self._means, self._deviations, luck) if self._means else None
        return Prior(own, [(member, mean, tie) for (member, mean), tie in zip(self._members, tied, strict=True)], known)

    def _squares(self, solution: Solution, luck: float) -> list[float]:
        """Return the expected squares of units, and of what members differ from their family's mean, for luck 1."""
        values, own = solution.values, solution.variances
        found = [values[unit] ** 2 / luck + own[unit] for unit, _ in self._units]
        if self._members:
            assert solution.covariances is not None  # With families all equations are solved exactly.
            for member, mean in self._members:
                spread = own[member] + own[mean] - 2 * solution.covariances[member][mean]
                found.append((values[member] - values[mean]) ** 2 / luck + spread)
        return found


def _inside(square: float, narrow: float, wide: float) -> float:
    odds = (1 - OUTSIDE) / OUTSIDE * math.sqrt(wide / narrow)
    return 1 / (1 + math.exp(min(500.0, square / 2 * (1 / narrow - 1 / wide))) / odds)
