"""Fields of bots whose skill is known, to see whether it is found."""

import random
from collections.abc import Iterable
from typing import TypeVar

from farfalia_tournaments import MatchResult, Noise

Entrant = TypeVar("Entrant", bound=str | int)

#: Standard deviations of a field's skills and of the noise in one match's score, in points, as measured.
SKILL, NOISE = 4.8, Noise().fresh
#: The families of two fives.
TWO_FAMILIES = {number: "north" if number < 5 else "south" for number in range(10)}


def field(rng: random.Random, entrants: int, skill: float = SKILL) -> list[float]:
    """The skills of a field."""
    return [rng.gauss(0, skill) for _ in range(entrants)]


def played(rng: random.Random, skills: list[float], matches: int, noise: float = NOISE) -> list[MatchResult[int]]:
    """Matches at random tables of five."""
    return [table(rng, skills, rng.sample(range(len(skills)), 5), noise) for _ in range(matches)]


def two_families(seed: int, matches: int) -> list[MatchResult[int]]:
    """Matches between two families of five, all level within, 12 points apart."""
    return played(random.Random(seed), [6.0] * 5 + [-6.0] * 5, matches)


def table(rng: random.Random, skills: list[float], seated: list[int], noise: float = NOISE) -> MatchResult[int]:
    """One match, in hundredths of points."""
    return finished(seated, [100 * (skills[entrant] + rng.gauss(0, noise)) for entrant in seated])


def finished(entrants: Iterable[Entrant], points: Iterable[float], board: str = "") -> MatchResult[Entrant]:
    """The result of a match in which these entrants made these points, rounded; their places follow from them."""
    made = tuple(map(round, points))
    places = tuple(1 + sum(other > mine for other in made) for mine in made)
    return MatchResult(tuple(entrants), made, places, board=board)
