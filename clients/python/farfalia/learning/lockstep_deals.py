"""Fresh deals in lock step, opened as `cautious` opens them: a table with the first card still to be played."""

from typing import Final

import numpy as np

from farfalia.learning import lockstep_rules as rules
from farfalia.learning.card_sets import Bytes, Sets, alone
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_table import LockstepTable
from farfalia_engine.actions import Kind
from farfalia_engine.farfalia.cards import CARDS, RANK, SUIT, SUIT_MASKS
from farfalia_engine.farfalia.dummies import FACE_DOWN
from farfalia_engine.farfalia.layout import Layout

_ONE: Final = np.uint64(1)
_SUITS: Final[Sets] = np.array([[mask] for mask in SUIT_MASKS], np.uint64)
_CARDS: Final = np.arange(CARDS, dtype=np.uint64)[:, np.newaxis]
_RANKS: Final = np.array([[RANK[card]] for card in range(CARDS)], np.int16)
_SUIT_OF: Final = np.array([SUIT[card] for card in range(CARDS)], np.intp)
#: What a trump adds to how well a card is kept when the dealer discards; more than any card is worth without.
_TRUMP: Final = 100


def dealt(layout: Layout, barren: int, source: np.random.PCG64, deals: int) -> CautiousTable:
    """Deal by the numbers that are drawn from `source`, as `simulate` does, and let cautious discard and declare."""
    table = LockstepTable(layout, source, deals)
    hands, trumps = table.hands, table.trumps
    discarded = np.zeros(deals, np.uint64)
    pending = layout.first
    while pending.kind is not Kind.PLAY:
        if pending.kind is Kind.DECLARE:
            trumps = _declared(hands[0] | np.bitwise_or.reduce(hands[list(layout.dummies)], axis=0))
        else:
            # Trumps of a dealer who declares later are not known yet.
            known = np.zeros(deals, np.uint8) if pending.following.kind is Kind.DECLARE else trumps
            discarded = _discarded(hands[0], known, layout.spare)
            hands[0] ^= discarded
        pending = pending.following
    missing = (np.uint16(1) << rules.FAMILY_BITS * table.subjects).sum(axis=0, dtype=np.uint16)
    positions = len(layout.seats)
    opened = CautiousTable(
        layout,
        barren,
        hands=hands,
        missing=np.tile(missing, (layout.side_count, 1)),
        trumps=trumps,
        played=np.zeros(deals, np.uint64),
        discarded=discarded,
        voids=np.zeros((positions, deals), np.uint8),
        leader=np.ones(deals, np.intp),
        left=layout.tricks,
    )
    covers = [(dummy, number) for dummy in layout.dummies for number in range(FACE_DOWN)]
    if covers:
        below = [alone(table.deck[dummy - 1 + positions * number]) for dummy, number in covers]
        above = [alone(table.deck[dummy - 1 + positions * (number + FACE_DOWN)]) for dummy, number in covers]
        opened.uncovers([dummy for dummy, _ in covers], np.array(above), np.array(below))
    return opened


def _declared(shown: Sets) -> Bytes:
    """Return the suit that is long and strong among these cards, as trumps."""
    held = (shown >> _CARDS & _ONE).astype(np.int16)
    strength = (held * (10 + _RANKS)).reshape(len(SUIT_MASKS), -1, len(shown)).sum(axis=1)
    trumps: Bytes = (strength.argmax(axis=0) + 1).astype(np.uint8)
    return trumps


def _discarded(hand: Sets, trumps: Bytes, spare: int) -> Sets:
    """Return the worst cards, as many as there are too many: low ones, those of short suits first, no trumps."""
    length = np.bitwise_count(hand & _SUITS).astype(np.int16)
    kept = _RANKS + 2 * length[_SUIT_OF] + _TRUMP * (_SUIT_OF[:, np.newaxis] + 1 == trumps)
    kept[(hand >> _CARDS & _ONE) == 0] = np.iinfo(np.int16).max
    worst = np.argsort(kept, axis=0, kind="stable")[:spare]
    cards: Sets = np.bitwise_or.reduce(_ONE << worst.astype(np.uint64), axis=0)
    return cards
