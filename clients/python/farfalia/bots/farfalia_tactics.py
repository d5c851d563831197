"""How sample bots play a card of Farfalia: open hands, what a wild card would burn, and the card of a greedy one."""

from __future__ import annotations

from farfalia.bots.tactics import greedy_play
from farfalia_engine import FAMILY, RANK, SUIT, WILD, FarfaliaObservation, Observation, best_card


def visible_hands(view: Observation) -> dict[int, bytes]:
    """Return by position the hands that this seat sees: its own, and the open cards of dummies."""
    return {view.position: view.hand, **dict(zip(view.dummies, view.face_up, strict=True))}


def beats(hand: bytes, best: int, led: int, trumps: int) -> bool:
    """Return whether the hand has a card for a trick of this suit that beats its best card so far."""
    following = [card for card in hand if SUIT[card] == led]
    return any(best_card(bytes((best, card)), trumps) for card in following or hand if card < WILD)


def beaten_by_own(view: Observation) -> bool:
    """Return whether the last to play is this seat's other hand, its own or a dummy's,
    which can still win the trick.
    """
    last = (view.acting + len(view.seats) - 1 - len(view.trick)) % len(view.seats)
    if last == view.acting or view.seats[last] != view.seat or view.best is None or view.led is None:
        return False
    return beats(visible_hands(view)[last], view.best, view.led, view.trumps)


def burning(view: Observation) -> bool:
    """Return whether a wild card may be played that burns all that the others could collect,
    who win the trick so far.
    """
    wild, winner = max(view.legal), view.best_position
    if wild < WILD or winner is None or view.barren or view.sides[winner] == view.side or beaten_by_own(view):
        return False
    wanted, burned = view.missing(view.sides[winner]), view.burned
    return {FAMILY[card] for card in view.trick if card < WILD and card not in burned and FAMILY[card] in wanted} == {
        FAMILY[wild]
    }


@greedy_play.register
def _play_greedily(view: FarfaliaObservation) -> int:
    """Lead the highest card; later, win the trick if there is something in it, otherwise play the lowest card.

    High cards wait until there is something to collect, a wild card until it burns what another side could have.
    """
    trick, trumps, n = view.trick, view.trumps, len(view.seats)
    cards = [card for card in view.legal if card < WILD]

    def price(card: int) -> tuple[bool, int]:
        return SUIT[card] == trumps - 1, RANK[card]

    if view.barren:
        return min(cards, key=price)
    if not trick:
        return max(cards, key=RANK.__getitem__)
    if view.sides[view.best_position or 0] != view.sides[view.acting] and not beaten_by_own(view):
        wanted = view.open
        winning = [card for card in cards if view.would_win(card)]
        if winning and any(FAMILY[card] in wanted for card in trick):
            return min(winning, key=price) if len(trick) == n - 1 else max(winning, key=price)
        if burning(view):
            return max(view.legal)
    return min(cards, key=price)
