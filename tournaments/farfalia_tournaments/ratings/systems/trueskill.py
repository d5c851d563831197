"""TrueSkill with the constants of this game. The only module that knows the `trueskill` package."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.ratings import Groups, Rating

if TYPE_CHECKING:
    import trueskill


@dataclass(frozen=True, slots=True)
class TrueSkill:
    """The model of the game; the defaults are measured for single matches at tables of five."""

    #: Mean of a newcomer. The scale is TrueSkill's usual one; only differences mean anything.
    mu: float = 25.0
    #: Deviation of a newcomer, such that a newcomer starts with a conservative rating of 0.
    sigma: float = 25.0 / 3.0
    #: Luck of one match, as a deviation. Card luck is about three times as wide as the skill of a whole field, hence
    #: three times sigma; the usual half of sigma believes single matches far too much, and predicts worse than a coin.
    beta: float = 25.0
    #: Growth of sigma between matches. A version of a bot does not change, so there is none: with any, sigma stops
    #: falling and the order of results matters.
    tau: float = 0.0
    #: How often two at a table score the same: 1.85 % was measured. It must not be 0, as ties do happen.
    draw_probability: float = 0.02

    def __post_init__(self) -> None:
        for name, fine, expected in (
            ("mu", math.isfinite(self.mu), "a finite number"),
            ("sigma", 0 < self.sigma < math.inf, "a number above 0"),
            ("beta", 0 < self.beta < math.inf, "a number above 0"),
            ("tau", 0 <= self.tau < math.inf, "a number of at least 0"),
            ("draw_probability", 0 < self.draw_probability < 1, "a number between 0 and 1"),
        ):
            if not fine:
                raise TournamentError(f"{name} {getattr(self, name)}: expected {expected}")

    @property
    def prior(self) -> Rating:
        """The rating of a newcomer."""
        return Rating(self.mu, self.sigma)

    def with_beta(self, beta: float) -> "TrueSkill":
        """The same system for results in which there is so much luck."""
        return replace(self, beta=beta)

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side, best side first.

        A result so unlikely that the arithmetic ends (a gap of hundreds between settled ratings) changes nothing.
        """
        environment = _environment(self)
        old = [tuple(environment.create_rating(rating.mu, rating.sigma) for rating in group) for group in groups]
        try:
            new = environment.rate(old, ranks=places)
        except FloatingPointError:
            return groups
        return [tuple(Rating(float(rating.mu), float(rating.sigma)) for rating in group) for group in new]


@lru_cache(maxsize=32)
def _environment(parameters: TrueSkill) -> "trueskill.TrueSkill":
    import trueskill  # only whoever rates waits for it

    # The built-in backend: scipy and mpmath are ten times slower and gain nothing within the range of real ratings.
    return trueskill.TrueSkill(
        mu=parameters.mu,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=parameters.tau,
        draw_probability=parameters.draw_probability,
        backend=None,
    )
