"""Computes what decisions cost: every action is tried in likely worlds, and played out as the bot `cautious` plays.

Of several values with errors the greatest is mostly one that looks better than it is. So the worlds are two halves:
what is best in one is priced in the other, both ways round. A price is therefore a little less than the difference
of the two values, and it is 0 where the halves do not agree that anything is better than what was done.

In the last deal of a match the ends of the same worlds decide the places, so decisions there have a price in places,
too, which comes about in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.analysis.places import decides_places, places_after
from farfalia.analysis.prices import (
    FEWEST_WORLDS,
    WORLDS,
    ActionValue,
    PlacePrice,
    PricedDecision,
    aspect_of,
    check_priced,
)
from farfalia.bots.cautious import CautiousBot
from farfalia.learning.likely_worlds import likely_worlds
from farfalia.learning.lockstep_policy import Floats
from farfalia.learning.world_values import leads, points_in
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
            lost = tuple(one.seat for one in record.incidents if one.taken_over and one.action_index <= number)
            yield price_decision(state, done.seat, done.action, number=number, worlds=worlds, seed=seed, forfeits=lost)


def is_priced(state: State, seat: int) -> bool:
    """Return whether the seat has a choice now that can be priced."""
    kind = state.pending.kind if state.pending else None
    return kind is not Kind.DOUBLE and len(state.legal_actions(seat)) > 1


def price_decision(
    state: State,
    seat: int,
    action: int,
    *,
    number: int = 0,
    worlds: int = WORLDS,
    seed: int = 0,
    forfeits: Sequence[int] = (),
) -> PricedDecision:
    """Return what it costs that the seat does this now; `number` and `seed` say by what chance worlds are drawn.

    `forfeits` are as in `Position`. Raises ValueError if this is nothing that the seat may do.
    """
    return Position(state, seat, number=number, worlds=worlds, seed=seed, forfeits=forfeits).price(action)


class Position:
    """A position in which a seat is asked, with the values of its legal actions; `price` says what each would cost.

    `forfeits` are seats that a house bot has taken over until then, in that order: they are placed last. Raises
    ValueError if the seat is not asked.
    """

    def __init__(
        self,
        state: State,
        seat: int,
        *,
        number: int = 0,
        worlds: int = WORLDS,
        seed: int = 0,
        forfeits: Sequence[int] = (),
    ) -> None:
        view = state.observation(seat)
        if view.kind is None:
            raise ValueError(f"seat {seat} has no decision to make, so there is nothing to price")
        self._view, self._kind, self._number = view, view.kind, number
        ends = [_ends(view, worlds // 2, Random(f"{seed} {number} {half}")) for half in range(2)]
        self._points = _Halves([_Half(_values(view, points), shares) for points, shares in ends])
        self._open: Floats = _values(view, _played_out(view, [state]))[:, 0]
        self._places: _Halves | None = None
        if decides_places(view):
            places = [places_after(view, points, forfeits) for points, _ in ends]
            shares = [shares for _, shares in ends]
            # The lower a place, the better.
            self._places = _Halves([_Half(-found, share) for found, share in zip(places, shares, strict=True)])
            firsts = [(found == 1) @ share for found, share in zip(places, shares, strict=True)]
            self._first: Floats = np.mean(firsts, axis=0)

    @property
    def best(self) -> int:
        """The action that is best as far as the seat can know."""
        return self._view.legal[int(self._points.means.argmax())]

    def price(self, action: int) -> PricedDecision:
        """Return what it costs to do this; ValueError if it is not legal."""
        view, points = self._view, self._points
        if action not in view.legal:
            raise ValueError(f"action {action} is not legal for seat {view.seat}")
        done = view.legal.index(action)
        best, price, error = points.price(done)
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
                ActionValue(legal, float(points.means[index]), points.error(index, best), *self._place(index))
                for index, legal in enumerate(view.legal)
            ),
            price=price,
            error=error,
            open_price=float(self._open.max() - self._open[done]),
            places=self._place_price(done),
        )

    def _place(self, index: int) -> tuple[float, float] | tuple[()]:
        """Return the expected place after a legal action and the chance of the first one, where there are places."""
        return () if self._places is None else (-float(self._places.means[index]), float(self._first[index]))

    def _place_price(self, done: int) -> PlacePrice | None:
        if self._places is None:
            return None
        best, price, error = self._places.price(done)
        return PlacePrice(self._view.legal[best], price, error)


class _Half:
    """What each legal action comes to in worlds that a seat may be in, (actions, worlds), each with its share."""

    def __init__(self, values: Floats, shares: Floats) -> None:
        self._values, self._shares = values, shares
        #: By legal action.
        self.means: Floats = values @ shares

    def error(self, one: int, other: int) -> float:
        """Return the standard error of the difference between two actions."""
        together = float(self._shares @ self._shares)
        if one == other or together >= 1:
            return 0.0
        spread = self._values[one] - self._values[other] - (self.means[one] - self.means[other])
        # Worlds that count more than others say less than as many that count the same.
        return float(np.sqrt(self._shares**2 @ spread**2 / (1 - together)))


class _Halves:
    """What each legal action comes to in both halves of the worlds."""

    def __init__(self, halves: Sequence[_Half]) -> None:
        self._halves = halves
        #: By legal action.
        self.means: Floats = (halves[0].means + halves[1].means) / 2

    def price(self, done: int) -> tuple[int, float, float]:
        """Return the index of the best action, the price of what was done, and its standard error."""
        one, other = self._halves
        # What is the best in one half is priced in the other one.
        chosen = [(other, _best(one.means, done)), (one, _best(other.means, done))]
        price = sum(half.means[index] - half.means[done] for half, index in chosen) / 2
        return (
            _best(self.means, done),
            max(0.0, float(price)),
            _error([half.error(index, done) for half, index in chosen]),
        )

    def error(self, one: int, other: int) -> float:
        """Return the standard error of the difference between two actions."""
        return _error([half.error(one, other) for half in self._halves])


def _ends(view: Observation, worlds: int, random: Random) -> tuple[NDArray[np.int16], Floats]:
    """Return how the deal ends after each legal action in worlds that the seat may be in, as `points_in` does, and the
    share of each world.
    """
    points, counts = [], []
    for first in range(0, worlds, _TOGETHER):
        likely = likely_worlds(view, random, min(_TOGETHER, worlds - first))
        points.append(_played_out(view, likely.worlds))
        counts.append(likely.counts)
    return np.concatenate(points, axis=2), np.concatenate(counts) / worlds


def _played_out(view: Observation, worlds: Sequence[State]) -> NDArray[np.int16]:
    return points_in(view, worlds, view.legal, CautiousBot())


def _values(view: Observation, points: NDArray[np.int16]) -> Floats:
    """Return what each legal action comes to in each world, in points as they count in the match."""
    return view.rules.game.weight(view.deal) * leads(view, points)


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
