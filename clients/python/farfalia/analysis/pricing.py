"""Computes what decisions cost: every action is tried in likely worlds, and played out as the bot `cautious` plays.

Of several values with errors the greatest is mostly one that looks better than it is. So the worlds are two halves:
what is best in one is priced in the other, both ways round. A price is therefore a little less than the difference
of the two values, and it is 0 where the halves do not agree that anything is better than what was done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Final

import numpy as np

from farfalia.analysis.prices import FEWEST_WORLDS, WORLDS, ActionValue, PricedDecision, aspect_of, check_priced
from farfalia.bots.cautious import CautiousBot
from farfalia.learning.likely_worlds import likely_worlds
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.world_values import values_in
from farfalia_engine import Kind, Observation, Record, State, replay, ruleset

#: Worlds that are chosen together out of several times as many.
_TOGETHER: Final = 64


def price_decisions(
    record: Record, *, seats: Collection[int] | None = None, worlds: int = WORLDS, seed: int = 0
) -> Iterator[PricedDecision]:
    """Yield the decisions of these seats, of all by default, with what they cost, in the order of the record.

    Where one action was legal there was nothing to decide. Whether to spend a wild card is not priced: it is about
    later deals. The same record, worlds and seed give the same numbers, whatever seats are asked for.

    Raises NotPriced for a game that cannot be priced at all, UnreplayableRecord as `replay` does, and ValueError for a
    seat that is none and for fewer than 8 worlds.
    """
    rules = ruleset(record.ruleset, record.options)
    check_priced(rules)
    if worlds < FEWEST_WORLDS:
        raise ValueError(f"worlds is {worlds}, expected {FEWEST_WORLDS} or more")
    asked = range(rules.seats) if seats is None else seats
    for seat in asked:
        if not 0 <= seat < rules.seats:
            raise ValueError(f"seat {seat} is none, expected 0 to {rules.seats - 1}")
    for number, (done, state) in enumerate(zip(record.actions, replay(record), strict=False)):
        if done.seat in asked and is_priced(state, done.seat):
            yield price_decision(state, done.seat, done.action, number=number, worlds=worlds, seed=seed)


def is_priced(state: State, seat: int) -> bool:
    """Return whether the seat has a choice now that can be priced."""
    kind = state.pending.kind if state.pending else None
    return kind is not Kind.DOUBLE and len(state.legal_actions(seat)) > 1


def price_decision(
    state: State, seat: int, action: int, *, number: int = 0, worlds: int = WORLDS, seed: int = 0
) -> PricedDecision:
    """Return what it costs that the seat does this now; `number` and `seed` say by what chance worlds are drawn.

    Raises ValueError if this is nothing that the seat may do.
    """
    return Position(state, seat, number=number, worlds=worlds, seed=seed).price(action)


class Position:
    """A position in which a seat is asked, with the values of its legal actions; `price` says what each would cost.

    Raises ValueError if the seat is not asked.
    """

    def __init__(self, state: State, seat: int, *, number: int = 0, worlds: int = WORLDS, seed: int = 0) -> None:
        view = state.observation(seat)
        if view.kind is None:
            raise ValueError(f"seat {seat} has no decision to make, so there is nothing to price")
        self._view, self._kind, self._number = view, view.kind, number
        self._halves = [_Half(view, worlds // 2, Random(f"{seed} {number} {half}")) for half in range(2)]
        self._means: Floats = (self._halves[0].means + self._halves[1].means) / 2
        self._open: Floats = values_in(view, [state], view.legal, CautiousBot())[:, 0]

    @property
    def best(self) -> int:
        """The action that is best as far as the seat can know."""
        return self._view.legal[int(self._means.argmax())]

    def price(self, action: int) -> PricedDecision:
        """Return what it costs to do this; ValueError if it is not legal."""
        view, halves = self._view, self._halves
        one, other = halves
        if action not in view.legal:
            raise ValueError(f"action {action} is not legal for seat {view.seat}")
        done = view.legal.index(action)
        best = _best(self._means, done)
        # What is the best in one half is priced in the other one.
        chosen = [(other, _best(one.means, done)), (one, _best(other.means, done))]
        price = sum(half.means[index] - half.means[done] for half, index in chosen) / 2
        return PricedDecision(
            number=self._number,
            deal=view.deal,
            trick=_trick(view),
            seat=view.seat,
            kind=self._kind,
            aspect=aspect_of(view),
            action=action,
            best=view.legal[best],
            values=tuple(
                ActionValue(
                    legal, float(self._means[index]), _error([half.error(index, best) for half in self._halves])
                )
                for index, legal in enumerate(view.legal)
            ),
            price=max(0.0, float(price)),
            error=_error([half.error(index, done) for half, index in chosen]),
            open_price=float(self._open.max() - self._open[done]),
        )


class _Half:
    """Worlds that a seat may be in, and what each legal action comes to in them."""

    def __init__(self, view: Observation, worlds: int, random: Random) -> None:
        values, counts = [], []
        for first in range(0, worlds, _TOGETHER):
            likely = likely_worlds(view, random, min(_TOGETHER, worlds - first))
            values.append(values_in(view, likely.worlds, view.legal, CautiousBot()))
            counts.append(likely.counts)
        self._values = np.hstack(values)
        self._shares = np.concatenate(counts) / worlds
        #: By legal action.
        self.means: Floats = self._values @ self._shares

    def error(self, one: int, other: int) -> float:
        """Return the standard error of the difference between two actions."""
        together = float(self._shares @ self._shares)
        if one == other or together >= 1:
            return 0.0
        spread = self._values[one] - self._values[other] - (self.means[one] - self.means[other])
        # Worlds that count more than others say less than as many that count the same.
        return float(np.sqrt(self._shares**2 @ spread**2 / (1 - together)))


def _best(means: Floats, done: int) -> int:
    """Return the index of the best action; it is what was done if none is better."""
    best = int(means.argmax())
    return best if means[best] > means[done] else done


def _error(errors: list[float]) -> float:
    """Return the standard error of a mean of independent values with these ones."""
    return float(np.linalg.norm(errors)) / len(errors)


def _trick(view: Observation) -> int | None:
    if view.kind is Kind.PLAY:
        return len(view.winners) + 1
    return len(view.winners) if view.kind is Kind.COLLECT else None
