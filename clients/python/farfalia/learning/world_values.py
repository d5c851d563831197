"""What each action comes to in given worlds if all play on as the bot `cautious` does, in lock step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from farfalia.bot import Bot
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats, Whims, lead_weights
from farfalia.learning.lockstep_rules import COLLECTING
from farfalia.learning.lockstep_worlds import table_now
from farfalia_engine import COLLECT_CARD, COLLECT_NONE, Kind, Observation, State

#: Rows of a table at most, where actions can be tried in several tables: the more, the less NumPy's calls cost, until
#: the cache is full.
ROWS: Final = 512


def values_in(
    view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot, whims: Whims | None = None
) -> Floats:
    """Return what each action comes to in each world, (actions, worlds), if all play on as cautious does, with whims.

    Worlds are determinizations of the view, or the true state, in which the seat is asked. What they come to are points
    of the deal, less the mean of the others'; a deal that counts double counts once here.
    """
    weights = lead_weights(view.rules, view.seats, view.sides, view.seat, view.doubled)
    count = len(worlds)
    if view.kind not in (Kind.PLAY, Kind.COLLECT):
        # Positions of one table are of one type of deal.
        together = 1 if view.kind is Kind.PICK_TYPE else max(1, ROWS // count)
        parts = []
        for first in range(0, len(actions), together):
            tried = actions[first : first + together]
            settled = [state for action in tried for state in _settled(worlds, action, view.seat, base)]
            played = table_now(view, settled).play_out(whims and whims.repeated(len(tried)))
            parts.append((weights @ played).reshape(len(tried), count))
        return np.concatenate(parts)
    table = table_now(view, [world for _ in actions for world in worlds])
    chosen = np.repeat(np.array(actions), count)
    if view.kind is Kind.PLAY:
        table.play(chosen.astype(np.uint8))
    elif isinstance(table, CautiousTable):
        taken = np.where(chosen == COLLECT_NONE, 255, chosen - COLLECT_CARD)
        table.missing[view.sides[view.winners[-1]]] -= COLLECTING[taken]
    values: Floats = (weights @ table.play_out(whims and whims.repeated(len(actions)))).reshape(len(actions), count)
    return values


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
