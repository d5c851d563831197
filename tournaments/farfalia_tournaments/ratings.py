"""TrueSkill with the constants of this game. The only module that knows the `trueskill` package.

A rating is never corrected in place: results are kept for ever, and ratings follow from them, in order.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import trueskill

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.results import Entrant, MatchResult, ordered


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of an entrant's skill: the mean mu and the deviation sigma."""

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu) or not 0 < self.sigma < math.inf:
            raise TournamentError(f"rating {self.mu} ± {self.sigma}: expected finite numbers, the deviation above 0")

    @property
    def exposed(self) -> float:
        """What the entrant is worth almost certainly, mu - 3 sigma: a ladder's order."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class TrueSkillParameters:
    """The model of the game; the defaults are measured for single matches at tables of five."""

    #: Mean of a newcomer. The scale is TrueSkill's usual one; only differences mean anything.
    mu: float = 25.0
    #: Deviation of a newcomer, such that a newcomer starts with an exposed rating of 0.
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


DEFAULTS = TrueSkillParameters()


def rate(
    ratings: Mapping[Entrant, Rating], result: MatchResult[Entrant], parameters: TrueSkillParameters = DEFAULTS
) -> dict[Entrant, Rating]:
    """Return the new ratings of the match's rated entrants, and of nobody else.

    Places alone count, not points. Who has no rating yet starts from the prior. An unrated entrant takes part with
    the rating it is given, or the prior, and that is not changed by it: beating a house bot is worth what the house
    bot is believed to be worth. Equal places depend neither on seats nor on the order of arguments. A result so
    unlikely that the arithmetic ends (a gap of hundreds between settled ratings) changes nothing.
    """
    old = {entrant: ratings.get(entrant, parameters.prior) for entrant in result.entrants}
    rated = [entrant for entrant, counts in zip(result.entrants, result.rated, strict=True) if counts]
    new = _update(old, result, parameters)
    return {entrant: new[entrant] for entrant in rated}


def rate_all(
    results: Iterable[MatchResult[Entrant]], parameters: TrueSkillParameters = DEFAULTS
) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after the results, taken in their order, everybody from the prior."""
    ratings: dict[Entrant, Rating] = {}
    for result in results:
        ratings.update(rate(ratings, result, parameters))
    return ratings


def _update(
    old: Mapping[Entrant, Rating], result: MatchResult[Entrant], parameters: TrueSkillParameters
) -> Mapping[Entrant, Rating]:
    sides = _best_first(result)
    groups = [tuple(trueskill.Rating(old[entrant].mu, old[entrant].sigma) for entrant in side) for _, side in sides]
    try:
        updated = _environment(parameters).rate(groups, ranks=[place for place, _ in sides])
    except FloatingPointError:
        return old
    return {
        entrant: Rating(float(rating.mu), float(rating.sigma))
        for (_, side), group in zip(sides, updated, strict=True)
        for entrant, rating in zip(side, group, strict=True)
    }


def _best_first(result: MatchResult[Entrant]) -> list[tuple[int, list[Entrant]]]:
    """Return each side's place and members: by place, equal places by the names, never by the seats.

    The package treats those who share a place a little differently by their order (in the third decimal).
    """
    members: dict[int, list[Entrant]] = {}
    places: dict[int, int] = {}
    for entrant in ordered(result.entrants):
        seat = result.entrants.index(entrant)
        members.setdefault(result.sides[seat], []).append(entrant)
        places[result.sides[seat]] = result.places[seat]
    return sorted(((places[side], members[side]) for side in members), key=lambda side: side[0])


@lru_cache(maxsize=8)
def _environment(parameters: TrueSkillParameters) -> trueskill.TrueSkill:
    # The built-in backend: scipy and mpmath are ten times slower and gain nothing within the range of real ratings.
    return trueskill.TrueSkill(
        mu=parameters.mu,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=parameters.tau,
        draw_probability=parameters.draw_probability,
        backend=None,
    )
