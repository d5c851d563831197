"""What the hands of a deal are worth to each side, as a function of the cards alone: the value function of luck.

A side's value is a sum over all hands of the deal, the others' too: each card counts by its position, its rank and
whether its suit is the *likely trumps*, and so does the length of each suit. The likely trumps are the suit that is
longest and strongest in the dealer's hand; what the dealer then declares is a choice, and no luck. The sum has a closed
form for its mean over all deals, so that value less mean is exactly 0 on average for any weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Final

from farfalia_engine.farfalia.cards import IN_SUIT, SUIT_BITS

SUITS: Final = 4
#: From this length on a suit counts as one of this length.
LONGEST: Final = 7
#: A card of rank 1 counts so much, and each higher one 1 more, in choosing the likely trumps.
TRUMP_BASE: Final = 11

#: What stands in one coefficient of a polynomial that is written as an integer: more than any sum here can have.
_BITS: Final = 128


@dataclass(frozen=True)
class SuitWeights:
    """What the cards of a suit in one hand are worth to one side: by rank, lowest first, and by their number."""

    ranks: tuple[int, ...]
    lengths: tuple[int, ...]
    # What was asked for before, by the cards: there are 8,192 sets of them at most.
    _known: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, cards: int) -> int:
        """Return what these cards are worth; rank n is the bit 1 << n."""
        worth = self._known.get(cards)
        if worth is None:
            held = IN_SUIT[0][cards]
            worth = self._known[cards] = self.length(len(held)) + sum(self.ranks[rank] for rank in held)
        return worth

    def length(self, cards: int) -> int:
        """Return what this number of cards of the suit is worth, apart from their ranks."""
        return self.lengths[min(cards, len(self.lengths) - 1)]


def likely_trumps(hand: int) -> int:
    """Return the suit, 0 … 3, that a dealer with these cards is likely to declare: 10 and its rank for each card,
    the most wins, and of equals the first.
    """
    strengths = [sum(IN_SUIT[0][hand >> 13 * suit & SUIT_BITS]) for suit in range(SUITS)]
    for suit in range(SUITS):
        strengths[suit] += TRUMP_BASE * (hand >> 13 * suit & SUIT_BITS).bit_count()
    return strengths.index(max(strengths))


@dataclass(frozen=True)
class SideValue:
    """What the hands of a deal are worth to one side.

    `positions` has the weights of the likely trumps and of the other suits, by position.
    """

    positions: tuple[tuple[SuitWeights, SuitWeights], ...]

    def of(self, hands: Sequence[int], trumps: int) -> int:
        """Return the value of hands as dealt, given the dealer's likely trumps."""
        value = 0
        for hand, (inside, outside) in zip(hands, self.positions, strict=True):
            for suit in range(SUITS):
                weights = inside if suit == trumps else outside
                value += weights.of(hand >> 13 * suit & SUIT_BITS)
        return value

    def mean(self, dealt: Sequence[int]) -> Fraction:
        """Return the exact mean of `of` over all deals; `dealt` is the number of cards of each position.

        Given the dealer's cards of a suit, the others' hold of it is hypergeometric. So each suit is worth something
        that depends on the dealer's cards of it alone; what is left is the sum over all hands of a dealer. It is taken
        by the strength of the likely trumps, since the other suits are weaker, or as strong if they come later.
        """
        return _DealerHands(self, dealt).mean


class _DealerHands:
    """All hands of a dealer, by the strength of their suits."""

    def __init__(self, value: SideValue, dealt: Sequence[int]) -> None:
        self._value = value
        self._dealt = dealt
        self._ranks = len(value.positions[0][0].ranks)
        self._cards = SUITS * self._ranks
        self._others = self._cards - dealt[0]

    @property
    def mean(self) -> Fraction:
        """The mean of the value."""
        suit = self._suits()
        size = self._dealt[0]
        total = 0
        weaker = weaker_worth = 0
        for strength in sorted(suit):
            count, inside, outside = suit[strength]
            upto, upto_worth = weaker + count, weaker_worth + outside
            for before in range(SUITS):
                after = SUITS - 1 - before
                total += _coefficient(inside * weaker**before * upto**after, size)
                if before:
                    total += before * _coefficient(count * weaker_worth * weaker ** (before - 1) * upto**after, size)
                if after:
                    total += after * _coefficient(count * weaker**before * upto_worth * upto ** (after - 1), size)
            weaker, weaker_worth = upto, upto_worth
        return Fraction(total, comb(self._cards, size) * self._scale)

    @cached_property
    def _scale(self) -> int:
        """What the others' means are multiplied with to be integers."""
        return lcm(self._others, *(comb(self._others, size) for size in self._dealt[1:]))

    def _suits(self) -> dict[int, tuple[int, int, int]]:
        """Return by strength, as polynomials in the number of cards, how many sets of cards of a suit there are, what
        they are worth together as the likely trumps, and as another suit.
        """
        # Of sets of the ranks so far: by strength and number of cards, how many, and what their ranks are worth.
        sets: dict[tuple[int, int], tuple[int, int, int]] = {(0, 0): (1, 0, 0)}
        for rank in range(self._ranks):
            held = [self._rank(rank, kind, held=True) for kind in (0, 1)]
            missing = [self._rank(rank, kind, held=False) for kind in (0, 1)]
            grown: dict[tuple[int, int], tuple[int, int, int]] = {}
            for (strength, number), (count, inside, outside) in sets.items():
                for key, worth in (
                    ((strength + TRUMP_BASE + rank, number + 1), held),
                    ((strength, number), missing),
                ):
                    before = grown.get(key, (0, 0, 0))
                    grown[key] = (
                        before[0] + count,
                        before[1] + inside + count * worth[0],
                        before[2] + outside + count * worth[1],
                    )
            sets = grown
        lengths = [[self._length(number, kind) for kind in (0, 1)] for number in range(self._ranks + 1)]
        suit: dict[int, tuple[int, int, int]] = {}
        for (strength, number), (count, inside, outside) in sets.items():
            counts, insides, outsides = suit.get(strength, (0, 0, 0))
            power = 1 << _BITS * number
            suit[strength] = (
                counts + count * power,
                insides + (inside + count * lengths[number][0]) * power,
                outsides + (outside + count * lengths[number][1]) * power,
            )
        return suit

    def _rank(self, rank: int, kind: int, *, held: bool) -> int:
        """Return what a card is worth on average, times the scale, if the dealer has it, and if not."""
        positions = self._value.positions
        if held:
            return positions[0][kind].ranks[rank] * self._scale
        share = self._scale // self._others
        return sum(
            positions[place][kind].ranks[rank] * share * self._dealt[place] for place in range(1, len(positions))
        )

    def _length(self, number: int, kind: int) -> int:
        """Return what lengths are worth on average, times the scale, given the dealer's number of cards of the suit."""
        positions, left = self._value.positions, self._ranks - number
        total = positions[0][kind].length(number) * self._scale
        for place, size in enumerate(self._dealt[1:], 1):
            share = self._scale // comb(self._others, size)
            ways = sum(
                comb(left, cards) * comb(self._others - left, size - cards) * positions[place][kind].length(cards)
                for cards in range(min(left, size) + 1)
            )
            total += ways * share
        return total


def _coefficient(polynomial: int, power: int) -> int:
    """Return a coefficient, which may be negative, of a polynomial that is an integer: its value at 2 ** _BITS."""
    half = 1 << _BITS - 1
    # What stands below is less than half a unit of this coefficient: rounding takes it away.
    above = (polynomial + (half << _BITS * (power - 1)) if power else polynomial) >> _BITS * power
    return (above + half) % (1 << _BITS) - half
