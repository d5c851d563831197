"""How long an episode can get and what it can pay: what OpenSpiel wants to know of a game beforehand."""

from dataclasses import dataclass
from typing import Final

from farfalia.learning.tensor_layout import tensor_layout
from farfalia_engine import CARDS, POINTS, Ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.games.farrago import Farrago

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
    plays = sizes.positions * sizes.tricks
    if isinstance(game, Farrago):
        # The type, three bars, a card shown by everyone; the types of a random order are drawn once.
        decisions, draws, outcomes = plays + 4 + sizes.seats, game.pack.size, game.pack.size
        points = max(map(game.points, range(sizes.tricks + 1)))
        once = 10
    else:
        assert isinstance(game, Farfalia)
        # One collecting a trick; two of the dealer's decisions, and everyone's doubling.
        decisions, draws, outcomes = plays + sizes.tricks + 2 + sizes.seats, CARDS + 5 + sizes.seats, CARDS
        points = POINTS[-1] * max(game.weight(1), game.weight(deals)) * (2 if game.wilds else 1)
        once = 0
    highest = 1.0 if reward == "win" else float(points * deals)
    return Limits(
        decisions=min(decisions * deals, _MOST),
        draws=min(draws * deals + once, _MOST),
        outcomes=outcomes,
        lowest=-highest if reward == "centred" else 0.0,
        highest=highest,
    )
