"""Deals of lock step in the engine: what the random numbers of one mean, one by one."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from farfalia_engine import Deals, Kind, Pending, ruleset
from farfalia_engine.farfalia.state import FarfaliaState

T = TypeVar("T")


class Drawn(Deals):
    """The decks of one deal as they are given."""

    __slots__ = ("_cards", "_subjects")

    def __init__(self, cards: list[int], subjects: list[int]) -> None:
        super().__init__(bytes(32))
        self._cards = cards
        self._subjects = subjects

    def shuffle(self, label: str, n: int) -> list[int]:
        deck = self._cards if label.endswith("cards") else self._subjects
        assert len(deck) == n
        return deck

    def shuffled(self, label: str, things: Iterable[T]) -> list[T]:
        deck = list(things)
        return [deck[number] for number in self.shuffle(label, len(deck))]


class Numbers:
    """The random numbers of one deal, and what they mean, as the module's documentation has it."""

    def __init__(self, numbers: Sequence[int], positions: int) -> None:
        self.cards = sorted(range(52), key=lambda card: (numbers[card] >> 6, card))
        halves = [half for number in numbers[52:] for half in (number & 0xFFFFFFFF, number >> 32)]
        self._draws = [half >> 7 for half in halves]
        self._positions = positions
        left, self.subjects = list(range(25)), []
        for draw in self._draws[2:7]:
            place = draw * len(left) >> 25
            self.subjects.append(left[place])
            left[place] = left[-1]
            left.pop()
        self.subjects += left

    def fraction(self, pending: Pending, winners: int) -> float:
        """The number from 0 to 1 that decides when `winners` tricks are complete."""
        if pending.kind is Kind.DISCARD:
            return self._draws[0] / 2**25
        if pending.kind is Kind.DECLARE:
            return self._draws[1] / 2**25
        if pending.kind is Kind.PLAY:
            return self._draws[7 + winners * (self._positions + 1) + pending.position] / 2**25
        return self._draws[7 + winners * (self._positions + 1) - 1] / 2**25


def numbers_of(seed: int, deals: int, tricks: int, positions: int) -> list[Numbers]:
    each = 52 + -(-(7 + tricks * (positions + 1)) // 2)
    source = np.random.PCG64(seed)
    return [Numbers([int(source.random_raw()) for _ in range(each)], positions) for _ in range(deals)]


def begin(name: str, options: dict[str, str], deal: int, numbers: Numbers) -> FarfaliaState:
    """This deal of a match in which nobody has points yet; the match ends with it."""
    state = ruleset(name, options).new_match(Drawn(numbers.cards, numbers.subjects))
    assert isinstance(state, FarfaliaState)
    state.deal, state.scores = deal - 1, (0,) * state.rules.seats * (deal - 1)
    state._begin_deal()
    state.end_with_deal()
    return state
