"""Deals of one game that policies play in lock step.

game, source = SelfPlay("chinkway"), np.random.PCG64(1)
table = game.dealt(source, 4096)
while table.left:
    table.play(network.choose(positions(table)))
points = table.points
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import cast

import numpy as np

from farfalia.learning.card_sets import Places
from farfalia.learning.farfalia_features import farfalia_position
from farfalia.learning.farrago_features import farrago_position
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_deals import dealt
from farfalia.learning.lockstep_farrago import FarragoTable
from farfalia.learning.lockstep_farrago_deals import dealt_farrago
from farfalia.learning.lockstep_policy import Floats, PolicyTable, lead_weights
from farfalia.learning.policy_features import Position
from farfalia_engine import BadOption, DealType, RulesetError, ruleset
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.farrago.terms import FarragoTerms


class SelfPlay:
    """Deals of a game, Farfalia's or Farrago's, with any options but wild cards that burn.

    Raises UnknownRuleset, BadOption, and RulesetError for a game of another package.
    """

    def __init__(self, name: str, options: Mapping[str, str] | None = None) -> None:
        self.rules = ruleset(name, options)
        game = self.rules.game
        if not isinstance(game, Farfalia | FarragoTerms):
            raise RulesetError(
                "%(game)s is not played in lock step, expected a game of Farfalia's or Farrago", game=name
            )
        if isinstance(game, Farfalia) and game.burnin:
            raise BadOption("%(game)s is played in lock step without cards that burn, expected burnin=off", game=name)
        #: Deals that differ in more than who sits where, and how many of a match each stands for: numbers of deals, in
        #: Farrago numbers of types.
        self.deals: Mapping[int, int]
        if isinstance(game, Farfalia):
            kinds = [self._layout(deal) for deal in range(1, self.rules.last_deal + 1)]
            seen = [(layout.sides, layout.dummies) for layout in kinds]
            self.deals = {1 + seen.index(kind): count for kind, count in Counter(seen).items()}
        else:
            self.deals = dict.fromkeys(map(int, DealType), 1)

    def dealt(self, source: np.random.PCG64, deals: int, deal: int = 1) -> PolicyTable:
        """Deal by the numbers drawn from `source`, decide as cautious does what comes before the play, and return the
        table; `deal` is the deal's number, in Farrago that of its type.
        """
        game = self.rules.game
        if isinstance(game, FarragoTerms):
            return dealt_farrago(game, DealType(deal), source, deals)
        return dealt(self._layout(deal), cast(Farfalia, game).barren, source, deals)

    def seats(self, deal: int = 1) -> bytes:
        """Return the seat that plays at each position, in Farrago the position's own number."""
        return self._layout(deal).seats if isinstance(self.rules.game, Farfalia) else bytes(range(self.rules.seats))

    def weights(self, deal: int = 1) -> Floats:
        """Return by how much a point of each side brings the seat at each position ahead of the others,
        (positions, sides).
        """
        seats = self.seats(deal)
        sides = self._layout(deal).sides if isinstance(self.rules.game, Farfalia) else seats
        return np.array([lead_weights(self.rules, seats, sides, seat) for seat in seats])

    def _layout(self, deal: int) -> Layout:
        game = cast(Farfalia, self.rules.game)
        return game.layout(deal, (0,) * game.seats * (deal - 1))


def positions(table: PolicyTable) -> Position:
    """Return what a network sees of a table."""
    return farfalia_position(table) if isinstance(table, CautiousTable) else farrago_position(cast(FarragoTable, table))


def tried(table: PolicyTable, position: Position, weights: Floats) -> Floats:
    """Return what each choice comes to if all play on as cautious does, in points ahead of the others.

    `weights` are those of the deal. All cards are the true ones, so what is returned owes much to luck; yet on average
    over all hands that a seat may face it is what the choice is worth.
    """
    choices = position.choices
    after = table.chosen(choices.rows)
    acting: Places = after.acting
    after.play(choices.cards)
    gained: Floats = (weights[acting].T * after.play_out()).sum(axis=0)
    return gained
