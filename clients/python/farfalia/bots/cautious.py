"""Counts cards: knows what is still out and who has run out of what, and weighs each card by what it may win."""

from __future__ import annotations

from farfalia.bots.greedy import GreedyBot
from farfalia_engine import FAMILY, POINTS, RANK, SUIT, WILD, FarragoObservation, Observation, best_card, mask_of
from farfalia_engine.cards import SUIT_MASKS

# Expected points of a side, by tricks to come and cards collected, if it wins a little more than a third of them.
_EXPECTED = [[float(points) for points in POINTS]]
for _ in range(17):
    _last = _EXPECTED[-1]
    _EXPECTED.append([0.64 * _last[k] + 0.36 * _last[min(k + 1, 5)] for k in range(6)])


class CautiousBot(GreedyBot):
    """Plays the card with the best balance of the trick for its side, for the others, and of what it keeps."""

    def play(self, view: Observation) -> int:
        """Return the card of most worth, as `_Table` reckons it; wild cards stay in the hand."""
        cards = [card for card in view.legal if card < WILD]
        return super().play(view) if isinstance(view, FarragoObservation) else max(cards, key=_Table(view).worth)


class _Table:
    """What can be known of one trick, from one seat."""

    def __init__(self, view: Observation) -> None:
        n, self.trick, self.here = len(view.seats), view.trick, view.acting
        self.view, self.trump = view, view.trumps - 1
        unseen = view.unseen
        self.unseen, self.cards = mask_of(unseen), max(1, len(unseen))
        self.out = [(self.unseen & suit).bit_count() for suit in SUIT_MASKS]
        self.voids = view.voids
        self.later = [(self.here + step) % n for step in range(1, n - len(self.trick))]
        self.best, self.owner = view.best, view.best_position or 0
        families = [FAMILY[card] for card in unseen]
        rest = _EXPECTED[52 // n - len(view.winners) - 1]
        self.sides = []
        for side in range(max(view.sides) + 1):
            missing = view.missing(side)
            share = sum(families.count(family) for family in set(missing)) / self.cards
            found = any(FAMILY[card] in missing for card in self.trick)
            gain = rest[min(6 - len(missing), 5)] - rest[5 - len(missing)]
            self.sides.append((missing, gain, 1.0 if found else 1 - (1 - share) ** len(self.later)))

    def worth(self, card: int) -> float:
        """Expected gain of this side, less half of the others', less what the card could still win later."""
        trick, mine, total = self.trick + bytes((card,)), self.view.sides[self.here], 0.0
        wins = best_card(trick, self.view.trumps) == len(self.trick)
        top, owner = (card, self.here) if wins or self.best is None else (self.best, self.owner)
        for side, chance in enumerate(self._chances(top, owner, SUIT[trick[0]])):
            missing, gain, found = self.sides[side]
            value = chance * gain * (1.0 if FAMILY[card] in missing else found)
            total += value if side == mine else -value / 2
        higher = self._higher(card)
        kept = 1.2 + RANK[card] / 13 if SUIT[card] == self.trump else 0.65**higher + RANK[card] / 100
        return total - 0.6 * kept * self.sides[mine][1]

    def _chances(self, top: int, owner: int, led: int) -> list[float]:
        """By side, how likely it wins the trick if `top` is its best card now."""
        sides, trump, higher = self.view.sides, self.trump, self._higher(top) / self.cards
        chances, hold = [0.0] * len(self.sides), 1.0
        for place in self.later:
            if sides[place] == sides[owner]:
                continue
            held, voids = self.view.held[place], self.voids[place]
            void = 1.0 if led in voids else (1 - self.out[led] / self.cards) ** held
            beats = 0.0 if SUIT[top] in voids else 1 - (1 - higher) ** held
            if SUIT[top] != led:
                beats *= void
            elif trump != led and trump < 4 and trump not in voids:
                beats += void * (1 - (1 - self.out[trump] / self.cards) ** held)
            chances[sides[place]] += hold * min(1.0, beats)
            hold *= 1 - min(1.0, beats)
        chances[sides[owner]] += hold
        return chances

    def _higher(self, card: int) -> int:
        return (self.unseen & SUIT_MASKS[SUIT[card]] & -(2 << card)).bit_count()
