"""Fresh deals of Farrago in lock step, with trumps as `cautious` finds them: the first card is still to be played."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from farfalia.bots.farrago_tactics import AVOIDING, GOING
from farfalia.learning.card_sets import Bytes, Places, Sets
from farfalia.learning.lockstep_farrago import FarragoTable
from farfalia.learning.lockstep_policy import Floats
from farfalia_engine.farrago.card_chances import chances
from farfalia_engine.farrago.deal_types import DealType, TrumpsSource, majority
from farfalia_engine.farrago.terms import FarragoTerms
from farfalia_engine.trick import Trumps

Ints: TypeAlias = NDArray[np.int64]

_ONE: Final = np.uint64(1)
_SUITS: Final = 4
_BARS: Final = 3


def dealt_farrago(terms: FarragoTerms, kind: DealType, source: np.random.PCG64, deals: int) -> FarragoTable:
    """Deal by the numbers that are drawn from `source`; where somebody names trumps, any position does."""
    size, positions = terms.pack.size, terms.seats
    cards = np.arange(size, dtype=np.uint64)
    numbers = source.random_raw((deals, size + 1))
    deck = np.sort(numbers[:, :size] & ~np.uint64(63) | cards, axis=1) & np.uint64(63)
    held = (_ONE << deck).reshape(deals, positions, -1)
    hands: Sets = np.ascontiguousarray(np.bitwise_or.reduce(held, axis=2).T)
    found = np.full(deals, Trumps.NONE, np.uint8)
    if kind.rules.trumps is TrumpsSource.FOUND:
        found = np.zeros(deals, np.uint8)
    elif kind.rules.trumps is not TrumpsSource.NONE:
        worth = prospects(terms, kind, hands)
        if kind.rules.trumps is TrumpsSource.NAMED:
            namer = (numbers[:, size] >> np.uint64(32)).astype(np.intp) % positions
            found = (worth[namer, :, np.arange(deals)].argmax(axis=1) + 1).astype(np.uint8)
        elif kind.rules.trumps is TrumpsSource.BARRED:
            found = _left(worth)
        else:
            found = _shown(terms, hands, worth)
    nothing = np.zeros((positions, deals), np.uint8)
    leader, won = np.ones(deals, np.intp), np.zeros((positions, deals), np.intp)
    return FarragoTable(
        terms,
        kind,
        hands=hands,
        trumps=found,
        played=np.zeros(deals, np.uint64),
        voids=nothing,
        leader=leader,
        won=won,
        left=size // positions,
    )


def prospects(terms: FarragoTerms, kind: DealType, hands: Sets) -> Floats:
    """Return what cautious expects of each hand with each suit as trumps, (positions, suits, rows), in points."""
    pack = terms.pack
    often = np.array([list(chances(pack, terms.seats, kind, suit + 1)) for suit in range(_SUITS)])
    luck = np.zeros((len(hands), _SUITS, hands.shape[1]))
    # Card by card, ascending, as cautious adds them up.
    for card in range(pack.size):
        luck += often[:, card, np.newaxis] * (hands >> np.uint64(card) & _ONE)[:, np.newaxis]
    most = np.bitwise_count(hands)[:, np.newaxis]
    both = [AVOIDING * luck, np.minimum(GOING * luck, most)]
    worth: Floats = np.maximum(*(np.vectorize(terms.worth, [np.float64])(tricks) for tricks in both))
    return worth


def _left(worth: Floats) -> Bytes:
    """Return the suit that is left when three positions have barred the one that would be worst for them."""
    open_suits, rows = worth.copy(), np.arange(worth.shape[2])
    for bar in range(_BARS):
        barred = open_suits[(bar + 1) % len(worth)].argmin(axis=0)
        open_suits[:, barred, rows] = np.inf
    trumps: Bytes = (np.isfinite(open_suits[0]).argmax(axis=0) + 1).astype(np.uint8)
    return trumps


def _shown(terms: FarragoTerms, hands: Sets, worth: Floats) -> Bytes:
    """Return the suit of which most is shown when everyone shows the highest card of the best suit in the hand."""
    pack = terms.pack
    suit, rank = np.array(list(pack.suit)), np.array(list(pack.rank))
    shown: list[Places] = []
    for hand, values in zip(hands, worth, strict=True):
        key = values[suit] * len(rank) + rank[:, np.newaxis] / len(rank)
        key[(hand >> np.arange(pack.size, dtype=np.uint64)[:, np.newaxis] & _ONE) == 0] = -np.inf
        shown.append(key.argmax(axis=0))
    return np.array([majority(pack, cards) + 1 for cards in np.array(shown).T.tolist()], np.uint8)
