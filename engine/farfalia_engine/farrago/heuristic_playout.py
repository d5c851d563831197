"""A deal of Farrago played to its end by a heuristic rollout policy: what a search rolls out.

In every trick a player goes for more tricks than par if that promises more points than avoiding them. If so it leads
its best card, wins as surely as it can, as the last one as cheaply as possible, and otherwise plays its worst card. If
not it leads its worst card and plays the best one that does not win. What comes before the play is drawn at random.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from farfalia_engine.farrago.card_chances import AVOIDING, GOING, chances
from farfalia_engine.farrago.deal_types import DealType, trick_winner
from farfalia_engine.farrago.packs import ACE, Pack, cards_in
from farfalia_engine.farrago.playout import opened
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.farrago.terms import ABOVE_PAR, BELOW_PAR, FarragoTerms

#: What is added to the rank of a card that beats all cards of the suit led.
_ABOVE: Final = 100


def play_heuristically(state: FarragoState, random: Callable[[], float]) -> tuple[int, ...]:
    """Return the points of this deal by seat if it is played to its end like that; the state stays as it is."""
    state = opened(state, random)
    pending, terms, trumps, n = state.pending, state._terms, state.trumps, len(state.seats)
    assert pending is not None
    pack, kind = terms.pack, DealType(state.types[-1])
    suit_of, won = pack.suit, [state.winners.count(position) for position in range(n)]
    chance = chances(pack, n, kind, trumps).__getitem__
    # The cards of each position, those that win less often first, and how many tricks they promise.
    hands = [sorted(cards_in(hand), key=chance) for hand in state._hands]
    promises: list[float] = [sum(map(chance, hand)) for hand in hands]
    trick = list(state.plays[n * len(state.winners) :])
    position = pending.position
    for _ in range(sum(map(len, hands))):
        hand = hands[position]
        if trick:
            led = suit_of[trick[0]]
            cards = [card for card in hand if suit_of[card] == led] or hand  # as `follow_suit` defines it
            card = cards[0]
            if len(cards) > 1:
                going = _goes(terms, won[position], promises[position] / sum(promises), len(hand))
                card = _followed(cards, winning_cards(pack, kind, trumps, trick, cards), going, len(trick) == n - 1)
            if not trumps and suit_of[card] != led:  # surprise (G6)
                trumps = suit_of[card] + 1
                chance = chances(pack, n, kind, trumps).__getitem__
                for other in hands:
                    other.sort(key=chance)
                promises = [sum(map(chance, other)) for other in hands]
        else:
            card = hand[0]
            if len(hand) > 1 and _goes(terms, won[position], promises[position] / sum(promises), len(hand)):
                card = hand[-1]
        hand.remove(card)
        promises[position] -= chance(card)
        trick.append(card)
        position = (position + 1) % n
        if len(trick) == n:
            position = (position + trick_winner(kind, pack, trick, trumps)) % n
            won[position] += 1
            trick = []
    return state._points(won)


def _goes(terms: FarragoTerms, won: int, share: float, left: int) -> bool:
    """Return whether it is better to go for tricks, with this share of what all hands promise."""
    above, expected = won - terms.par, share * left
    few, many = above + AVOIDING * expected, above + min(GOING * expected, left)
    return few >= 0 or (many > 0 and ABOVE_PAR * many > -BELOW_PAR * few)  # as `FarragoTerms.worth` counts them


def _followed(cards: Sequence[int], winning: Sequence[int], going: bool, last: bool) -> int:
    """Return one of at least two cards that may be played, those that win less often first; some win the trick."""
    if going:
        return cards[0] if not winning else winning[0] if last else winning[-1]
    if len(winning) < len(cards):
        return next(card for card in reversed(cards) if card not in winning)
    return cards[-1] if last else cards[0]


def winning_cards(pack: Pack, kind: DealType, trumps: int, trick: Sequence[int], cards: Sequence[int]) -> Sequence[int]:
    """Return those of the cards, all of them legal, that would win the trick so far, which somebody has led to."""
    if kind is DealType.SECONDS:
        place = len(trick)
        return [card for card in cards if trick_winner(kind, pack, [*trick, card], trumps) == place]
    strength, enough = strengths(pack, kind, trumps, trick[0])
    best = max([strength[card] for card in trick]) + enough
    return [card for card in cards if strength[card] >= best]


@cache
def strengths(pack: Pack, kind: DealType, trumps: int, led: int) -> tuple[bytes, int]:
    """Return how strong each card is in a trick to which this one was led, and by how much a card must be stronger than
    the best one to win: 0 where the later of two equals wins.
    """
    suits, ranks, suit = pack.suit, pack.rank, pack.suit[led]
    if kind is DealType.TOP_RANK:
        return ranks, 0
    if kind is DealType.TOP_SUIT:
        return bytes([_ABOVE - 20 * suits[card] + ranks[card] for card in pack.all]), 0
    following = [ranks[card] if suits[card] == suit else 0 for card in pack.all]
    if kind is DealType.UPS_DOWNS and ranks[led] < pack.low:
        return bytes([rank and (_ABOVE if rank == ACE else ACE - rank) for rank in following]), 1
    if kind is DealType.SNAP:
        above = [ranks[card] == ranks[led] and suits[card] != suit for card in pack.all]
    elif kind is DealType.SURPRISE and not trumps:
        above = [suits[card] != suit for card in pack.all]  # any of them makes its suit trumps (G6)
    else:
        trump = suit ^ 1 if kind is DealType.RED_BLACK else trumps - 1
        above = [suits[card] == trump for card in pack.all]
    return bytes(
        [
            _ABOVE * over + (rank or ranks[card]) if over or rank else 0
            for card, (over, rank) in enumerate(zip(above, following, strict=True))
        ]
    ), 0
