"""A deal of Farfalia played to its end at random, in one loop over short lists: what searches do most.

It draws the same numbers in the same order as taking one decision after the other, each time any of the
legal actions, ascending, and so it comes to the same points; of the play it keeps only what decides them.
"""

from bisect import insort
from collections.abc import Callable
from functools import cache

from farfalia_engine.actions import Kind
from farfalia_engine.farfalia.cards import IN_SUIT, SUIT, SUIT_BITS, wild_cards_in
from farfalia_engine.farfalia.collecting import unburned
from farfalia_engine.farfalia.dummies import CoveredCard
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.trick import STRENGTH

# The cards of a position, suit by suit, ascending.
_Hand = list[list[int]]

_S, _L, _F, _O = IN_SUIT.values()


def play_out(state: FarfaliaState, random: Callable[[], float]) -> tuple[int, ...]:
    """Return the points of this deal by seat if it is played to its end like that; the state stays as it is."""
    state = _opened(state, random)
    pending, terms, layout = state.pending, state._terms, state._layout
    assert pending is not None
    n, sides, strength = len(layout.seats), layout.sides, STRENGTH[state.trumps]
    missing, covered = state._missing[:], state._covered
    hands = [_suits(hand) for hand in state._hands]
    # The wild card of each position, if it still holds one; empty where there are none.
    wilds = [wild_cards_in(hand) for hand in state._hands] if terms.burnin else []
    # How many tricks are to be decided, and how many of them are not barren.
    left, fruitful = layout.tricks - len(state.winners), layout.tricks - terms.barren
    # The trick on the table, if there is one: who wins it so far, and who has still to play to it.
    trick = list(state.plays[n * len(state.winners) :])
    leader = winner = pending.position
    order: tuple[int, ...] = ()
    led, strengths, best = 0, state._strengths, state._best
    if trick:
        winner, led = state._winning.position, SUIT[trick[0]]
        order = _others(state._leader.position, n)[len(trick) - 1 :]
    elif pending.kind is Kind.COLLECT:
        trick = list(state.plays[-n:])
        left += 1
    sizes = _sizes(hands) if wilds or covered else [left] * n
    while left:
        if not trick:
            # How many cards each may choose from that cannot follow suit: no more and no less than tricks are left,
            # but for dummies, and where there are wild cards.
            sizes = _sizes(hands) if wilds or covered else [left] * n
            index = int(random() * sizes[leader])
            for cards in hands[leader]:
                if index < len(cards):
                    break
                index -= len(cards)
            card = cards.pop(index)
            trick = [card]
            led = SUIT[card]
            strengths = strength[card]
            best = strengths[card]
            winner = leader
            order = _others(leader, n)
        for position in order:
            hand = hands[position]
            cards = hand[led]  # as `follow_suit` defines it: these, or any if there are none
            choices = len(cards) or sizes[position]
            if wilds and wilds[position]:
                index = int(random() * (choices + 1))
                if index == choices:
                    trick += wilds[position]
                    wilds[position] = ()
                    continue
            else:
                index = int(random() * choices)
            if not cards:
                for cards in hand:
                    if index < len(cards):
                        break
                    index -= len(cards)
            card = cards.pop(index)
            trick.append(card)
            if strengths[card] > best:  # as `best_card` defines it
                best = strengths[card]
                winner = position
        if left <= fruitful:
            wanted = missing[sides[winner]]
            useful = (unburned(trick) if wilds else bytes(trick)).translate(None, wanted.useless)
            if useful:
                index = int(random() * (len(useful) + 1))
                if index < len(useful):
                    missing[sides[winner]] = wanted.after[sorted(useful)[index]]
        if covered:
            covered = _uncover(covered, hands)
        left -= 1
        leader = winner
        trick = []
    return state._points(missing)


def _opened(state: FarfaliaState, random: Callable[[], float]) -> FarfaliaState:
    """Return the state, or a copy of it in which everything that comes before the play is decided."""
    pending = state.pending
    if pending is None or pending.kind in (Kind.PLAY, Kind.COLLECT):
        return state
    state = state.clone()
    legal = state._legal
    state.apply(legal[int(random() * len(legal))])
    return _opened(state, random)


def _suits(hand: int) -> _Hand:
    return [
        list(_S[hand & SUIT_BITS]),
        list(_L[hand >> 13 & SUIT_BITS]),
        list(_F[hand >> 26 & SUIT_BITS]),
        list(_O[hand >> 39 & SUIT_BITS]),
    ]


@cache
def _others(leader: int, n: int) -> tuple[int, ...]:
    """Return the positions that play to a trick after this one of `n` has led, in their order."""
    return tuple((leader + step) % n for step in range(1, n))


def _sizes(hands: list[_Hand]) -> list[int]:
    """Return how many cards each position holds and sees, wild cards left out."""
    return [sum(map(len, hand)) for hand in hands]


def _uncover(covered: list[CoveredCard], hands: list[_Hand]) -> list[CoveredCard]:
    """Turn up what lay under the cards that dummies have played, and say what is still covered."""
    still = []
    for dummy, above, below in covered:
        if above in hands[dummy][SUIT[above]]:
            still.append((dummy, above, below))
        else:
            insort(hands[dummy][SUIT[below]], below)
    return still
