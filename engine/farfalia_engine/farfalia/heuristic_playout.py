"""A deal of Farfalia played to its end by a heuristic rollout policy, and otherwise at random: what a search rolls out.

A player that still wants a card of the trick wins it if it can and its side does not already: the last one as cheaply
as possible, others as surely as possible. The winner collects what it can, and a dealer makes its longest suit trumps.
All other cards are drawn at random: were there a rule for each, they would be the same in most determinizations, and
teach a search less.
"""

from collections.abc import Callable
from functools import cache

from farfalia_engine.actions import DECLARE_SUIT, Kind
from farfalia_engine.farfalia.cards import FAMILY, RANK, SUIT, wild_cards_in
from farfalia_engine.farfalia.collecting import unburned
from farfalia_engine.farfalia.playout import _others, _sizes, _suits, _uncover
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.trick import STRENGTH

_FAMILY_BIT = bytes(1 << family for family in FAMILY)
_NO_TRUMPS: list[int] = []


def play_heuristically(state: FarfaliaState, random: Callable[[], float]) -> tuple[int, ...]:
    """Return the points of this deal by seat if it is played to its end like that; the state stays as it is."""
    state = _opened(state, random)
    pending, terms, layout = state.pending, state._terms, state._layout
    assert pending is not None
    n, sides, strength, trump = len(layout.seats), layout.sides, STRENGTH[state.trumps], state.trumps - 1
    missing, covered = state._missing[:], state._covered
    wants = [_bits(wanted.families) for wanted in missing]
    hands = [_suits(hand) for hand in state._hands]
    wilds = [wild_cards_in(hand) for hand in state._hands] if terms.burnin else []
    left, fruitful = layout.tricks - len(state.winners), layout.tricks - terms.barren
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
    families = _bits(bytes(FAMILY[card] for card in trick))
    sizes = _sizes(hands) if wilds or covered else [left] * n
    while left:
        if not trick:
            sizes = _sizes(hands) if wilds or covered else [left] * n
            card = _drawn(hands[leader], int(random() * sizes[leader]))
            trick, led, strengths = [card], SUIT[card], strength[card]
            best, winner, families = strengths[card], leader, _FAMILY_BIT[card]
            order = _others(leader, n)
        for position in order:
            hand = hands[position]
            cards = hand[led]  # as `follow_suit` defines it: these, or any if there are none
            if left <= fruitful and families & wants[sides[position]] and sides[winner] != sides[position]:
                winning = cards or (hand[trump] if trump < 4 else _NO_TRUMPS)
                if winning and strengths[winning[-1]] > best:
                    if position == order[-1]:
                        card = next(card for card in winning if strengths[card] > best)
                        winning.remove(card)
                    else:
                        card = winning.pop()
                    trick.append(card)
                    families |= _FAMILY_BIT[card]
                    best, winner = strengths[card], position
                    continue
            choices = len(cards) or sizes[position]
            index = int(random() * (choices + 1 if wilds and wilds[position] else choices))
            if index == choices:
                trick += wilds[position]
                wilds[position] = ()
                continue
            card = cards.pop(index) if cards else _drawn(hand, index)
            trick.append(card)
            families |= _FAMILY_BIT[card]
            if strengths[card] > best:  # as `best_card` defines it
                best, winner = strengths[card], position
        side = sides[winner]
        if left <= fruitful and families & wants[side]:
            useful = (unburned(trick) if wilds else bytes(trick)).translate(None, missing[side].useless)
            if useful:
                missing[side] = missing[side].after[useful[int(random() * len(useful))]]
                wants[side] = _bits(missing[side].families)
        if covered:
            covered = _uncover(covered, hands)
        left -= 1
        leader, trick = winner, []
    return state._points(missing)


def _opened(state: FarfaliaState, random: Callable[[], float]) -> FarfaliaState:
    """Return the state, or a copy of it in which everything that comes before the play is decided."""
    pending = state.pending
    if pending is None or pending.kind in (Kind.PLAY, Kind.COLLECT):
        return state
    state = state.clone()
    legal = state._legal
    if pending.kind is Kind.DECLARE:
        strength = [sum(10 + RANK[card] for card in suit) for suit in _suits(state._hands[0])]
        state.apply(DECLARE_SUIT + strength.index(max(strength)))
    else:
        state.apply(legal[int(random() * len(legal))])
    return _opened(state, random)


def _drawn(hand: list[list[int]], index: int) -> int:
    """Take the card out that has this place among all cards of a hand."""
    for cards in hand:
        if index < len(cards):
            return cards.pop(index)
        index -= len(cards)
    raise IndexError(index)


@cache
def _bits(families: bytes) -> int:
    bits = 0
    for family in families:
        bits |= 1 << family
    return bits
