"""Which card a sample bot plays, for any game; a family of games registers its own tactics.

The functions dispatch on the kind of observation: the package imports those of Farfalia and Farrago.
"""

from __future__ import annotations

from functools import singledispatch

from farfalia_engine import Observation


@singledispatch
def greedy_play(view: Observation) -> int:
    """Return the card of a bot that looks at the trick on the table only: the first that wins it, or the first."""
    return next((card for card in view.legal if view.would_win(card)), view.legal[0])


@singledispatch
def cautious_play(view: Observation) -> int:
    """Return the card of a bot that counts cards; that of a greedy one where no family of games has registered."""
    return greedy_play(view)
