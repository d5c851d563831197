"""What each action comes to in given worlds if all play on as the bot `cautious` does, in lock step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farfalia.bot import Bot
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_policy import Floats, Whims
from farfalia.learning.lockstep_rules import COLLECTING
from farfalia.learning.lockstep_worlds import table_now
from farfalia_engine import COLLECT_CARD, COLLECT_NONE, Kind, Observation, State


def values_in(
    view: Observation, worlds: Sequence[State], actions: Sequence[int], base: Bot, whims: Whims | None = None
) -> Floats:
    """Return what each action comes to in each world, (actions, worlds), if all play on as cautious does, with whims.

    Worlds are determinizations of the view, or the true state, in which the seat is asked. What they come to are points
    of the deal, less the mean of the others'; a deal that counts double counts once here.
    """
    weights = _by_side(view)
    count = len(worlds)
    if view.kind not in (Kind.PLAY, Kind.COLLECT):
        settled = [_settled(worlds, action, view.seat, base) for action in actions]
        if view.kind is Kind.PICK_TYPE:  # a table is of one type
            return np.array([weights @ table_now(view, states).play_out(whims) for states in settled])
        table = table_now(view, [state for states in settled for state in states])
        return (weights @ table.play_out(whims and whims.repeated(len(actions)))).reshape(len(actions), count)
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


def _by_side(view: Observation) -> Floats:
    """Return how much a point of each side adds to how far the seat, or its team, is ahead of the others."""
    seats = view.rules.seats
    own = next((team for team in view.rules.teams or () if view.seat in team), (view.seat,))
    weights: Floats = np.zeros(max(view.sides) + 1)
    for seat in range(seats):
        share = 1 / len(own) if seat in own else -1 / (seats - len(own))
        weights[view.sides[view.seats.index(seat)]] += share * (2 if seat in view.doubled else 1)
    return weights
