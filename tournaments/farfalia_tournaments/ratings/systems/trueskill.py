"""TrueSkill with the constants of this game.

R. Herbrich, T. Minka and T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006. This is the only module
that imports the package `trueskill`.
"""

import math
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.ratings import Groups, Rating
from farfalia_tournaments.ratings.systems import trueskill_alone

if TYPE_CHECKING:  # only rating needs to wait for its import
    import trueskill


#: How often two score the same by points less luck: it is in thousandths of a point. With the ties of points as played,
#: differences of mu came out 2 % too large. Above 0, as some matches have luck in whole points.
_HARDLY_EVER: Final = 0.001


@dataclass(frozen=True, slots=True)
class TrueSkill:
    """The model's parameters; the defaults were measured for single matches of Chinkway at tables of five.

    Raises TournamentError for a parameter out of range.
    """

    #: Mean of a newcomer. The scale is TrueSkill's usual one; only differences mean anything.
    mu: float = 25.0
    #: Standard deviation of a newcomer, such that its conservative rating is 0.
    sigma: float = 25.0 / 3.0
    #: Performance noise of one match: a standard deviation. A match's luck was 15.2 points and the skill of a field 4.8
    #: in the simulation that `statistics.noise` names, hence three times sigma. The usual half of sigma predicted worse
    #: than a coin after 15 matches per bot.
    beta: float = 25.0
    #: Growth of sigma between matches. A version of a bot does not change, so there is none: with any, sigma stops
    #: falling and the order of results matters.
    tau: float = 0.0
    #: How often two at a table score the same: 1.85 % in that simulation. Above 0, as ties do happen.
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

    def with_beta(self, beta: float, *, ties: bool = True) -> "TrueSkill":
        """Return the same system with another performance noise; without `ties`, hardly ever two share a place."""
        draw_probability = self.draw_probability if ties else _HARDLY_EVER
        if (beta, draw_probability) == (self.beta, self.draw_probability):
            return self
        return replace(self, beta=beta, draw_probability=draw_probability)

    def update(self, groups: Groups, places: list[int]) -> Groups:
        """Return the new ratings of the members of each side; `places` are those of the sides, 1 for the best.

        A result so unlikely that the arithmetic fails (a gap of hundreds between settled ratings) changes nothing.
        """
        if all(len(group) == 1 for group in groups):
            with suppress(ArithmeticError, ValueError, TournamentError):  # the package says what it makes of that
                return self._update_alone([group[0] for group in groups], places)
        environment = _environment(self)
        try:
            old = [tuple(environment.create_rating(rating.mu, rating.sigma) for rating in group) for group in groups]
            new = environment.rate(old, ranks=places)
            return [tuple(Rating(float(rating.mu), float(rating.sigma)) for rating in group) for group in new]
        except (ArithmeticError, ValueError, TournamentError):  # the last one for what is not a finite number
            return groups

    def _update_alone(self, ratings: Sequence[Rating], places: Sequence[int]) -> Groups:
        """Return the same where every side has one member, to the last bit, in a tenth of the time."""
        order = sorted(range(len(ratings)), key=places.__getitem__)
        tied = [places[one] == places[two] for one, two in pairwise(order)]
        new = trueskill_alone.update(
            _model(self), [(ratings[player].mu, ratings[player].sigma) for player in order], tied
        )
        groups: Groups = [()] * len(ratings)
        for player, (mu, sigma) in zip(order, new, strict=True):
            groups[player] = (Rating(mu, sigma),)
        return groups


def _package() -> Any:
    """Return the package, which only rating needs to wait for."""
    with warnings.catch_warnings():  # of a docstring, shown where Python compiles the package at its first import
        warnings.filterwarnings("ignore", "invalid escape sequence")
        import trueskill
    return trueskill


@lru_cache(maxsize=32)
def _model(parameters: TrueSkill) -> trueskill_alone.Model:
    environment = _environment(parameters)
    return trueskill_alone.Model(
        beta=parameters.beta,
        tau=parameters.tau,
        margin=_package().calc_draw_margin(parameters.draw_probability, 2, environment),
        v_draw=environment.v_draw,
        w_draw=environment.w_draw,
    )


@lru_cache(maxsize=32)
def _environment(parameters: TrueSkill) -> "trueskill.TrueSkill":
    # The built-in backend: scipy and mpmath are ten times slower and gain nothing within the range of real ratings.
    return _package().TrueSkill(
        mu=parameters.mu,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=parameters.tau,
        draw_probability=parameters.draw_probability,
        backend=None,
    )
