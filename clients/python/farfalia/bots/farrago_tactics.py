"""How sample bots play Farrago: how many tricks a hand is good for, and whether to go for more than par or for none."""

from __future__ import annotations

from typing import cast

from farfalia.bot import Bot
from farfalia.bots.tactics import greedy_play
from farfalia_engine import DealType, FarragoObservation, Observation
from farfalia_engine.actions import BAR_SUIT, PICK_TYPE
from farfalia_engine.farrago.card_chances import chances

#: Tricks won, as a multiple of what chance would bring, by a hand that avoids them and by one that goes for them.
AVOIDING, GOING = 0.55, 1.55


@greedy_play.register
def _play_greedily(view: FarragoObservation) -> int:
    """Return, if going, the surest card, or the cheapest winner of the trick; if avoiding,
    the strongest that is beaten.
    """
    chance = chances(view.pack, len(view.seats), view.types[-1], view.trumps).__getitem__
    avoiding, going = _prospects(view, view.types[-1], view.trumps)
    if not view.trick:
        return max(view.legal, key=chance) if going > avoiding else min(view.legal, key=chance)
    last = len(view.trick) == len(view.seats) - 1
    winning = [card for card in view.legal if view.would_win(card)]
    losing = [card for card in view.legal if card not in winning]
    if going > avoiding:
        return max(winning, key=chance) if winning and not last else min(winning or losing, key=chance)
    return max(losing or winning, key=chance) if losing or last else min(winning, key=chance)


class FarragoBot(Bot):
    """Tactics that go for tricks with a hand that promises far more than par, and avoid them with any other."""

    def pick_type(self, view: Observation) -> int:
        """Return the type with the best prospects, on average where trumps are still to come."""

        def value(kind: int) -> float:
            trumps = range(1, 5) if DealType(kind).rules.trumps.chosen else (0,)
            return sum(max(_prospects(view, kind, each)) for each in trumps) / len(trumps)

        return max((action - PICK_TYPE + 1 for action in view.legal), key=value)

    def bar(self, view: Observation) -> int:
        """Return the suit that would be the worst trumps."""
        return min((action - BAR_SUIT for action in view.legal), key=lambda suit: _value(view, suit))

    def name_trumps(self, view: Observation) -> int:
        """Return the suit with the best prospects."""
        return max(range(4), key=lambda suit: _value(view, suit))

    def show(self, view: Observation) -> int:
        """Return the highest card of the best suit that is in the hand."""
        pack = cast(FarragoObservation, view).pack
        return max(view.hand, key=lambda card: (_value(view, pack.suit[card]), pack.rank[card]))


def _value(view: Observation, suit: int) -> float:
    """Return the points to expect with this suit as trumps."""
    return max(_prospects(view, view.types[-1], suit + 1))


def _prospects(view: Observation, kind: int, trumps: int) -> tuple[float, float]:
    """Return the points to expect of this deal for avoiding tricks from here on, and for going for them."""
    view = cast(FarragoObservation, view)
    chance = chances(view.pack, len(view.seats), kind, trumps)
    won, luck = view.winners.count(view.position), sum(chance[card] for card in view.hand)
    return view.worth(won + AVOIDING * luck), view.worth(won + min(GOING * luck, len(view.hand)))
