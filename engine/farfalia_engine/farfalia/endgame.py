"""The endgame model of Farfalia."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import product

from farfalia_engine.actions import COLLECT_CARD, Kind
from farfalia_engine.farfalia.cards import BIT, CARDS, FAMILIES, FAMILY, SUIT, WILD, cards_in, mask_of
from farfalia_engine.farfalia.collecting import POINTS
from farfalia_engine.farfalia.dealing import PROPOSAL_SIZE
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.search.endgame import EndgameModel, Objective
from farfalia_engine.trick import STRENGTHS, best_card

_OF_FAMILY = tuple(
    mask_of([card for card in range(CARDS) if FAMILY[card] == family]) for family in range(len(FAMILIES))
)

#: For keys: a place for each card, suit after suit, with a mark between suits; in it who holds the card, from 1 on,
#: or which of the covered cards it is, or lies on, twice that, and one more for a butterfly.
_NO_CARDS = (bytes(13) + b"\xff") * 4
_COVERING = 8
_COVERED = 32

# How many cards each side has, and what each may still collect.
_Past = tuple[bytes, ...]


class FarfaliaEndgame(EndgameModel[FarfaliaState]):
    """Tricks, and what each side may still collect from them."""

    def __init__(self, state: FarfaliaState, objective: Objective) -> None:
        layout, terms = state._layout, state._terms
        assert state.pending is not None
        side = state.pending.side
        own = [seat for seat, position in enumerate(layout.positions) if layout.sides[position] == side]
        super().__init__([other == side for other in layout.sides], own, len(layout.positions), objective)
        self._tricks, self._barren = layout.tricks, terms.barren
        # By side, how much a point of its collection counts in the value.
        self._factors = [0] * layout.side_count
        for seat, position in enumerate(layout.positions):
            counts = terms.weight(state.deal) * (2 if seat in state.doubled else 1)
            self._factors[layout.sides[position]] += counts * self.weights[seat]
        self._known: dict[tuple[object, ...], tuple[int, int, _Past]] = {}

    def moves(self, state: FarfaliaState) -> Sequence[int]:
        """Return a card of each kind; the high ones are led first."""
        legal, pending = state._legal, state.pending
        assert pending is not None
        if len(legal) == 1:
            return legal
        if pending.kind is Kind.COLLECT:
            return self._collecting(legal, pending.side)
        trick = state.plays[len(state.winners) * len(self.ours) :]
        if not trick:
            return sorted(self._distinct(state, legal, pending.position, 0), key=lambda card: -(card % 13))
        # The lowest card that wins comes first, or the lowest of all if one's own side is winning.
        index = best_card(trick, state.trumps)
        strengths = STRENGTHS[state.trumps][trick[0]]
        best = strengths[trick[index]]
        winning = self.ours[(state.leaders[-1] + index) % len(self.ours)] == self.ours[pending.position]
        cards = self._distinct(state, legal, pending.position, BIT[trick[index]])
        return sorted(cards, key=lambda card: ((strengths[card] > best) == winning, card % 13))

    def _collecting(self, legal: tuple[int, ...], side: int) -> Sequence[int]:
        """Return one card of each family. To decline is never better:
        a side that has the card can go on as if it had not.
        """
        if not self._factors[side]:
            return legal[-1:]
        kinds: dict[int, int] = {}
        for action in legal[:-1]:
            kinds.setdefault(FAMILY[action - COLLECT_CARD], action)
        return list(kinds.values())

    def _distinct(self, state: FarfaliaState, legal: tuple[int, ...], position: int, others: int) -> list[int]:
        """Return one card of each kind: those of one family that none of `others` or in other hands lies between."""
        covering = 0
        for other, hand in enumerate(state._hands):
            if other != position:
                others |= hand
        for dummy, above, below in state._covered:
            others |= BIT[below]
            if dummy == position:
                covering |= BIT[above]
        cards: list[int] = []
        families: list[int] = []
        last = legal[0]
        for card in legal:
            if SUIT[card] != SUIT[last] or others & (BIT[card] - BIT[last]):
                families = []
            last = card
            # What lies under a dummy's card makes it like no other.
            if covering & BIT[card]:
                cards.append(card)
            elif FAMILY[card] not in families:
                families.append(FAMILY[card])
                cards.append(card)
        return cards

    def bounds(self, state: FarfaliaState) -> tuple[int, int, _Past]:
        """Return what comes of it if all that can be collected goes to the one or to the others."""
        cards = 0
        for hand in state._hands:
            cards |= hand
        for _, _, below in state._covered:
            cards |= BIT[below]
        tricks = self._tricks - max(len(state.winners), self._barren)
        supply = tuple([(cards & family).bit_count() for family in _OF_FAMILY])
        known = (tricks, supply, *state._missing)
        bounds = self._known.get(known)
        if bounds is None:
            missing = [families.families for families in state._missing]
            bounds = self._known[known] = self._work_out(tricks, supply, missing)
        return bounds

    def key(self, state: FarfaliaState, past: Hashable) -> Hashable:
        """Return who is to lead, whose the cards of each suit are from the lowest on, and what may still be collected.

        Of an ordinary card it is enough to know whether it is a butterfly; which rank it has does not matter.
        """
        places = bytearray(_NO_CARDS)
        for position, hand in enumerate(state._hands):
            for card in cards_in(hand):
                places[card + SUIT[card]] = 2 * (1 + position) + (not FAMILY[card])
        for index, (_, above, below) in enumerate(state._covered):
            places[above + SUIT[above]] = 2 * (_COVERING + index) + (not FAMILY[above])
            places[below + SUIT[below]] = 2 * (_COVERED + index) + (not FAMILY[below])
        dummies = bytes([dummy for dummy, _, _ in state._covered])
        wilds = [hand >> WILD for hand in state._hands] if state._terms.burnin else ()
        return (state.pending, bytes(places.translate(None, b"\0")), dummies, *wilds, past)

    def _work_out(self, tricks: int, supply: Sequence[int], missing: Sequence[bytes]) -> tuple[int, int, _Past]:
        """Return the bounds, and by side how many cards it has and what is there of those that it may still collect."""
        factors, has, open_to = [], [], []
        for factor, families in zip(self._factors, missing, strict=True):
            if factor:
                factors.append(factor)
                has.append(PROPOSAL_SIZE - len(families))
                open_to.append(bytes(f for i, f in enumerate(families) if i - families.index(f) < supply[f]))
        low, high = _extremes(tricks, tuple(factors), tuple(has), tuple(map(len, open_to)))
        return low, high, (bytes(has), *open_to)


@lru_cache(maxsize=10_000)
def _extremes(tricks: int, factors: tuple[int, ...], has: tuple[int, ...], room: tuple[int, ...]) -> tuple[int, int]:
    """Return the least and the greatest value if sides with these cards collect up to `room` more, one per trick."""
    found = [
        sum(factor * POINTS[cards + more] for factor, cards, more in zip(factors, has, gained, strict=True))
        for gained in product(*(range(most + 1) for most in room))
        if sum(gained) <= tricks
    ]
    return min(found), max(found)
