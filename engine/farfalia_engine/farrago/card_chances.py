"""How often a card of Farrago wins a trick, and what tricks are worth on average: by these hands are judged."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

from farfalia_engine.farrago.deal_types import DealType, trick_winner
from farfalia_engine.farrago.packs import Pack

#: Tricks that are played at random to find out how often each card wins one.
_TRIALS: Final = 1000
#: Tricks won, as a multiple of what the cards promise, by a hand that avoids them and by one that goes for them.
AVOIDING: Final = 0.5
GOING: Final = 1.5


@cache
def chances(pack: Pack, seats: int, kind: int, trumps: int) -> Sequence[float]:
    """Return, by card, how often it wins a trick of cards that are played at random."""
    played, won = [1] * pack.size, [1 / seats] * pack.size
    for trick in _tricks(pack, seats):
        for card in trick:
            played[card] += 1
        won[trick[trick_winner(DealType(kind), pack, trick, trumps)]] += 1
    return [wins / tricks for wins, tricks in zip(won, played, strict=True)]


@cache
def _tricks(pack: Pack, seats: int) -> Sequence[Sequence[int]]:
    """Return tricks of cards that are played at random; no type of deal and no trumps change what may be played."""
    random, tricks = Random(0), []
    for _ in range(_TRIALS):
        size = random.randrange(pack.size // seats) + 1
        deck = random.sample(range(pack.size), size * seats)
        trick = deck[:1]
        for hand in (deck[seat * size : (seat + 1) * size] for seat in range(1, seats)):
            following = [card for card in hand if pack.suit[card] == pack.suit[trick[0]]]
            trick.append((following or hand)[0])
        tricks.append(trick)
    return tricks
