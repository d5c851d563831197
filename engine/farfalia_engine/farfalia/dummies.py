"""The dummies: which of their cards lie face down, what is turned up when, and what everybody sees of them (F9).

A game says in its `layout` who has a dummy. The seat at a dummy's position is its partner's, who plays its cards and
collects with it, and whose score alone counts. A dummy gets no wild card (`deal_wilds`). What it plays says nothing of
the cards it has face down (`SeatKnowledge.voids`). The playouts have `uncover` for hands that are lists of cards.
"""

from typing import Final

from farfalia_engine.farfalia.cards import BIT, cards_in
from farfalia_engine.farfalia.observation import FarfaliaObservation

#: Cards of a dummy that lie face down, each under another one.
FACE_DOWN: Final = 6

#: A face-down card of a dummy: the dummy's position, the card above it, and the card itself.
CoveredCard = tuple[int, int, int]


def cover(deck: list[int], positions: int, dummies: bytes) -> list[CoveredCard]:
    """Return what lies face down: the first six cards dealt to each dummy,
    the next six on top of them in that order (F9).
    """
    covered = []
    for dummy in dummies:
        cards = deck[dummy - 1 :: positions]
        below, above = cards[:FACE_DOWN], cards[FACE_DOWN : 2 * FACE_DOWN]
        covered += [(dummy, *pair) for pair in zip(above, below, strict=True)]
    return covered


def uncover(hands: list[int], covered: list[CoveredCard]) -> list[CoveredCard]:
    """Turn up what lay under the cards that dummies have played; return what is still covered."""
    still = []
    for dummy, above, below in covered:
        if hands[dummy] & BIT[above]:
            still.append((dummy, above, below))
        else:
            hands[dummy] |= BIT[below]
    return still


def show(observation: FarfaliaObservation, hands: list[int], covered: list[CoveredCard], dummies: bytes) -> None:
    """Put into an observation what everybody sees of the dummies: face-up cards, and which of them cover another."""
    held = bytearray(observation.held)
    above: dict[int, list[int]] = {dummy: [] for dummy in dummies}
    for position, card, _ in covered:
        held[position] += 1
        if hands[position] & BIT[card]:
            above[position].append(card)
    observation.held = bytes(held)
    observation.dummies = dummies
    observation.face_up = tuple([bytes(cards_in(hands[dummy])) for dummy in dummies])
    observation.covering = tuple([bytes(sorted(above[dummy])) for dummy in dummies])
