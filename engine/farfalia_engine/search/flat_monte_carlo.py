"""Flat Monte Carlo: what to do when nobody knows who holds what.

Determinizations of the observation are drawn (sampled worlds: full states that look the same to the seat). Each is
rolled out to the end of the deal once per action that may still be the best, by the heuristic rollout policy. An
action drops out as soon as it is clearly behind (successive elimination), so that the rest of the budget goes where it
is needed. All actions share the same determinizations: the luck of the cards is equal for them. This is no
information-set MCTS: there is no tree, the search looks one decision ahead.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from farfalia_engine.integers import whole
from farfalia_engine.interfaces import Observation
from farfalia_engine.outcome import Teams

#: An action stays in the race while its mean, by this many standard errors of each, could be the best one's.
_DOUBT: Final = 1.0
#: Determinizations in which every action is tried before any drops out.
_FEWEST: Final = 4


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search has found: by legal action how often it was played out, and what it came to on average.

    Values are points of the deal, less the mean of the others'; partners who stay together all match count as one.

    >>> SearchResult(visits={3: 8}, values={3: 1.5}, best=3, iterations=8).best
    3
    """

    visits: dict[int, int]
    values: dict[int, float]
    #: The action to take: best of those that stayed in the race to its end.
    best: int
    #: How many rollouts were made.
    iterations: int


def flat_monte_carlo(
    observation: Observation, random: Random, iterations: int = 1000, enough: Callable[[], bool] = lambda: False
) -> SearchResult:
    """Search for this number of rollouts, until one action is left, or until `enough` returns true.

    `enough` is asked before each determinization. The last one is rolled out for all actions that are left, so a few
    more rollouts may come of it; and every action is tried at least once. The same observation, random numbers and
    iterations give the same result. Raises ValueError if the seat is not asked, or if `iterations` is not positive;
    TypeError if it is no integer.

    >>> state = ruleset("four").new_match(Deals(bytes(32)))
    >>> found = flat_monte_carlo(state.observation(1), Random(1), iterations=20)
    >>> found.best in state.legal_actions()
    True
    """
    if not observation.legal:
        raise ValueError(f"seat {observation.seat} has no decision to make, so there is nothing to search")
    if whole("iterations", iterations) < 1:
        raise ValueError(f"{iterations} iterations find nothing, expected at least 1")
    race = _Race(observation.legal)
    teams = observation.rules.teams
    while race.iterations < iterations and len(race.left) > 1 and not (race.iterations and enough()):
        determinization = observation.sample(random)
        for action in race.left:
            after = determinization.clone()
            after.end_with_deal()
            after.apply(action, observation.seat)
            points = after.heuristic_playout(random) if after.pending else after.scores[-observation.rules.seats :]
            race.count(action, _margin(points, observation.seat, teams))
        race.drop()
    return race.result()


class _Race:
    """The actions, and those of them that are still in it."""

    def __init__(self, legal: Sequence[int]) -> None:
        self.left = list(legal)
        self.iterations = 0
        self._visits = dict.fromkeys(legal, 0)
        self._sums = dict.fromkeys(legal, 0.0)
        self._sum = self._squares = 0.0

    def count(self, action: int, value: float) -> None:
        """Count one rollout."""
        self.iterations += 1
        self._visits[action] += 1
        self._sums[action] += value
        self._sum += value
        self._squares += value * value

    def drop(self) -> None:
        """Eliminate what is clearly behind."""
        visits = self._visits[self.left[0]]
        if visits < _FEWEST:
            return
        variance = self._squares / self.iterations - (self._sum / self.iterations) ** 2
        error = _DOUBT * math.sqrt(max(variance, 0.0) / visits)
        best = max(self._sums[action] for action in self.left) / visits
        self.left = [action for action in self.left if self._sums[action] / visits + 2 * error >= best]

    def result(self) -> SearchResult:
        """Return what has been found."""
        values = {action: self._sums[action] / visits if visits else 0.0 for action, visits in self._visits.items()}
        best = max(self.left, key=lambda action: values[action])
        return SearchResult(dict(self._visits), values, best, self.iterations)


def _margin(points: Sequence[int], seat: int, teams: Teams | None) -> float:
    """Return how far the seat, or the team of it, is ahead of the others: points of a player,
    less those of the others.
    """
    own = next((team for team in teams or () if seat in team), (seat,))
    mine = sum(points[one] for one in own)
    return mine / len(own) - (sum(points) - mine) / (len(points) - len(own))
