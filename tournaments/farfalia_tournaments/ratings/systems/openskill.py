"""OpenSkill's Plackett–Luce model, free for any use, on TrueSkill's scale.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research 12,
2011. This is the only module that imports the package `openskill`.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, permutations, product
from statistics import fmean
from typing import TYPE_CHECKING

from farfalia_tournaments.ratings.ratings import Groups, Rating

if TYPE_CHECKING:  # only rating needs to wait for its import
    from openskill.models import PlackettLuce


@dataclass(frozen=True, slots=True)
class OpenSkill:
    """The model with the constants of this game. Sigma falls and the order settles more slowly than with TrueSkill."""

    #: Mean of a newcomer.
    mu: float = 25.0
    #: Standard deviation of a newcomer.
    sigma: float = 25.0 / 3.0
    #: Performance noise of one match: as in TrueSkill, three times sigma.
    beta: float = 25.0

    @property
    def prior(self) -> Rating:
        """The rating of a newcomer."""
        return Rating(self.mu, self.sigma)

    def with_beta(self, beta: float, *, ties: bool = True) -> "OpenSkill":
        """Return the same system with another performance noise; how often there are ties changes nothing."""
        return replace(self, beta=beta)

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side; `places` are those of the sides, 1 for the best.

        Ties are rated as the mean over the orders that they leave open: a tie given to the package as it is may rate
        two winners below the third. The old ratings are returned where they are too far apart for floating point.
        """
        try:
            orders = [self._strict(groups, order) for order in _orders(places)]
        except (ArithmeticError, ValueError):
            return groups
        new = [
            tuple(
                Rating(fmean(one.mu for one in alike), fmean(one.sigma for one in alike))
                for alike in zip(*side, strict=True)
            )
            for side in zip(*orders, strict=True)
        ]
        finite = all(math.isfinite(one.mu) and math.isfinite(one.sigma) for side in new for one in side)
        return new if finite else groups

    def _strict(self, groups: Groups, places: Sequence[int]) -> Groups:
        """Return the new ratings where no two places are the same."""
        model = _model(self)
        old = [[model.rating(mu=rating.mu, sigma=rating.sigma) for rating in group] for group in groups]
        new = model.rate(old, ranks=[float(place) for place in places])
        return [tuple(Rating(rating.mu, rating.sigma) for rating in group) for group in new]


def _orders(places: Sequence[int]) -> Iterator[list[int]]:
    """Yield every strict order that agrees with these places; 120 at most at a table of five."""
    tied: defaultdict[int, list[int]] = defaultdict(list)
    for side, place in enumerate(places):
        tied[place].append(side)
    for chosen in product(*(permutations(tied[place]) for place in sorted(tied))):
        order = [0] * len(places)
        for place, side in enumerate(chain.from_iterable(chosen), start=1):
            order[side] = place
        yield order


@lru_cache(maxsize=32)
def _model(parameters: OpenSkill) -> "PlackettLuce":
    from openskill.models import PlackettLuce  # imported here, as only rating needs to wait for it

    # tau, the growth of sigma between matches, is 0: a version of a bot does not change.
    return PlackettLuce(mu=parameters.mu, sigma=parameters.sigma, beta=parameters.beta, tau=0.0)
