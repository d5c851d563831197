"""How likely a card of Farrago wins a trick, with all cards counted: the tactics of a cautious bot."""

from __future__ import annotations

from functools import cache, lru_cache

from farfalia.bots.tactics import cautious_play
from farfalia_engine import DealType, FarragoObservation, mask_of
from farfalia_engine.farrago.card_chances import AVOIDING, GOING, chances
from farfalia_engine.farrago.deal_types import trick_winner
from farfalia_engine.farrago.packs import Pack

#: How often a player beats a trick who can.
EAGER = 0.75
#: What it is worth to be rid of a card that could win a trick later, for a hand that avoids them; and how much it costs
#: a hand that goes for them, which plays the lowest card where all do the same.
RID, KEPT = 0.5, 0.05

# By card: those that win more often, those that it is compared with, and how often all of these win, best first.
_Ranking = dict[int, tuple[int, int, tuple[float, ...]]]


@cautious_play.register
def _play_cautiously(view: FarragoObservation) -> int:
    """Return, if going, the card that wins this trick most surely, if avoiding, the one that does so least; and keep,
    or be rid of, those that may still win one.
    """
    return max(view.legal, key=_Hand(view).value)


class _Hand:
    """What can be known of a hand and of the trick on the table, from one seat."""

    def __init__(self, view: FarragoObservation) -> None:
        n = len(view.seats)
        self.view, self.pack, self.kind = view, view.pack, DealType(view.types[-1])
        unseen = view.unseen
        self.unseen, self.cards = mask_of(unseen), max(1, len(unseen))
        self.later = [(view.position + step) % n for step in range(1, n - len(view.trick))]
        self.voids = view.voids
        self.ranking = ranking(self.pack, n, self.kind, view.trumps)
        self.luck = {card: self._luck(card) for card in view.hand}
        won, luck = view.winners.count(view.position), sum(self.luck.values())
        self.going = view.worth(won + min(GOING * luck, len(view.hand))) > view.worth(won + AVOIDING * luck)

    def value(self, card: int) -> float:
        """Return how good it is to play the card now, in tricks."""
        wins, luck = self._wins(card), self.luck[card]
        return wins - KEPT * luck if self.going else RID * luck - wins

    def _luck(self, card: int) -> float:
        """Return how likely the card wins a later trick: as the one with its rank among the cards that are still out
        would in a full pack.
        """
        stronger, rivals, chance = self.ranking[card]
        left = (self.unseen & rivals).bit_count()
        return chance[round((self.unseen & stronger).bit_count() * (len(chance) - 1) / left)] if left else chance[0]

    def _wins(self, card: int) -> float:
        """Return how likely the card wins this trick."""
        view, pack = self.view, self.pack
        if view.trick and not view.would_win(card):
            # In seconds a higher card may still come and make it the second-highest.
            return self.luck[card] if self.kind is DealType.SECONDS and self.later else 0.0
        led = view.trick[0] if view.trick else card
        beating, suit = self.unseen & _beating(pack, self.kind, view.trumps, led, card), pack.suit[led]
        following = (self.unseen & pack.suit_masks[suit]).bit_count()
        within = (beating & pack.suit_masks[suit]).bit_count() / self.cards
        outside = (beating & ~pack.suit_masks[suit]).bit_count() / max(1, self.cards - following)
        hold = 1.0
        for place in self.later:
            held = view.held[place]
            out = suit in self.voids[place]
            void = 1.0 if out else (1 - following / self.cards) ** held
            beat = (0.0 if out else 1 - (1 - within) ** held) + void * (1 - (1 - outside) ** held)
            hold *= 1 - EAGER * min(1.0, beat)
        return hold


@cache
def ranking(pack: Pack, seats: int, kind: DealType, trumps: int) -> _Ranking:
    """Return how cards compare that may meet in a trick."""
    chance = chances(pack, seats, kind, trumps)
    found: _Ranking = {}
    for card in pack.all:
        rivals = [one for one in pack.all if kind is DealType.TOP_RANK or pack.suit[one] == pack.suit[card]]
        stronger = mask_of([one for one in rivals if chance[one] > chance[card]])
        found[card] = stronger, mask_of(rivals), tuple(sorted((chance[one] for one in rivals), reverse=True))
    return found


@lru_cache(maxsize=1 << 15)
def _beating(pack: Pack, kind: DealType, trumps: int, led: int, best: int) -> int:
    """Return the cards that win a trick from its best card so far."""
    trick, found = [led] if led == best else [led, best], 0
    for card in pack.all:
        if card not in trick:
            # The first suit that does not follow is trumps where there are none yet (G6).
            now = trumps or (pack.suit[card] + 1 if pack.suit[card] != pack.suit[led] else 0)
            if trick_winner(kind, pack, [*trick, card], now) == len(trick):
                found |= 1 << card
    return found
