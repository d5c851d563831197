"""Ratings in points: what a mu is worth in points per match, with its interval.

Ratings learn from places, in units of which a match's performance noise is `beta`. A ladder measures the same noise in
points (`MatchNoise`). Their quotient turns one into the other and keeps the order, so that mu and points of a ladder
never disagree.
"""

from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.ratings.ratings import RatingSystem

#: Standard deviations on either side of the mean that hold 95 % of a normal distribution.
_INTERVAL: Final = 1.96


@dataclass(frozen=True, slots=True)
class PointsEstimate:
    """How many points per match more than a newcomer's estimate a bot makes, and half of its 95 % interval."""

    points: float
    margin: float


@dataclass(frozen=True, slots=True)
class PointsScale:
    """The scale of a ladder: `noise` is that of a match as it was played, in points."""

    noise: float
    system: RatingSystem

    @property
    def unit(self) -> float:
        """What a unit of mu is worth, in points per match."""
        return self.noise / self.system.beta

    def of(self, mu: float, sigma: float) -> PointsEstimate:
        """Return a rating in points."""
        return PointsEstimate(self.unit * (mu - self.system.prior.mu), _INTERVAL * self.unit * sigma)
