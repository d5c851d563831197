"""Fields of bots whose skill is known, to see whether it is found."""

import random

from farfalia_tournaments import MatchResult, Noise

#: Standard deviations of a field's skills and of the noise in one match's score, in points, as measured.
SKILL, NOISE = 4.8, Noise().fresh


def field(rng: random.Random, entrants: int, skill: float = SKILL) -> list[float]:
    """The skills of a field."""
    return [rng.gauss(0, skill) for _ in range(entrants)]


def played(rng: random.Random, skills: list[float], matches: int, noise: float = NOISE) -> list[MatchResult[int]]:
    """Matches at random tables of five."""
    return [table(rng, skills, rng.sample(range(len(skills)), 5), noise) for _ in range(matches)]


def table(rng: random.Random, skills: list[float], seated: list[int], noise: float = NOISE) -> MatchResult[int]:
    """One match."""
    return result(seated, [skills[entrant] + rng.gauss(0, noise) for entrant in seated])


def result(seated: list[int], made: list[float]) -> MatchResult[int]:
    """The result of a match in which these entrants made these points, to a hundredth."""
    points = tuple(round(100 * one) for one in made)
    return MatchResult(tuple(seated), points, tuple(1 + sum(other > mine for other in points) for mine in points))
