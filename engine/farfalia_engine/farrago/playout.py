"""A deal of Farrago played to its end at random, in one loop over short lists: what searches do most.

It draws the same numbers in the same order as taking one decision after the other, each time any of the
legal actions, ascending, and so it comes to the same points; of the play it keeps only what decides them.
"""

from collections.abc import Callable

from farfalia_engine.actions import Kind
from farfalia_engine.farrago.deal_types import DealType
from farfalia_engine.farrago.packs import cards_in
from farfalia_engine.farrago.state import FarragoState


def play_out(state: FarragoState, random: Callable[[], float]) -> tuple[int, ...]:
    """Return the points of this deal by seat if it is played to its end like that; the state stays as it is."""
    state = opened(state, random)
    pending, pack, trumps, n = state.pending, state._terms.pack, state.trumps, len(state.seats)
    assert pending is not None
    suit_of, winner_of = pack.suit, DealType(state.types[-1]).rules.winner
    # Every card lies in its position's hand and among those of its suit there, ascending in both.
    hands = [list(cards_in(hand)) for hand in state._hands]
    suits = [[list(cards_in(hand & suit)) for suit in pack.suit_masks] for hand in state._hands]
    won = [state.winners.count(position) for position in range(n)]
    trick = list(state.plays[n * len(state.winners) :])
    led = suit_of[trick[0]] if trick else 0
    position = pending.position
    for _ in range(sum(map(len, hands))):
        hand, of_suit = hands[position], suits[position]
        if trick and (cards := of_suit[led]):  # as `follow_suit` defines it
            card = cards.pop(int(random() * len(cards)))
            hand.remove(card)
        else:
            card = hand.pop(int(random() * len(hand)))
            suit = suit_of[card]
            of_suit[suit].remove(card)
            if not trick:
                led = suit
            elif not trumps:
                trumps = suit + 1
        trick.append(card)
        position = (position + 1) % n
        if len(trick) == n:
            position = (position + winner_of(pack, trick, trumps)) % n
            won[position] += 1
            trick = []
    return state._points(won)


def opened(state: FarragoState, random: Callable[[], float]) -> FarragoState:
    """Return the state, or a copy of it in which everything that comes before the play is decided at random."""
    if state.pending is not None and state.pending.kind is not Kind.PLAY:
        state = state.clone()
        while state.pending is not None and state.pending.kind is not Kind.PLAY:
            legal = state._legal
            state.apply(legal[int(random() * len(legal))])
    return state
