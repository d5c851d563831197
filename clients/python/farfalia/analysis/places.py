"""Which place a seat comes to with the end of a match's last deal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.lockstep_policy import Floats
from farfalia_engine import Observation


def decides_places(view: Observation) -> bool:
    """Return whether the match ends with this deal whatever its points are, so that they decide the places."""
    return view.deal == view.rules.last_deal


def places_after(view: Observation, points: NDArray[np.int16], forfeits: Sequence[int] = ()) -> Floats:
    """Return the seat's place in the match after each of these ends of the last deal, by the ruleset.

    `points` are those of the deal by side along the first axis, before anything is doubled, as `points_in` has them;
    places have the other axes. `forfeits` are seats that a house bot has taken over, as in `Ruleset.places`.
    """
    rules, seats = view.rules, range(view.rules.seats)
    finished = np.array(view.scores[: rules.seats * (view.deal - 1)], np.int64)
    before = finished.reshape(-1, rules.seats).sum(axis=0)
    counts = rules.game.weight(view.deal) * np.array([2 if seat in view.doubled else 1 for seat in seats])
    sides = [view.sides[view.seats.index(seat)] for seat in seats]
    # Most worlds end in one of a few ways.
    ends, which = np.unique(points.reshape(len(points), -1), axis=1, return_inverse=True)
    totals = before[:, np.newaxis] + counts[:, np.newaxis] * ends[sides]
    places = np.array([rules.places(column.tolist(), forfeits)[view.seat] for column in totals.T], np.float64)
    return places[which.reshape(points.shape[1:])]
