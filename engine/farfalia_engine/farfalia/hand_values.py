"""What the hands of a deal are worth to each side, as a function of the cards alone: the value function of luck.

A side's value is a sum over all hands of the deal, the others' too: each card counts by its position, its rank and
whether its suit is the *likely trumps*, and so does the length of each suit. The likely trumps are those that the first
subject makes, or, if a dealer declares, the suit that is longest and strongest in what it sees: its hand and the open
cards of its dummy. What the dealer then declares is a choice, and no luck. The sum has a closed form for its mean over
all deals, so that value less mean is exactly 0 on average for any weights.
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
_BITS: Final = 256


@dataclass(frozen=True)
class SuitWeights:
    """What the cards of a suit in one hand are worth to one side: by rank, lowest first, and by their number."""

    ranks: tuple[int, ...]
    lengths: tuple[int, ...]
    #: What was asked for before, by the cards: there are 8,192 sets of them at most.
    known: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, cards: int) -> int:
        """Return what these cards are worth; rank n is the bit 1 << n."""
        worth = self.known.get(cards)
        if worth is None:
            held = IN_SUIT[0][cards]
            worth = self.known[cards] = self.length(len(held)) + sum(self.ranks[rank] for rank in held)
        return worth

    def length(self, cards: int) -> int:
        """Return what this number of cards of the suit is worth, apart from their ranks."""
        return self.lengths[min(cards, len(self.lengths) - 1)]


def likely_trumps(seen: int) -> int:
    """Return the suit, 0 … 3, that a dealer who sees these cards is likely to declare: 10 and its rank for each card,
    the most wins, and of equals the first.
    """
    strengths = [sum(IN_SUIT[0][seen >> 13 * suit & SUIT_BITS]) for suit in range(SUITS)]
    for suit in range(SUITS):
        strengths[suit] += TRUMP_BASE * (seen >> 13 * suit & SUIT_BITS).bit_count()
    return strengths.index(max(strengths))


@dataclass(frozen=True)
class SideValue:
    """What the hands of a deal are worth to one side.

    `positions` has by position the weights of the likely trumps, of the other suits, and of all suits if nothing is
    trumps.
    """

    positions: tuple[tuple[SuitWeights, SuitWeights, SuitWeights], ...]

    def of(self, hands: Sequence[int], trumps: int | None) -> int:
        """Return the value of hands as dealt, given the likely trumps, or None for none."""
        value = 0
        for hand, (inside, outside, without) in zip(hands, self.positions, strict=True):
            for suit in range(SUITS):
                weights = without if trumps is None else inside if suit == trumps else outside
                cards = hand >> 13 * suit & SUIT_BITS
                worth = weights.known.get(cards)
                value += weights.of(cards) if worth is None else worth
        return value

    def mean(self, dealt: Sequence[int], seen: Sequence[int]) -> Fraction:
        """Return the exact mean of `of` over all deals, where a dealer declares what it sees most of.

        `dealt` is the number of cards of each position, `seen` how many of them the dealer sees.

        Given how many cards of a suit it sees, what the positions hold of it is hypergeometric. So each suit is worth
        something that depends on the cards seen of it alone; what is left is the sum over all sets of cards that a
        dealer may see. It is taken by the strength of the likely trumps, since the other suits are weaker, or as
        strong if they come later.
        """
        return _SeenCards(self, dealt, seen).mean

    def mean_with(self, dealt: Sequence[int], trumps: int | None) -> Fraction:
        """Return the exact mean of `of` over all deals, where these are trumps whatever was dealt."""
        if trumps is None:
            return SUITS * self._suit_mean(2, dealt)
        return self._suit_mean(0, dealt) + (SUITS - 1) * self._suit_mean(1, dealt)

    def _suit_mean(self, kind: int, dealt: Sequence[int]) -> Fraction:
        """Return what a suit is worth on average, wherever its cards are."""
        total = Fraction(0)
        for size, weights in zip(dealt, (position[kind] for position in self.positions), strict=True):
            ranks = len(weights.ranks)
            cards = SUITS * ranks
            total += Fraction(sum(weights.ranks) * size, cards)
            ways = sum(
                comb(ranks, held) * comb(cards - ranks, size - held) * weights.length(held)
                for held in range(min(ranks, size) + 1)
            )
            total += Fraction(ways, comb(cards, size))
        return total


class _SeenCards:
    """All sets of cards that a dealer may see, by the strength of their suits."""

    def __init__(self, value: SideValue, dealt: Sequence[int], seen: Sequence[int]) -> None:
        self._value = value
        self._dealt = dealt
        self._seen = seen
        self._size = sum(seen)
        self._ranks = len(value.positions[0][0].ranks)
        self._cards = SUITS * self._ranks
        self._others = self._cards - self._size

    @property
    def mean(self) -> Fraction:
        """The mean of the value."""
        suit = self._suits()
        size = self._size
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
        """What means are multiplied with to be integers."""
        return lcm(self._size, self._others, *(self._ways(place) for place in range(len(self._dealt))))

    def _ways(self, place: int) -> int:
        """Return in how many ways a position can hold cards, given which ones are seen."""
        seen = self._seen[place]
        return comb(self._size, seen) * comb(self._others, self._dealt[place] - seen)

    def _suits(self) -> dict[int, tuple[int, int, int]]:
        """Return by strength, as polynomials in the number of cards, how many sets of cards of a suit there are, what
        they are worth together as the likely trumps, and as another suit.
        """
        # Of sets of the ranks so far: by strength and number of cards, how many, and what their ranks are worth.
        sets: dict[tuple[int, int], tuple[int, int, int]] = {(0, 0): (1, 0, 0)}
        for rank in range(self._ranks):
            held = [self._rank(rank, kind, self._seen, self._size) for kind in (0, 1)]
            missing = [self._rank(rank, kind, self._unseen, self._others) for kind in (0, 1)]
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

    @property
    def _unseen(self) -> list[int]:
        return [size - seen for size, seen in zip(self._dealt, self._seen, strict=True)]

    def _rank(self, rank: int, kind: int, places: Sequence[int], cards: int) -> int:
        """Return what a card is worth on average, times the scale, if it is one of `cards`, of which the positions hold
        `places`.
        """
        share = self._scale // cards
        return sum(
            position[kind].ranks[rank] * share * size
            for position, size in zip(self._value.positions, places, strict=True)
        )

    def _length(self, number: int, kind: int) -> int:
        """Return what lengths are worth on average, times the scale, given how many cards of the suit are seen."""
        left = self._ranks - number
        total = 0
        for place, (position, seen, unseen) in enumerate(
            zip(self._value.positions, self._seen, self._unseen, strict=True)
        ):
            share = self._scale // self._ways(place)
            total += share * sum(
                _chosen(number, self._size, one, seen)
                * _chosen(left, self._others, other, unseen)
                * position[kind].length(one + other)
                for one in range(min(number, seen) + 1)
                for other in range(min(left, unseen) + 1)
            )
        return total


def _chosen(marked: int, cards: int, held: int, size: int) -> int:
    """Return in how many ways a hand of this size holds `held` of the marked cards; 0 if there are fewer cards."""
    return comb(marked, held) * comb(cards - marked, size - held) if size >= held and cards >= marked else 0


def _coefficient(polynomial: int, power: int) -> int:
    """Return a coefficient, which may be negative, of a polynomial that is an integer: its value at 2 ** _BITS."""
    half = 1 << _BITS - 1
    # What stands below is less than half a unit of this coefficient: rounding takes it away.
    above = (polynomial + (half << _BITS * (power - 1)) if power else polynomial) >> _BITS * power
    return (above + half) % (1 << _BITS) - half
