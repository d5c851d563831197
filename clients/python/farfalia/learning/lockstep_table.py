"""Deals of one layout that are played in lock step: each step is done in all of them at once.

Arrays have the deals along their last axis, so that a step runs through memory in order. Since it is the lead
alone that says what may be played, all positions play to a trick at once, each deal with its own leader.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from farfalia.learning import lockstep_numbers as numbers
from farfalia.learning import lockstep_rules as rules
from farfalia.learning.card_sets import Bytes, Draws, Places, Sets, alone, card_at, choose, union
from farfalia_engine.actions import DECLARATIONS, Kind
from farfalia_engine.farfalia.cards import CARDS
from farfalia_engine.farfalia.collecting import DECLINED, NOTHING
from farfalia_engine.farfalia.dummies import FACE_DOWN
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.trick import Trumps


class LockstepTable:
    """`deals` deals with this layout, dealt by the numbers that are drawn from `source`; `play` does the rest.

    Shapes below leave out the last axis, the deals.
    """

    def __init__(self, layout: Layout, source: np.random.PCG64, deals: int) -> None:
        tricks, positions = layout.tricks, len(layout.seats)
        self._layout = layout
        self._sides = np.array(list(layout.sides), np.intp)
        self._positions = np.arange(positions, dtype=np.uint8)[:, np.newaxis]
        self._deals = np.arange(deals)
        #: From the top.
        self.deck, self._draws = numbers.draw(source, layout, deals)
        #: What the dealer discards, ascending.
        self.discarded = np.empty((layout.spare, deals), np.uint8)
        #: Families, as they are turned up.
        self.subjects = numbers.proposal(self._draws[numbers.SUBJECTS])
        #: As in `Trumps`: what the first subject says, until somebody declares.
        self.trumps: Bytes = np.where(self.subjects[0], self.subjects[0], np.uint8(Trumps.NONE))
        #: Cards by trick and position.
        self.plays = np.empty((tricks, positions, deals), np.uint8)
        #: Positions by trick.
        self.winners = np.empty((tricks, deals), np.uint8)
        #: By trick a card, DECLINED or NOTHING.
        self.collected = np.full((tricks, deals), NOTHING, np.uint8)
        #: How many actions the engine would have been given: forced plays count, what nobody is asked does not.
        self.decisions = 0
        #: Sets by position, without what lies face down.
        self.hands = self._deal()
        # By card the set of the one that it covers.
        self._covered = np.zeros((CARDS if layout.dummies else 0, deals), np.uint64)
        for dummy in layout.dummies:
            self._cover(dummy)
        missing = (np.uint16(1) << rules.FAMILY_BITS * self.subjects).sum(axis=0, dtype=np.uint16)
        self._missing = np.tile(missing, (len(set(layout.sides)), 1))

    def play(self, barren: int) -> None:
        """Play all deals to their end; from the first `barren` tricks nothing may be collected."""
        self._open()
        positions = len(self._positions)
        leader: Places = np.ones(len(self._deals), np.intp)
        draws = self._draws[numbers.TRICKS :].reshape(len(self.plays), positions + 1, -1)
        for trick, drawn in enumerate(draws):
            leader = self._play(trick, leader, drawn[:positions])
            if trick >= barren:
                self._collect(trick, leader, drawn[positions])
            self._uncover(trick)

    @property
    def points(self) -> NDArray[np.int16]:
        """Points by side, before anything is doubled."""
        points: NDArray[np.int16] = rules.WORTH.take(self._missing)
        return points

    def _deal(self) -> Sets:
        """Return hands by position: the deck goes round from position 1 on, and the dealer has what is left (F17)."""
        tricks, positions, deals = self.plays.shape
        hands = np.zeros((positions, deals), np.uint64)
        for place, cards in enumerate(self.deck):
            hands[(place + 1) % positions if place < tricks * positions else 0] |= alone(cards)
        return hands

    def _cover(self, dummy: int) -> None:
        """Lay some of a dummy's cards face down, each under another one (F9)."""
        cards = self.deck[dummy - 1 :: len(self._positions)]
        below = alone(cards[:FACE_DOWN])
        self._covered[cards[FACE_DOWN : 2 * FACE_DOWN], self._deals] = below
        self.hands[dummy] ^= union(below)

    def _open(self) -> None:
        """Take the decisions of the dealer before the play."""
        layout = self._layout
        pending = layout.first
        while pending.kind is not Kind.PLAY:
            self.decisions += len(self._deals)
            if pending.kind is Kind.DECLARE:
                self.trumps = choose(self._draws[numbers.DECLARE], np.uint8(len(DECLARATIONS))) + np.uint8(1)
            else:
                ways = np.array(list(combinations(range(layout.tricks + layout.spare), layout.spare)), np.uint8)
                chosen = ways[choose(self._draws[numbers.DISCARD], np.uint8(len(ways)))]
                for place, index in enumerate(chosen.T):
                    self.discarded[place] = card_at(self.hands[0], index)
                self.hands[0] ^= union(alone(self.discarded))
            pending = pending.following

    def _play(self, trick: int, leader: Places, draws: Draws) -> Places:
        """Play a card from every hand; return the winner of the trick."""
        hands = self.hands
        leading = self._at(leader)
        hand = hands.take(leading, mode="clip")
        lead = card_at(hand, choose(draws.take(leading, mode="clip"), np.bitwise_count(hand)))
        following = hands & rules.SAME_SUIT.take(lead, mode="clip")  # as the engine's `follow_suit` defines it
        legal = np.where(following == 0, hands, following)
        legal.reshape(-1)[leading] = alone(lead)
        cards = card_at(legal, choose(draws, np.bitwise_count(legal)))
        hands ^= alone(cards)
        strengths = self.trumps * rules.OF_TRUMPS + rules.SUIT_OF.take(lead, mode="clip") * rules.OF_LEAD
        best = (rules.STRENGTH.take(strengths + cards, mode="clip") | self._positions).max(axis=0)
        self.plays[trick] = cards
        self.winners[trick] = best & np.uint8(rules.POSITIONS - 1)
        self.decisions += cards.size
        winner: Places = self.winners[trick].astype(np.intp)
        return winner

    def _collect(self, trick: int, winner: Places, draws: Draws) -> None:
        """Let the winner collect a card or decline, if any card can be collected (F1)."""
        side = self._at(self._sides.take(winner))
        missing = self._missing.take(side, mode="clip")
        fitting = union(alone(self.plays[trick])) & rules.FITTING.take(missing, mode="clip")
        count = np.bitwise_count(fitting)
        index = choose(draws, count + np.uint8(1))
        otherwise = np.where(count, np.uint8(DECLINED), np.uint8(NOTHING))
        collected = np.where(index < count, card_at(fitting, index), otherwise)
        self._missing.reshape(-1)[side] = missing - rules.COLLECTING.take(collected)
        self.collected[trick] = collected
        self.decisions += int(np.count_nonzero(count))

    def _uncover(self, trick: int) -> None:
        """Turn up what lay under the cards that dummies have played."""
        for dummy in self._layout.dummies:
            self.hands[dummy] |= self._covered[self.plays[trick, dummy], self._deals]

    def _at(self, row: Places) -> Places:
        """Return where the entry of each deal in this row is, counted through all rows."""
        return row * len(self._deals) + self._deals
