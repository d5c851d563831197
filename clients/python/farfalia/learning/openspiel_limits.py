"""How long an episode can get and what it can pay: what OpenSpiel wants to know of a game in advance."""

from dataclasses import dataclass
from functools import singledispatch
from typing import Final

from farfalia.learning.tensor_layout import Sizes, tensor_layout
from farfalia_engine import CARDS, POINTS, Ruleset, RulesetError
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.games.farrago import Farrago
from farfalia_engine.interfaces import Game

#: OpenSpiel counts up to here.
_MOST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """No episode has more decisions or draws, or pays more or less; few come near."""

    decisions: int
    draws: int
    #: How many outcomes a draw can have.
    outcomes: int
    lowest: float
    highest: float


def limits(rules: Ruleset, horizon: str, reward: str) -> Limits:
    """Return the limits of a ruleset's episodes."""
    game, sizes = rules.game, tensor_layout(rules).sizes
    deals = 1 if horizon == "deal" else rules.last_deal
    deal = deal_limits(game, sizes, deals)
    highest = 1.0 if reward == "win" else float(deal.points * deals)
    return Limits(
        decisions=min(deal.decisions * deals, _MOST),
        draws=min(deal.draws * deals + deal.once, _MOST),
        outcomes=deal.outcomes,
        lowest=-highest if reward == "centred" else 0.0,
        highest=highest,
    )


@dataclass(frozen=True, slots=True)
class DealLimits:
    """The limits of one deal, as `Limits` has them.

    `once` are draws per match, `points` the most that a seat can make.
    """

    decisions: int
    draws: int
    outcomes: int
    points: int
    once: int = 0


@singledispatch
def deal_limits(game: Game, sizes: Sizes, deals: int) -> DealLimits:
    """Return the limits of one of `deals` deals; RulesetError if the game's family has registered none."""
    del sizes, deals
    raise RulesetError("%(game)s has no limits for OpenSpiel", game=game.name)


@deal_limits.register
def _farrago_limits(game: Farrago, sizes: Sizes, deals: int) -> DealLimits:
    del deals
    # The type, three bars, a card shown by everyone; the types of a random order are drawn once.
    plays, cards = sizes.positions * sizes.tricks, game.pack.size
    points = max(map(game.points, range(sizes.tricks + 1)))
    return DealLimits(plays + 4 + sizes.seats, cards, cards, points, once=10)


@deal_limits.register
def _farfalia_limits(game: Farfalia, sizes: Sizes, deals: int) -> DealLimits:
    # One collecting per trick; two of the dealer's decisions, and everyone's doubling.
    plays = sizes.positions * sizes.tricks
    points = POINTS[-1] * max(game.weight(1), game.weight(deals)) * (2 if game.wilds else 1)
    return DealLimits(plays + sizes.tricks + 2 + sizes.seats, CARDS + 5 + sizes.seats, CARDS, points)
