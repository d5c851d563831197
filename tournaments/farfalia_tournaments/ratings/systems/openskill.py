"""OpenSkill's Plackett-Luce model, free for any use, on TrueSkill's scale. The only module that knows `openskill`."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from farfalia_tournaments.ratings.ratings import Groups, Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


@dataclass(frozen=True, slots=True)
class OpenSkill:
    """The model of the game. Its sigma falls more slowly than TrueSkill's, as its order settles more slowly, too."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    #: Luck of one match, as a deviation: as in TrueSkill, three times sigma.
    beta: float = 25.0

    @property
    def prior(self) -> Rating:
        """The rating of a newcomer."""
        return Rating(self.mu, self.sigma)

    def with_beta(self, beta: float) -> "OpenSkill":
        """The same system for results in which there is so much luck."""
        return replace(self, beta=beta)

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side, best side first."""
        model = _model(self)
        old = [[model.rating(mu=rating.mu, sigma=rating.sigma) for rating in group] for group in groups]
        new = model.rate(old, ranks=[float(place) for place in places])
        return [tuple(Rating(rating.mu, rating.sigma) for rating in group) for group in new]


@lru_cache(maxsize=32)
def _model(parameters: OpenSkill) -> "PlackettLuce":
    from openskill.models import PlackettLuce  # only whoever rates waits for it

    # tau is what sigma grows by between matches; a version of a bot does not change.
    return PlackettLuce(mu=parameters.mu, sigma=parameters.sigma, beta=parameters.beta, tau=0.0)
