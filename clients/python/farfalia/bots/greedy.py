"""Takes what it can get: looks at the trick on the table, and at nothing that came before it."""

from __future__ import annotations

from farfalia.bots.farrago_tactics import FarragoBot
from farfalia.bots.tactics import greedy_play
from farfalia_engine import COLLECT_CARD, COLLECT_NONE, FAMILY, POINTS, RANK, SUIT, WILD, Observation

_CARDS_OF_FAMILY = (12, 10, 10, 10, 10)


class GreedyBot(FarragoBot):
    """A bot that wins tricks that hold what its side still needs, as cheaply as it can, and else sheds low cards."""

    def __init__(self, seed: int = 0) -> None:
        del seed  # nothing is left to chance

    def discard(self, view: Observation) -> list[int]:
        """Return the worst cards, as many as there are too many: low ones, those of short suits first, no trumps."""
        return by_price(view)[: view.held[0] - view.held[1]]

    def declare(self, view: Observation) -> int | None:
        """Return the suit that is long and strong, in a dummy's open cards too."""
        strength = [0, 0, 0, 0]
        for card in b"".join((view.hand, *view.face_up)):
            if card < WILD:
                strength[SUIT[card]] += 10 + RANK[card]
        return strength.index(max(strength))

    def play(self, view: Observation) -> int:
        """Return the card that the tactics of this game find on the trick alone."""
        return greedy_play(view)

    def double(self, view: Observation) -> bool:
        """Spend a wild card as a dealer who plays against all others, and the others before it is too late."""
        if view.dealer == view.seat and not view.rules.teams:
            return True
        return _deals_left(view) <= view.wilds[view.seat]

    def collect(self, view: Observation) -> int | None:
        """Return the card whose family will be the hardest to find later."""
        left = list(_CARDS_OF_FAMILY)
        for card in view.plays:
            left[FAMILY[card]] -= card < WILD
        wanted = view.open
        cards = [action - COLLECT_CARD for action in view.legal if action != COLLECT_NONE]
        return min(cards, key=lambda card: left[FAMILY[card]] / wanted.count(FAMILY[card]))


def by_price(view: Observation) -> list[int]:
    """Return the cards of this hand, wild ones left out: first low cards and those of short suits, last trumps."""
    length = [0, 0, 0, 0]
    cards = [card for card in view.hand if card < WILD]
    for card in cards:
        length[SUIT[card]] += 1
    cards.sort(key=lambda card: (SUIT[card] == view.trumps - 1, RANK[card] + 2 * length[SUIT[card]]))
    return cards


def _deals_left(view: Observation) -> float:
    """Return how many deals are left, this one included; where a target ends the match, as the leaders have made points
    so far, beside one deal in which one of them makes all that it can.
    """
    if view.deals:
        return view.deals - view.deal + 1
    best = max(sum(view.totals[seat] for seat in team) for team in view.rules.teams or [view.seats])
    pace = (best + POINTS[-1]) / view.deal
    left = (int(view.options["target"]) - best) / pace
    return min(left, view.rules.last_deal - view.deal + 1)
