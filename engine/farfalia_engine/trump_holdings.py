"""How many trumps everybody held when the play of a deal began."""

from __future__ import annotations

from farfalia_engine.actions import Kind
from farfalia_engine.interfaces import State


class TrumpHoldings:
    """Counts the trumps in all hands at the first lead of each deal of a match, which is shown to it as it is played.

    >>> state = ruleset("four").new_match(Deals(bytes([1] * 32)))
    >>> holdings = TrumpHoldings()
    >>> holdings.look(state)
    >>> holdings.by_deal
    [(3, 3, 3, 4)]
    """

    __slots__ = ("_cards", "by_deal")

    def __init__(self) -> None:
        #: For each deal, by seat, the trumps in its own hand; None if there are none by then. The cards of dummies do
        #: not count, and neither do those that a dealer has discarded.
        self.by_deal: list[tuple[int | None, ...]] = []
        #: The cards of each trumps that there were.
        self._cards: dict[int, frozenset[int]] = {}

    def look(self, state: State) -> None:
        """Count if the play of a deal has just begun; call it with every state of the match, the first one too."""
        if len(self.by_deal) < state.deal and state.pending is not None and state.pending.kind is Kind.PLAY:
            self.by_deal.append(self._held(state))

    def _held(self, state: State) -> tuple[int | None, ...]:
        cards, seats = self._cards_of(state), range(state.rules.seats)
        if not cards:
            return (None,) * len(seats)
        return tuple(sum(card in cards for card in state.observation(seat).hand) for seat in seats)

    def _cards_of(self, state: State) -> frozenset[int]:
        trumps = state.trumps
        if trumps not in self._cards:
            wording = state.rules.game.wording
            # Faces name their suit by its letter, or in games where letters mean other suits by its word.
            suits = wording.trumps(trumps) if trumps else ()
            self._cards[trumps] = frozenset(card for card, face in enumerate(wording.faces) if face.suit in suits)
        return self._cards[trumps]
