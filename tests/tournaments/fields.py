"""Fields of bots whose skill is known, to see whether it is found."""

import random

from farfalia_tournaments import MatchResult

#: Deviations of a field's skills and of one match's luck, in points, as measured.
SKILL, LUCK = 4.8, 13.6


def field(rng: random.Random, entrants: int, skill: float = SKILL) -> list[float]:
    """The skills of a field."""
    return [rng.gauss(0, skill) for _ in range(entrants)]


def played(rng: random.Random, skills: list[float], matches: int, luck: float = LUCK) -> list[MatchResult[int]]:
    """Matches at random tables of five."""
    return [table(rng, skills, rng.sample(range(len(skills)), 5), luck) for _ in range(matches)]


def table(rng: random.Random, skills: list[float], seated: list[int], luck: float = LUCK) -> MatchResult[int]:
    """One match."""
    return result(seated, [skills[entrant] + rng.gauss(0, luck) for entrant in seated])


def result(seated: list[int], made: list[float]) -> MatchResult[int]:
    """The result of a match in which these entrants made so many points, to a hundredth."""
    points = tuple(round(100 * one) for one in made)
    return MatchResult(tuple(seated), points, tuple(1 + sum(other > mine for other in points) for mine in points))
