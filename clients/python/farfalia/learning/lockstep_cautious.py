"""Many positions of Farfalia at once, each played on as `cautious` plays: every step is done in all of them together.

All positions are of one deal and one moment: the same seats, the same trick, the same number of cards on the table.
What lies where may differ, and so may everything that follows. Arrays have the positions ("rows") along their last
axis. Wild cards are not played here.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.bots.farfalia_estimates import EXPECTED
from farfalia.learning import lockstep_rules as rules
from farfalia.learning.card_sets import Bytes, Places, Sets
from farfalia.learning.lockstep_policy import Floats, PolicyTable, listed, none_of
from farfalia_engine.farfalia.cards import CARDS, FAMILIES, FAMILY, ORDINARY, RANK, SUIT, SUIT_BITS, SUIT_MASKS, mask_of
from farfalia_engine.farfalia.layout import Layout

_CARDS: Final = CARDS + 1
_HELD: Final = 18
_NONE_OF: Final = none_of(_CARDS, _HELD)
_BY_SOME: Final = _CARDS * _HELD

_ONE: Final = np.uint64(1)
#: An odd number, by which what one side is missing is told from what another is.
_APART: Final = np.uint64(0xD1342543DE82EF95)
_ALL: Final = np.uint64(ORDINARY)
_SUITS: Final[Sets] = np.array([[mask] for mask in SUIT_MASKS], np.uint64)
_SUIT_NUMBERS: Final = np.arange(4, dtype=np.uint8)[:, np.newaxis]
_SHIFTS: Final[Sets] = np.array([[[0]], [[13]], [[26]], [[39]]], np.uint64)
_FAMILY_OF: Final[Bytes] = np.array(list(FAMILY[:CARDS]), np.uint8)
_FAMILY_BIT: Final[Bytes] = np.uint8(1) << _FAMILY_OF
_SUIT_OF: Final[Bytes] = np.array(list(SUIT[:CARDS]), np.uint8)
_HIGHER: Final[Sets] = np.array([SUIT_MASKS[SUIT[card]] & -(2 << card) for card in range(CARDS)], np.uint64)
#: What a card is worth that is kept: trumps by card, others by how many higher ones are out and by card.
_KEPT_TRUMP: Final[Floats] = np.array([1.2 + RANK[card] / 13 for card in range(CARDS)])
_KEPT: Final[Floats] = np.array([0.65**higher for higher in range(14)])
_KEPT_RANK: Final[Floats] = np.array([RANK[card] / 100 for card in range(CARDS)])
#: By what is missing: the families of it as bits, and how many cards are collected.
_MISSING: Final = np.arange(len(rules.WORTH))
_COUNTS: Final = np.array([_MISSING >> rules.FAMILY_BITS * family & 7 for family in range(len(FAMILIES))])
_WANTED: Final[Bytes] = ((_COUNTS > 0) << np.arange(len(FAMILIES))[:, np.newaxis]).sum(axis=0).astype(np.uint8)
_COLLECTED: Final = np.maximum(5 - _COUNTS.sum(axis=0), 0).astype(np.intp)
_EXPECTED: Final[Floats] = np.array(EXPECTED)
_GAINS: Final[Floats] = np.hstack([np.diff(_EXPECTED, axis=1), np.zeros((len(_EXPECTED), 1))])
_OF_FAMILY: Final[Sets] = np.array(
    [[mask_of([card for card in range(CARDS) if FAMILY[card] == family])] for family in range(len(FAMILIES))], np.uint64
)
_FAMILY_SIZES: Final = np.bitwise_count(_OF_FAMILY)
#: What a side is missing less once it has collected a card of a family.
_TAKEN: Final = (1 << rules.FAMILY_BITS * np.arange(len(FAMILIES))).astype(np.uint16)
#: The highest card of a suit and one more, by the suit's 13 bits; 0 for none.
_HIGHEST: Final[Bytes] = np.array([bits.bit_length() for bits in range(1 << 13)], np.uint8)


class CautiousTable(PolicyTable):
    """Rows of a deal of Farfalia: `missing` as in `lockstep_rules` is (sides, rows), `trumps` and `discarded` (rows,).

    Nothing may be collected from the first `barren` tricks of a deal. What the dealer has discarded only the dealer
    knows. No card lies face down unless `uncovers` says so.
    """

    by_row = (
        *PolicyTable.by_row,
        *(
            "missing",
            "trumps",
            "discarded",
            "led",
            "best",
            "owner",
            "trick",
            "_above",
            "_below",
            "_families",
            "_row",
            "_strongest",
        ),
    )

    def __init__(
        self,
        layout: Layout,
        barren: int,
        *,
        hands: Sets,
        missing: NDArray[np.uint16],
        trumps: Bytes,
        played: Sets,
        discarded: Sets,
        voids: Bytes,
        leader: Places,
        left: int,
    ) -> None:
        super().__init__(hands=hands, played=played, voids=voids, leader=leader, left=left)
        self.missing, self.trumps, self.discarded = missing, trumps, discarded
        nothing = np.zeros((0, len(self.rows)), np.uint64)
        self.uncovers((), nothing, nothing.copy())
        self._fruitful = layout.tricks - barren
        self.sides = np.array(list(layout.sides), np.intp)
        self.viewer = np.array([layout.positions[seat] for seat in layout.seats], np.intp)
        self.is_dummy = np.array([place in layout.dummies for place in range(self.positions)])
        self.dummies = list(layout.dummies)
        self._clear()

    def uncovers(self, dummies: Sequence[int], above: Sets, below: Sets) -> None:
        """Lay cards face down: whose they are, the cards above them and they themselves, each as a set, (covers, rows).

        They are turned up after the trick to which the upper one is played, or now.
        """
        self._covers, self._above, self._below = dummies, above, below
        self._turn_up()

    def _clear(self) -> None:
        count = len(self.rows)
        self.step = 0
        self.led = np.zeros(count, np.uint8)
        # Of the trick on the table: its best card, how strong that is, whose; all cards; where `STRENGTH` has them.
        self.best = np.zeros(count, np.uint8)
        self._strongest = np.zeros(count, np.uint8)
        self.owner = self.leader.copy()
        self.trick = np.zeros(count, np.uint64)
        self._families = np.zeros(count, np.uint8)
        self._row = np.zeros(count, np.intp)

    @property
    def points(self) -> NDArray[np.int16]:
        """Points by side and row, before anything is doubled."""
        points: NDArray[np.int16] = rules.WORTH.take(self.missing)
        return points

    @property
    def shown(self) -> Sets:
        """What is missing, which follows from what was collected, and the dummies' cards."""
        shown: Sets = np.zeros(len(self.rows), np.uint64)
        for missing in self.missing:
            shown = shown * _APART + missing
        for dummy in self.dummies:
            shown = shown * _APART + self.hands[dummy]
        return shown

    def legal(self) -> Sets:
        """Return what may be played, by row."""
        hand = self.hands[self.acting, self.rows]
        if not self.step:
            return hand
        following = hand & _SUITS[self.led, 0]
        return np.where(following, following, hand)

    def would_win(self, cards: Bytes, rows: Places) -> NDArray[np.bool_]:
        """Return whether each of these cards, played in these rows, would be the best of the trick so far."""
        wins: NDArray[np.bool_] = rules.STRENGTH.take(self._row[rows] + cards) > self._strongest[rows]
        return wins

    def play(self, cards: Bytes) -> None:
        """Play these cards, one in each row; the winner of a full trick collects as cautious does."""
        acting, suit = self.acting, _SUIT_OF[cards]
        self._take(cards)
        self.trick |= _ONE << cards
        self._families |= _FAMILY_BIT[cards]
        if not self.step:
            self.led = suit
            self._row = self.trumps * rules.OF_TRUMPS + suit.astype(np.intp) * rules.OF_LEAD
            self.best, self.owner = cards, acting
            self._strongest = rules.STRENGTH.take(self._row + cards)
        else:
            strength = rules.STRENGTH.take(self._row + cards)
            wins = strength > self._strongest
            self.best = np.where(wins, cards, self.best)
            self.owner = np.where(wins, acting, self.owner)
            self._strongest = np.maximum(strength, self._strongest)
            self._show_void((suit != self.led) & ~self.is_dummy[acting], self.led)
        self.step += 1
        if self.step == self.positions:
            self._end_trick()

    def _end_trick(self) -> None:
        winner = self.owner
        if not self.barren:
            self._collect(self.sides[winner])
        self._turn_up()
        self.left -= 1
        self.leader = winner
        self._clear()

    def _turn_up(self) -> None:
        for dummy, above, below in zip(self._covers, self._above, self._below, strict=True):
            turned = (self.hands[dummy] & above) == 0
            self.hands[dummy] |= below * turned
            below *= ~turned

    def _collect(self, side: Places) -> None:
        """Collect the card whose family will be the hardest to find later, as greedy and cautious do."""
        missing = self.missing[side, self.rows]
        fitting = self.trick & rules.FITTING[missing] & _OF_FAMILY
        here = fitting != 0
        out = _FAMILY_SIZES - np.bitwise_count(self.played & _OF_FAMILY)
        scarce = np.where(here, out / np.maximum(_COUNTS[:, missing], 1), np.inf)
        # Of cards as hard to find, the lowest is taken.
        lowest = np.where(here & (scarce == scarce.min(axis=0)), fitting & (~fitting + _ONE), _ALL)
        family = lowest.argmin(axis=0)
        taken = here[family, self.rows] * _TAKEN[family]
        self.missing[side, self.rows] = missing - taken

    @property
    def barren(self) -> bool:
        """Whether nothing may be collected from this trick."""
        return self.left > self._fruitful

    def unseen(self) -> Sets:
        """Return the cards that may lie anywhere, as far as the seat that is to play can know, by row."""
        acting = self.acting
        viewer = self.viewer[acting]
        seen = self.played | self.hands[acting, self.rows] | np.where(viewer == 0, self.discarded, np.uint64(0))
        for dummy in self.dummies:
            seen |= self.hands[dummy]
        if self.dummies:
            seen |= self.hands[viewer, self.rows]
        unseen: Sets = _ALL & ~seen
        return unseen

    def values(self) -> tuple[Bytes, Floats]:
        """Return the legal cards of each row and what cautious thinks of them: see `farfalia_estimates`."""
        cards, values, _ = self._estimated(chances=False)
        return cards, values

    def estimates(self) -> tuple[Bytes, Floats, Floats]:
        """Return what `values` does, and how likely the side that plays wins the trick with each card.

        That is 0 where nothing may be collected.
        """
        return self._estimated(chances=True)

    def _estimated(self, *, chances: bool) -> tuple[Bytes, Floats, Floats]:
        """Return what `estimates` does, but what takes time alone only if it is asked for."""
        rows, acting = self.rows, self.acting
        viewer = self.viewer[acting] if self.dummies else acting
        unseen = self.unseen()
        count = np.bitwise_count(unseen).astype(np.intp)
        base = np.maximum(count, 1) * _HELD
        legal = self.legal()
        cards, real = listed(legal)
        suit = _SUIT_OF[cards]
        trump = self.trumps - np.uint8(1)
        higher = np.bitwise_count(unseen & _HIGHER[cards]).astype(np.intp)
        mine = self.sides[acting]
        gains = _GAINS[self.left - 1][_COLLECTED[self.missing]]
        own = gains[mine, rows]
        kept = np.where(suit == trump, _KEPT_TRUMP[cards], _KEPT[higher] + _KEPT_RANK[cards])
        value = -0.6 * kept * own
        winning = np.zeros(cards.shape)
        if not self.barren:
            gain, winning = self._trick_value(acting, viewer, cards, suit, higher, unseen, base, gains, mine, chances)
            value += gain
        value[~real] = -np.inf
        return cards, value, winning

    def _trick_value(
        self,
        acting: Places,
        viewer: Places,
        cards: Bytes,
        suit: Bytes,
        higher: Places,
        unseen: Sets,
        base: Places,
        gains: Floats,
        mine: Places,
        chances: bool,
    ) -> tuple[Floats, Floats]:
        """Return what each card wins in this trick, (choices, rows), and how likely its own side wins that.

        The latter only if `chances` are asked for; else they are empty.
        """
        rows, later = self.rows, self.positions - 1 - self.step
        wanted = _WANTED[self.missing]
        fits = np.bitwise_count(unseen & rules.FITTING[self.missing]).astype(np.intp)
        found = np.where(wanted & self._families, 1.0, 1 - _NONE_OF[fits * _BY_SOME + base + later])
        signed = gains * np.where(np.arange(len(gains))[:, np.newaxis] == mine, 1.0, -0.5)
        otherwise = signed * found
        more = signed - otherwise
        family = _FAMILY_OF[cards]

        def worth(side: Places) -> Floats:
            fit = wanted[side, rows] >> family & 1
            return otherwise[side, rows] + fit * more[side, rows]

        if self.step:
            strength = rules.STRENGTH.take(self._row + cards)
            wins = strength > self._strongest
            top_suit = np.where(wins, suit, _SUIT_OF[self.best])
            above = np.where(wins, higher, np.bitwise_count(unseen & _HIGHER[self.best]).astype(np.intp))
            owner_side = np.where(wins, mine, self.sides[self.owner])
            led: Bytes = self.led[np.newaxis]
            top = np.maximum(strength, self._strongest)
        else:
            top_suit, above, led = suit, higher, suit
            owner_side = np.broadcast_to(mine, cards.shape)
            top = rules.STRENGTH.take(self.trumps * rules.OF_TRUMPS + suit.astype(np.intp) * rules.OF_LEAD + cards)
        if not later:
            return worth(owner_side), np.where(owner_side == mine, 1.0, 0.0)
        # From here on with those who play later to the trick along a first axis, in their order.
        place = (acting + np.arange(1, later + 1)[:, np.newaxis]) % self.positions
        chance = self._beating(place, viewer, unseen, base, led, top_suit, above, top)
        side = self.sides[place][:, np.newaxis]
        chance *= side != owner_side
        held_on = np.empty((later + 1, *cards.shape))
        held_on[0] = 1.0
        for number in range(later):
            np.multiply(held_on[number], 1 - chance[number], out=held_on[number + 1])
        chance *= held_on[:-1]
        total: Floats = (chance * worth(side)).sum(axis=0) + held_on[-1] * worth(owner_side)
        if not chances:
            return total, np.zeros(0)
        winning: Floats = (chance * (side == mine)).sum(axis=0) + held_on[-1] * (owner_side == mine)
        return total, winning

    def _beating(
        self,
        place: Places,
        viewer: Places,
        unseen: Sets,
        base: Places,
        led: Bytes,
        top_suit: Bytes,
        above: Places,
        top: Bytes,
    ) -> Floats:
        """Return how likely each later place beats the best card then, (later places, choices, rows)."""
        rows, trump = self.rows, self.trumps - np.uint8(1)
        trump_suit = np.minimum(trump, np.uint8(3))
        held = np.bitwise_count(self.hands[place, rows]).astype(np.intp)
        for dummy, below in zip(self._covers, self._below, strict=True):
            held += (place == dummy) & (below != 0)
        voids = self.voids[place, rows]
        out_base = np.bitwise_count(unseen & _SUITS).astype(np.intp) * _BY_SOME + base  # (suits, rows)
        each = _NONE_OF[out_base + held[:, np.newaxis]]  # (later places, suits, rows)
        each[(voids[:, np.newaxis] >> _SUIT_NUMBERS & 1).view(np.bool_)] = 1.0
        void = each[:, led, rows]
        ruff = (1 - each[:, trump_suit, rows])[:, np.newaxis] * void
        held, voids = held[:, np.newaxis], voids[:, np.newaxis]
        over = top_suit != led
        ruffs = ~over & (trump != led) & (trump < 4)
        chance = (1 - _NONE_OF[above * _BY_SOME + base + held]) * (voids >> top_suit & 1 ^ 1)
        chance = np.where(over, chance * void, chance + ruffs * ruff)
        if self.dummies:
            shown = (self.is_dummy[place] | (place == viewer))[:, np.newaxis]
            if shown.any():
                chance = np.where(shown, self._strongest_of(place, led) > top, chance)
        bounded: Floats = np.minimum(chance, 1.0)
        return bounded

    def _strongest_of(self, place: Places, led: Bytes) -> Bytes:
        """Return how strong the best card is that each place may play, given the suit led."""
        hand, later = self.hands[place, self.rows], np.arange(len(place))[:, np.newaxis]
        highest = _HIGHEST[(hand >> _SHIFTS & np.uint64(SUIT_BITS)).astype(np.intp)]  # (suits, later places, rows)
        trump = self.trumps - np.uint8(1)
        trumping = np.where(trump < 4, highest[np.minimum(trump, 3), later, self.rows], 0)
        trumping = np.where(trumping > 0, trumping + 13, 0)[:, np.newaxis]
        of_led = highest[led, later[:, np.newaxis], self.rows]
        following = np.where(trump == led, of_led + 13, of_led)
        return (np.where(of_led > 0, following, trumping) * rules.POSITIONS).astype(np.uint8)
