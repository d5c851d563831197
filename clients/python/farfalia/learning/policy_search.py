"""A search in lock step: worlds are weighed by how others have played, and played out as cautious plays.

Each action that may still be the best is tried in the same worlds, all in one table. Everyone plays on as cautious does
from what they would see there, this seat too: unlike a search that plays out with open cards it does not count on
knowing later what it cannot know. So it is one step of policy improvement upon cautious; towards the end of a deal the
seat plays on better, as a tree over its own decisions finds. Others that have not played like cautious so far have
whims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from random import Random
from typing import Final

import numpy as np

from farfalia.bot import Bot
from farfalia.learning.likely_worlds import likely_worlds, whims_in
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.world_values import ROWS, tree_values_in
from farfalia_engine import Observation, SearchResult

#: An action stays in the race while its mean is no more than this many standard errors of the difference behind.
_DOUBT: Final = 2.0
#: Worlds in which every action is tried before any drops out.
_FEWEST: Final = 8
#: Values are multiples of one part in this number. Sums of them are then exact, whatever order a processor adds in, and
#: actions that come to the same are equal on every machine.
_GRID: Final = 2.0**20


def policy_search(
    view: Observation,
    random: Random,
    base: Bot,
    iterations: int = 1000,
    enough: Callable[[], bool] = lambda: False,
    actions: Sequence[int] | None = None,
) -> SearchResult:
    """Search for at most this number of rollouts, until one action is left, or until `enough` returns true.

    Every action is tried in a few worlds at least, which may take more. A world that stands for several is rolled out
    once, so mostly there are fewer. `base` decides what follows before the play, and is cautious. `enough` is asked
    between rounds of some hundred rollouts. `actions` are tried, if not all that are legal. The same view, random
    numbers and iterations give the same result. Raises ValueError if the seat is not asked.
    """
    if not view.legal:
        raise ValueError(f"seat {view.seat} has no decision to make, so there is nothing to search")
    race, left = _Race(actions or view.legal), iterations
    while len(race.left) > 1 and (not race.iterations or (left >= _FEWEST * len(race.left) and not enough())):
        number = max(min(ROWS, left) // len(race.left), _FEWEST)
        left -= number * len(race.left)
        likely = likely_worlds(view, random, number)
        whims = whims_in(view, likely, random)
        race.count(tree_values_in(view, likely, race.left, base, whims), likely.counts)
    return race.result()


class _Race:
    """The actions, those of them that are still in it, and their values in each world so far."""

    def __init__(self, legal: Sequence[int]) -> None:
        self.left = list(legal)
        self.iterations = 0
        self._visits = dict.fromkeys(legal, 0)
        self._means = dict.fromkeys(legal, 0.0)
        self._values: Floats = np.zeros((len(legal), 0))
        self._counts: Floats = np.zeros(0)

    def count(self, values: Floats, counts: Floats) -> None:
        """Count rollouts, (actions, worlds), of worlds that count so much; eliminate what is clearly behind."""
        self.iterations += values.size
        self._values = np.hstack([self._values, np.rint(values * _GRID) / _GRID])
        self._counts = np.hstack([self._counts, counts])
        total = self._counts.sum()
        means = self._values @ self._counts / total
        for action, mean in zip(self.left, means, strict=True):
            self._visits[action] += values.shape[1]
            self._means[action] = float(mean)
        if len(self._counts) >= _FEWEST:
            best = means.argmax()
            behind = means[best] - means
            spread = self._values[best] - self._values - behind[:, np.newaxis]
            errors = np.sqrt([fsum(row) for row in (spread * self._counts) ** 2]) / total
            stay = behind <= _DOUBT * errors
            stay[best] = True
            # Actions that came to the same in every world are one: the first of them goes on.
            same = (errors == 0) & (behind == 0)
            stay[same] = False
            stay[same.argmax()] = True
            self.left = [action for action, in_it in zip(self.left, stay, strict=True) if in_it]
            self._values = self._values[stay]

    def result(self) -> SearchResult:
        """Return what has been found."""
        best = max(self.left, key=self._means.__getitem__)
        return SearchResult(self._visits, self._means, best, self.iterations)
