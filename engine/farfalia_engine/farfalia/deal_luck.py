"""The luck of one deal of Farfalia: what its hands are worth to each seat, less what any deal would be."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Final

from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import ORDINARY_BITS
from farfalia_engine.farfalia.dealing import deal_hands
from farfalia_engine.farfalia.hand_values import SideValue, SuitWeights, likely_trumps
from farfalia_engine.farfalia.hand_weights import HAND_WEIGHTS
from farfalia_engine.farfalia.layout import Layout

#: SHA-256 of the value function: of the text that lists its weights.
VALUE_FUNCTION: Final = sha256(HAND_WEIGHTS.encode()).digest()
#: Weights are in thousandths of a point.
SCALE: Final = 1000

_RANKS: Final = 13


def parse_weights(text: str) -> dict[bytes, tuple[SideValue, ...]]:
    """Return what hands are worth to each side, by the sides of the positions."""
    found: dict[bytes, dict[int, list[SuitWeights]]] = {}
    for line in text.splitlines()[1:]:
        sides, side, *weights = line.split()
        numbers = tuple(map(int, weights[2:]))
        found.setdefault(bytes(map(int, sides)), {}).setdefault(int(side), []).append(
            SuitWeights(numbers[:_RANKS], (0, *numbers[_RANKS:]))
        )
    return {
        sides: tuple(
            SideValue(tuple(zip(lines[::2], lines[1::2], strict=True))) for _, lines in sorted(by_side.items())
        )
        for sides, by_side in found.items()
    }


def hands_dealt(deals: Deals, deal: int, layout: Layout) -> list[int]:
    """Return the hands of a deal by position, without wild cards, before anything is discarded."""
    return deal_hands(deals.shuffled(f"deal/{deal}/cards", ORDINARY_BITS), len(layout.seats), layout.tricks)


def has_values(layout: Layout) -> bool:
    """Return whether the value function knows tables like this."""
    return layout.sides in _values() and not layout.dummies


def deal_luck(layout: Layout, hands: Sequence[int]) -> tuple[Fraction, ...]:
    """Return by seat how many points these hands, as dealt, are worth more than those of an average deal."""
    values = _values()[layout.sides]
    trumps = likely_trumps(hands[0])
    dealt = tuple(map(int.bit_count, hands))
    means = _means(layout.sides, dealt)
    by_side = [(value.of(hands, trumps) - mean) / SCALE for value, mean in zip(values, means, strict=True)]
    return tuple(by_side[layout.sides[position]] for position in layout.positions)


@cache
def _values() -> Mapping[bytes, tuple[SideValue, ...]]:
    return parse_weights(HAND_WEIGHTS)


@cache
def _means(sides: bytes, dealt: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(value.mean(dealt) for value in _values()[sides])
