"""What a card of Farfalia may win, with all cards counted: the tactics of a cautious bot."""

from __future__ import annotations

from farfalia.bots.farfalia_tactics import beats, burning, visible_hands
from farfalia.bots.tactics import cautious_play
from farfalia_engine import FAMILY, POINTS, RANK, SUIT, WILD, FarfaliaObservation, mask_of
from farfalia_engine.farfalia.cards import SUIT_MASKS

#: Expected points of a side, by tricks to come and cards collected, if it wins a little more than a third of them.
EXPECTED = [[float(points) for points in POINTS]]
for _ in range(17):
    _last = EXPECTED[-1]
    EXPECTED.append([0.64 * _last[k] + 0.36 * _last[min(k + 1, 5)] for k in range(6)])


@cautious_play.register
def _play_cautiously(view: FarfaliaObservation) -> int:
    """Return the card of greatest value, as `TrickEstimate` has it; a wild card if it burns more than that wins."""
    card = max((card for card in view.legal if card < WILD), key=TrickEstimate(view).value)
    return max(view.legal) if burning(view) and not view.would_win(card) else card


class TrickEstimate:
    """What a card may win in the trick on the table, as far as the seat that plays it can know."""

    def __init__(self, view: FarfaliaObservation) -> None:
        n, self.trick, self.here = len(view.seats), view.trick, view.acting
        self.view, self.trump = view, view.trumps - 1
        unseen = view.unseen
        self.unseen, self.cards = mask_of(unseen), max(1, len(unseen))
        self.out = [(self.unseen & suit).bit_count() for suit in SUIT_MASKS]
        self.voids, self.hands = view.voids, visible_hands(view)
        self.later = [(self.here + step) % n for step in range(1, n - len(self.trick))]
        self.best, self.owner = view.best, view.best_position or 0
        rest = EXPECTED[52 // n - len(view.winners) - 1]
        self.sides = []
        for side in range(max(view.sides) + 1):
            missing = view.missing(side)
            share = sum(FAMILY[card] in missing for card in unseen) / self.cards
            found = any(FAMILY[card] in missing for card in self.trick)
            gain = rest[min(6 - len(missing), 5)] - rest[5 - len(missing)]
            self.sides.append((missing, gain, 1.0 if found else 1 - (1 - share) ** len(self.later)))

    def value(self, card: int) -> float:
        """Return the expected gain of this side, less half of the others', less what the card could still win later."""
        mine, total = self.view.sides[self.here], 0.0
        for side, gain in enumerate(self.gains(card)):
            total += gain if side == mine else -0.5 * gain
        return total - self.kept(card)

    def gains(self, card: int) -> list[float]:
        """Return by side how many points it may expect from this trick if the card is played."""
        view = self.view
        if view.barren:
            return [0.0] * len(self.sides)
        top, owner = (card, self.here) if self.best is None or view.would_win(card) else (self.best, self.owner)
        led, family = SUIT[self.trick[0] if self.trick else card], FAMILY[card]
        return [
            chance * gain * (1.0 if family in missing else found)
            for chance, (missing, gain, found) in zip(self._chances(top, owner, led), self.sides, strict=True)
        ]

    def kept(self, card: int) -> float:
        """Return how many points the card could still win for this side later."""
        kept = 1.2 + RANK[card] / 13 if SUIT[card] == self.trump else 0.65 ** self._higher(card) + RANK[card] / 100
        return 0.6 * kept * self.sides[self.view.sides[self.here]][1]

    def _chances(self, top: int, owner: int, led: int) -> list[float]:
        """Return, by side, how likely it wins the trick if `top` is its best card now."""
        sides, trump, higher = self.view.sides, self.trump, self._higher(top) / self.cards
        chances, hold = [0.0] * len(self.sides), 1.0
        for place in (place for place in self.later if sides[place] != sides[owner]):
            held, voids = self.view.held[place], self.voids[place]
            void = 1.0 if led in voids else (1 - self.out[led] / self.cards) ** held
            chance = 0.0 if SUIT[top] in voids else 1 - (1 - higher) ** held
            if place in self.hands:
                chance = float(beats(self.hands[place], top, led, self.view.trumps))
            elif SUIT[top] != led:
                chance *= void
            elif trump != led and trump < 4 and trump not in voids:
                chance += void * (1 - (1 - self.out[trump] / self.cards) ** held)
            chances[sides[place]] += hold * min(1.0, chance)
            hold *= 1 - min(1.0, chance)
        chances[sides[owner]] += hold
        return chances

    def _higher(self, card: int) -> int:
        return (self.unseen & SUIT_MASKS[SUIT[card]] & -(2 << card)).bit_count()
