"""The endgame model of Farrago."""

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from operator import add

from farfalia_engine.farrago.deal_types import DealType
from farfalia_engine.farrago.packs import ACE, Pack
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.search.endgame import EndgameModel, Objective


class FarragoEndgame(EndgameModel[FarragoState]):
    """Tricks, and how many everyone has won."""

    def __init__(self, state: FarragoState, objective: Objective) -> None:
        pending, self._terms = state.pending, state._terms
        assert pending is not None
        n = len(state.seats)
        super().__init__([position == pending.position for position in range(n)], pending.seats, n, objective)
        self._factors = [self.weights[seat] for seat in state.seats]
        self._tricks = self._terms.pack.size // n
        self._kind = DealType(state.types[-1])
        self._bounds: dict[tuple[int, ...], tuple[int, int]] = {}

    def moves(self, state: FarragoState) -> Sequence[int]:
        """Return one of each kind of card: those of a suit are of one kind if no card of others comes between them."""
        legal, pending = state._legal, state.pending
        assert pending is not None
        if len(legal) == 1:
            return legal
        others = 0
        for position, hand in enumerate(state._hands):
            if position != pending.position:
                others |= hand
        for card in state.plays[len(state.winners) * len(self.ours) :]:
            others |= 1 << card
        pack = self._terms.pack
        cards: list[int] = []
        last = -1
        for card in sorted(legal, key=lambda card: (pack.suit[card], pack.rank[card])):
            if last < 0 or others & _apart(pack, self._kind, last, card):
                cards.append(card)
            last = card
        return cards

    def bounds(self, state: FarragoState) -> tuple[int, int, tuple[int, ...]]:
        """Return what comes of it however the tricks that are left are shared."""
        won = tuple(map(state.winners.count, range(len(self.ours))))
        bounds = self._bounds.get(won)
        if bounds is None:
            left = combinations_with_replacement(range(len(won)), self._tricks - len(state.winners))
            values = [self._value([*map(add, won, map(more.count, range(len(won))))]) for more in left]
            bounds = self._bounds[won] = min(values), max(values)
        return *bounds, won

    def key(self, state: FarragoState, past: Hashable) -> Hashable:
        """Return who is to lead, all cards, trumps, and how many tricks everyone has."""
        return (state.pending, state.trumps, *state._hands, past)

    def _value(self, tricks: Sequence[int]) -> int:
        return sum(factor * self._terms.points(won) for factor, won in zip(self._factors, tricks, strict=True))


_EVERYTHING = (1 << 60) - 1


@cache
def _apart(pack: Pack, kind: DealType, low: int, high: int) -> int:
    """Return the cards any of which, in others' hands or in the trick, makes these two differ."""
    low_rank, high_rank = pack.rank[low], pack.rank[high]
    if pack.suit[low] != pack.suit[high]:
        return _EVERYTHING
    if kind.rules.low_wins and low_rank != high_rank and (low_rank < pack.low <= high_rank or high_rank == ACE):
        return _EVERYTHING
    return sum(
        1 << card
        for card in range(pack.size)
        if low_rank <= pack.rank[card] <= high_rank
        and (kind.rules.ranks_meet or pack.suit[card] == pack.suit[low])
        and card not in (low, high)
    )
