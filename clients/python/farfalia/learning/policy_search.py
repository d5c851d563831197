"""A search in lock step: worlds are weighed by how others have played, and played out as cautious plays.

Each action that may still be the best is tried in the same worlds, all in one table. Everyone plays on as cautious does
from what they would see there, this seat too: unlike a search that plays out with open cards it does not count on
knowing later what it cannot know. So it is one step of policy improvement upon cautious.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import numpy as np

from farfalia.bot import Bot
from farfalia.learning.likelihood import log_likelihood
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats, lead_weights
from farfalia.learning.lockstep_rules import COLLECTING
from farfalia.learning.lockstep_worlds import table_now
from farfalia_engine import COLLECT_CARD, COLLECT_NONE, Kind, Observation, SearchResult, State

#: Rows of a table at most: the more, the less NumPy's calls cost, until the cache is full.
_ROWS: Final = 512
#: Worlds drawn in each round, at most, and for each one that is played out: those that fit best to what others did.
_DRAWN: Final = 400
_CHOICE: Final = 10
#: They are weighed less sharply until they count as much as this number of equally likely ones.
_EFFECTIVE: Final = 40
#: An action stays in the race while its mean is no more than this many standard errors of the difference behind.
_DOUBT: Final = 2.0
#: Worlds in which every action is tried before any drops out.
_FEWEST: Final = 8


def policy_search(
    view: Observation,
    random: Random,
    base: Bot,
    iterations: int = 1000,
    enough: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """Search for at most this number of rollouts, until one action is left, or until `enough` returns true.

    Every action is tried in a few worlds at least, which may take more. A world that stands for several is rolled out
    once, so mostly there are fewer. `base` decides what follows before the play, and is cautious. `enough` is asked
    between rounds of some hundred rollouts. The same view, random numbers and iterations give the same result. Raises
    ValueError if the seat is not asked.
    """
    if not view.legal:
        raise ValueError(f"seat {view.seat} has no decision to make, so there is nothing to search")
    race, left = _Race(view.legal), iterations
    while len(race.left) > 1 and (not race.iterations or (left >= _FEWEST * len(race.left) and not enough())):
        number = max(min(_ROWS, left) // len(race.left), _FEWEST)
        left -= number * len(race.left)
        worlds, counts = _worlds(view, random, number)
        race.count(values_in(view, worlds, race.left, base), counts)
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
        self._values = np.hstack([self._values, values])
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
            errors = np.sqrt((spread * self._counts) ** 2 @ np.ones(len(self._counts))) / total
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


def _worlds(view: Observation, random: Random, number: int) -> tuple[list[State], Floats]:
    """Return up to this number of worlds, and how much each counts."""
    drawn = [view.sample(random) for _ in range(max(number, min(_DRAWN, _CHOICE * number)))]
    chances = _chances(log_likelihood(view, drawn))
    bounds = np.cumsum(chances) * number
    # Every world stands on a line for as long as it is likely; a comb with a tooth at every unit takes those it meets.
    teeth = random.random() + np.arange(number)
    met = np.minimum(np.searchsorted(bounds, teeth), len(drawn) - 1)
    found, counts = np.unique(met, return_counts=True)
    return [drawn[index] for index in found], counts.astype(np.float64)


def _chances(likelihood: Floats) -> Floats:
    """Return what worlds of this log likelihood count, less sharply if few of them would count alone."""
    while True:
        chances: Floats = np.exp(likelihood - likelihood.max())
        chances /= chances.sum()
        if 1 / (chances @ chances) >= min(_EFFECTIVE, len(chances) / 2):
            return chances
        likelihood = 0.8 * likelihood


def values_in(view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot) -> Floats:
    """Return what each action comes to in each world, (actions, worlds), if all play on as cautious does.

    Worlds are determinizations of the view, or the true state, in which the seat is asked. What they come to are points
    of the deal, less the mean of the others'; a deal that counts double counts once here.
    """
    weights = lead_weights(view.rules, view.seats, view.sides, view.seat, view.doubled)
    count = len(worlds)
    if view.kind not in (Kind.PLAY, Kind.COLLECT):
        return np.array(
            [
                weights @ table_now(view, [_settled(world, action, view.seat, base) for world in worlds]).play_out()
                for action in actions
            ]
        )
    table = table_now(view, [world for _ in actions for world in worlds])
    chosen = np.repeat(np.array(actions), count)
    if view.kind is Kind.PLAY:
        table.play(chosen.astype(np.uint8))
    elif isinstance(table, CautiousTable):
        taken = np.where(chosen == COLLECT_NONE, 255, chosen - COLLECT_CARD)
        table.missing[view.sides[view.winners[-1]]] -= COLLECTING[taken]
    values: Floats = (weights @ table.play_out()).reshape(len(actions), count)
    return values


def _settled(world: State, action: int, seat: int, base: Bot) -> State:
    """Return the world after this action and all that follows before the play."""
    after = world.clone()
    after.apply(action, seat)
    while after.pending is not None and after.pending.kind is not Kind.PLAY:
        asked = after.pending.seats[0]
        legal = after.legal_actions(asked)
        after.apply(legal[0] if len(legal) == 1 else base.decide(after.observation(asked)), asked)
    return after
