"""What each action comes to in given worlds if all play on as the bot `cautious` does, in lock step.

Towards the end of a deal the seat itself may play on better than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.bot import Bot
from farfalia.learning.decision_tree import tree_values
from farfalia.learning.likely_worlds import LikelyWorlds
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats, PolicyTable, Whims, lead_weights
from farfalia.learning.lockstep_rules import COLLECTING
from farfalia.learning.lockstep_worlds import table_now
from farfalia_engine import COLLECT_CARD, COLLECT_NONE, Kind, Observation, State

#: Rows of a table at most, where actions can be tried in several tables: the more, the less NumPy's calls cost, until
#: the cache is full.
ROWS: Final = 512
#: With no more cards than this in its hand the seat's own decisions grow a tree.
_LAST: Final = 6


def values_in(
    view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot, whims: Whims | None = None
) -> Floats:
    """Return what each action comes to in each world, (actions, worlds), if all play on as cautious does, with whims.

    What it comes to are points of the deal as in `points_in`, less the mean of the others'; a deal that counts double
    counts once here.
    """
    return leads(view, points_in(view, worlds, actions, base, whims))


def tree_values_in(
    view: Observation, likely: LikelyWorlds, actions: Sequence[int], base: Bot, whims: Whims | None
) -> Floats:
    """Return the same if the seat plays on better where it can; see `decision_tree`.

    So it is towards the end of a deal; earlier it plays on as cautious does.
    """
    if len(view.hand) > _LAST:
        return values_in(view, likely.worlds, actions, base, whims)
    own = np.array([seat == view.seat for seat in view.seats])
    weights = lead_weights(view.rules, view.seats, view.sides, view.seat, view.doubled)
    return np.concatenate(
        [
            tree_values(table, own, weights, likely.counts, whims).reshape(-1, len(likely.worlds))
            for table in _tables(view, likely.worlds, actions, base)
        ]
    )


def leads(view: Observation, points: NDArray[np.int16]) -> Floats:
    """Return by how much these points, as those of `points_in`, bring the seat, or its team, ahead of the others."""
    weights = lead_weights(view.rules, view.seats, view.sides, view.seat, view.doubled)
    values: Floats = (weights @ points.reshape(len(points), -1)).reshape(points.shape[1:])
    return values


def points_in(
    view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot, whims: Whims | None = None
) -> NDArray[np.int16]:
    """Return the points of the deal by side after each action in each world, (sides, actions, worlds), before anything
    is doubled, if all play on as cautious does, with whims.

    Worlds are determinizations of the view, or the true state, in which the seat is asked.
    """
    count = len(worlds)
    played = [
        table.play_out(whims and whims.repeated(len(table.rows) // count))
        for table in _tables(view, worlds, actions, base)
    ]
    return np.concatenate([points.reshape(len(points), -1, count) for points in played], axis=1)


def _tables(view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot) -> Iterator[PolicyTable]:
    """Yield the worlds after the actions, one action after the other, in one table or in several."""
    count = len(worlds)
    if view.kind not in (Kind.PLAY, Kind.COLLECT):
        # Positions of one table are of one type of deal.
        together = 1 if view.kind is Kind.PICK_TYPE else max(1, ROWS // count)
        for first in range(0, len(actions), together):
            tried = actions[first : first + together]
            settled = [state for action in tried for state in _settled(worlds, action, view.seat, base)]
            yield table_now(view, settled)
        return
    table = table_now(view, [world for _ in actions for world in worlds])
    chosen = np.repeat(np.array(actions), count)
    if view.kind is Kind.PLAY:
        table.play(chosen.astype(np.uint8))
    elif isinstance(table, CautiousTable):
        taken = np.where(chosen == COLLECT_NONE, 255, chosen - COLLECT_CARD)
        table.missing[view.sides[view.winners[-1]]] -= COLLECTING[taken]
    yield table


def _settled(worlds: Sequence[State], action: int, seat: int, base: Bot) -> list[State]:
    """Return the worlds after this action and all that follows before the play."""
    settled = []
    decided: dict[Kind, int] = {}
    for world in worlds:
        after = world.clone()
        after.apply(action, seat)
        while after.pending is not None and after.pending.kind is not Kind.PLAY:
            kind, asked = after.pending.kind, after.pending.seats[0]
            legal = after.legal_actions(asked)
            answer = decided.get(kind)
            if answer is None:
                answer = legal[0] if len(legal) == 1 else base.decide(after.observation(asked))
            if asked == seat and after.rules.game.collecting:
                # A dealer of Farfalia sees nothing new between its decisions, so it is the same in all worlds.
                decided[kind] = answer
            after.apply(answer, asked)
        settled.append(after)
    return settled
