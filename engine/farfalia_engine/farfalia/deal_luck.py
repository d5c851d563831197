"""The luck of one deal of Farfalia: what its hands are worth to each seat, less what any deal would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Final

from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import ORDINARY_BITS
from farfalia_engine.farfalia.dealing import SUBJECTS, deal_hands
from farfalia_engine.farfalia.dummies import FACE_DOWN
from farfalia_engine.farfalia.hand_values import SideValue, SuitWeights, likely_trumps
from farfalia_engine.farfalia.hand_weights import HAND_WEIGHTS
from farfalia_engine.farfalia.layout import Layout

#: SHA-256 of the value function: of the text that lists its weights.
VALUE_FUNCTION: Final = sha256(HAND_WEIGHTS.encode()).digest()
#: Weights are in thousandths of a point.
SCALE: Final = 1000

#: What weights are about, as the text says: the likely trumps, other suits, suits of a deal without trumps.
KINDS: Final = "TON"

_RANKS: Final = 13


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The cards of a deal, without wild cards, before anything is discarded."""

    #: By position; a dummy's with those that lie face down.
    hands: tuple[int, ...]
    #: The likely trumps, 0 … 3, or None for none.
    trumps: int | None

    @classmethod
    def of(cls, deals: Deals, deal: int, layout: Layout) -> DealtCards:
        """Return the cards of this deal, at a table like this."""
        deck = deals.shuffled(f"deal/{deal}/cards", ORDINARY_BITS)
        positions = len(layout.seats)
        hands = deal_hands(deck, positions, layout.tricks)
        if layout.declared:
            face_up = sum(sum(deck[dummy - 1 :: positions][FACE_DOWN:]) for dummy in layout.dummies)
            trumps: int | None = likely_trumps(hands[0] | face_up)
        else:
            subject = deals.shuffled(f"deal/{deal}/subjects", SUBJECTS)[0]
            # A family's number is one more than its suit's, and butterflies, which are no suit, come first.
            trumps = subject - 1 if subject else None
        return cls(tuple(hands), trumps)


def table_name(layout: Layout) -> str:
    """Return how the text of weights calls tables like this: the sides of the positions, d for a dummy, and -s if the
    first subject makes trumps.
    """
    sides = [f"{side}{'d' * (place in layout.dummies)}" for place, side in enumerate(layout.sides)]
    return f"{''.join(sides)}{'' if layout.declared else '-s'}"


def parse_weights(text: str) -> dict[str, tuple[SideValue, ...]]:
    """Return what hands are worth to each side, by the name of the table."""
    found: dict[str, dict[int, dict[int, dict[str, SuitWeights]]]] = {}
    for line in text.splitlines()[1:]:
        name, side, position, kind, *weights = line.split()
        numbers = tuple(map(int, weights))
        by_position = found.setdefault(name, {}).setdefault(int(side), {})
        by_position.setdefault(int(position), {})[kind] = SuitWeights(numbers[:_RANKS], (0, *numbers[_RANKS:]))
    nothing = SuitWeights((0,) * _RANKS, (0,))
    return {
        name: tuple(
            SideValue(
                tuple(
                    (kinds.get("T", nothing), kinds.get("O", nothing), kinds.get("N", nothing))
                    for _, kinds in sorted(by_position.items())
                )
            )
            for _, by_position in sorted(by_side.items())
        )
        for name, by_side in found.items()
    }


def has_values(layout: Layout) -> bool:
    """Return whether the value function knows tables like this."""
    return table_name(layout) in _values()


def deal_luck(layout: Layout, cards: DealtCards) -> tuple[Fraction, ...]:
    """Return by seat how many points these cards are worth more than those of an average deal.

    What the first subject makes trumps is no luck: the average is over deals with these trumps then.
    """
    name = table_name(layout)
    values = _values()[name]
    means = _means.get((name, cards.trumps is None))
    if means is None:
        means = mean_values(layout, values, trumps=cards.trumps is not None)
        _means[name, cards.trumps is None] = means
    by_side = [
        # One fraction: each step would cost as much as all the hands.
        Fraction(value.of(cards.hands, cards.trumps) * mean.denominator - mean.numerator, mean.denominator * SCALE)
        for value, mean in zip(values, means, strict=True)
    ]
    return tuple(by_side[layout.sides[position]] for position in layout.positions)


def mean_values(layout: Layout, values: Sequence[SideValue], *, trumps: bool = True) -> tuple[Fraction, ...]:
    """Return what each side's hands are worth on average, in thousandths of a point; `trumps` says whether there are
    any, where the first subject makes them.
    """
    dealt = [layout.tricks + layout.spare * (place == 0) for place in range(len(layout.seats))]
    if not layout.declared:
        return tuple(value.mean_with(dealt, 0 if trumps else None) for value in values)
    seen = [0] * len(dealt)
    seen[0] = dealt[0]
    for dummy in layout.dummies:
        seen[dummy] = dealt[dummy] - FACE_DOWN
    return tuple(value.mean(dealt, seen) for value in values)


@cache
def _values() -> Mapping[str, tuple[SideValue, ...]]:
    return parse_weights(HAND_WEIGHTS)


#: By the name of the table, and whether it has no trumps: they take a tenth of a second, and who sits where does not
#: matter.
_means: Final[dict[tuple[str, bool], tuple[Fraction, ...]]] = {}
