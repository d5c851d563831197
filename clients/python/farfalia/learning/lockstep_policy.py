"""What positions of every game have in common that are played on in lock step, as the bot `cautious` plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.card_sets import Bytes, Places, Sets
from farfalia_engine import Ruleset

Floats = NDArray[np.float64]

_ONE: Final = np.uint64(1)


@dataclass(frozen=True, slots=True)
class Whims:
    """What makes players choose at random, a card the more often the better it looks: noise of a Gumbel distribution.

    Where the scale is s, a card that looks worse by s is chosen e times less often.
    """

    #: By position and row.
    scale: Floats
    #: By card and row, drawn once for the whole deal.
    liking: Floats

    def repeated(self, times: int) -> Whims:
        """Return the same whims for all rows, these times one after the other."""
        return Whims(np.tile(self.scale, (1, times)), np.tile(self.liking, (1, times)))


class PolicyTable(ABC):
    """Positions of one moment of one deal, the rows: the same seats and as many cards on the table, in lock step.

    Arrays have the rows along their last axis: `hands` and `voids`, suits as bits, are (positions, rows); `played`,
    all cards that were played, and `leader`, the position that leads to the next trick, are (rows,). `left` tricks are
    still to be decided. The table takes the arrays over, and changes them.
    """

    #: Attributes that have the rows along their last axis.
    by_row: ClassVar[tuple[str, ...]] = ("hands", "played", "voids", "leader")

    def __init__(self, *, hands: Sets, played: Sets, voids: Bytes, leader: Places, left: int) -> None:
        self.positions, count = hands.shape
        self.rows = np.arange(count)
        self.hands, self.played, self.voids = hands, played, voids
        self.leader, self.left = leader, left
        #: How many cards are on the table.
        self.step = 0

    @property
    def acting(self) -> Places:
        """Who is to play, by row."""
        acting: Places = (self.leader + self.step) % self.positions
        return acting

    def chosen(self, rows: Places) -> Self:
        """Return a table of its own with these rows, in this order, each as often as it is named."""
        other = copy(self)
        for name in self.by_row:
            setattr(other, name, getattr(self, name)[..., rows])
        other.rows = np.arange(len(rows))
        return other

    def play_out(self, whims: Whims | None = None) -> NDArray[np.int16]:
        """Play all rows to the end of the deal as cautious does; return the points as `points` does.

        Whims are added to what cautious thinks of the cards.
        """
        while self.left > 1:
            cards, values = self.values()
            if whims is not None:
                values += whims.scale[self.acting, self.rows] * whims.liking[cards, self.rows]
            self.play(cards[values.argmax(axis=0), self.rows])
        while self.left:
            # Everyone has one card left.
            self.play(np.bitwise_count(self.hands[self.acting, self.rows] - _ONE))
        return self.points

    @property
    @abstractmethod
    def points(self) -> NDArray[np.int16]:
        """Points of this deal by side and row, (sides, rows), before anything is doubled."""

    @property
    @abstractmethod
    def shown(self) -> Sets:
        """What everyone sees between two tricks besides the cards that were played, as a number by row."""

    @abstractmethod
    def legal(self) -> Sets:
        """Return what may be played, by row."""

    @abstractmethod
    def play(self, cards: Bytes) -> None:
        """Play these cards, one in each row; the winner of a full trick collects as cautious does."""

    @abstractmethod
    def values(self) -> tuple[Bytes, Floats]:
        """Return the legal cards of each row, ascending, and what cautious thinks of them, both (choices, rows).

        Rows with fewer choices repeat their last card, with a value of minus infinity.
        """

    def _take(self, cards: Bytes) -> None:
        """Move these cards, one in each row, from the hands to those that were played."""
        bits = _ONE << cards
        self.hands[self.acting, self.rows] ^= bits
        self.played = self.played | bits

    def _show_void(self, out: NDArray[np.bool_], led: Bytes) -> None:
        """Remember that who acts has run out of the suit led, in these rows."""
        self.voids[self.acting, self.rows] |= (out.view(np.uint8) << led).astype(np.uint8)


def lead_weights(rules: Ruleset, seats: bytes, sides: bytes, seat: int, doubled: bytes = b"") -> Floats:
    """Return by how much a point of each side brings this seat, or its team, ahead of the others; `doubled` seats count
    twice. `seats` and `sides` are by position.
    """
    own = next((team for team in rules.teams or () if seat in team), (seat,))
    weights: Floats = np.zeros(max(sides) + 1)
    for other in range(rules.seats):
        share = 1 / len(own) if other in own else -1 / (rules.seats - len(own))
        weights[sides[seats.index(other)]] += share * (2 if other in doubled else 1)
    return weights


def listed(sets: Sets) -> tuple[Bytes, NDArray[np.bool_]]:
    """Return the cards of each set, ascending, (choices, rows), and which of them are real: the last one repeats."""
    most = int(np.bitwise_count(sets).max())
    cards = np.empty((most, len(sets)), np.uint8)
    real = np.empty((most, len(sets)), np.bool_)
    left = sets
    for number in range(most):
        lowest = left & (~left + _ONE)
        real[number] = lowest != 0
        card = np.bitwise_count(lowest - _ONE)
        cards[number] = np.where(real[number], card, cards[number - 1]) if number else card
        left = left ^ lowest
    return cards, real


def none_of(most_cards: int, most_held: int) -> Floats:
    """Return how likely none of the cards that a hand holds is one of some, as cautious estimates it.

    By how many these are, of how many cards, and how many the hand holds: at (some * most_cards + cards) * most_held +
    held. The bounds are not reached.
    """
    counts = range(most_cards)
    return np.array(
        [
            [[(1 - min(some, cards) / max(1, cards)) ** held for held in range(most_held)] for cards in counts]
            for some in counts
        ]
    ).reshape(-1)
