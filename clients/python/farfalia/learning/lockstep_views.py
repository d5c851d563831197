"""From what seats see to one table with a row for each view; nothing of it depends on what they do not see."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, cast

import numpy as np

from farfalia.learning.card_sets import Bytes, Sets
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_farrago import FarragoTable
from farfalia.learning.lockstep_policy import PolicyTable
from farfalia.learning.lockstep_worlds import layout_of, number_of, set_of, trumps_before_trick
from farfalia_engine import DealType, Observation
from farfalia_engine.farfalia.dummies import FACE_DOWN
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farrago.terms import FarragoTerms

_EVERY: Final = np.uint64(2**64 - 1)


def moment_of(view: Observation) -> Hashable:
    """Return what views have in common that may be rows of one table."""
    kind = view.types[-1:] if view.types else (view.sides, view.dummies)
    return view.ruleset, len(view.seats), view.rules.options.get("pack"), kind, len(view.plays)


def table_seen(views: Sequence[Observation]) -> PolicyTable:
    """Return a table whose rows are these views, of one moment, in which a card is to be played.

    Hands that a view does not show hold as many cards as it says, any of those that the seat has not seen.
    """
    first = views[0]
    positions, done = len(first.seats), len(first.winners) * len(first.seats)
    hands = np.array([_hands(view) for view in views], np.uint64).T.copy()
    voids: Bytes = np.array([[sum(1 << suit for suit in suits) for suits in view.voids] for view in views], np.uint8)
    played = np.array([set_of(view.plays[:done]) for view in views], np.uint64)
    leader = np.array(
        [view.leaders[-1] if view.trick else view.winners[-1] if view.winners else 1 for view in views], np.intp
    )
    voids = voids.T.copy()
    table: PolicyTable
    if first.rules.game.collecting:
        layout = layout_of(first)
        sides = range(layout.side_count)
        table = CautiousTable(
            layout,
            cast(Farfalia, first.rules.game).barren,
            missing=np.array([[number_of(view.missing(side)) for view in views] for side in sides], np.uint16),
            trumps=np.array([view.trumps for view in views], np.uint8),
            discarded=np.array([set_of(view.discarded) for view in views], np.uint64),
            left=layout.tricks - len(first.winners),
            hands=hands,
            voids=voids,
            played=played,
            leader=leader,
        )
        _cover(table, views)
    else:
        terms = cast(FarragoTerms, first.rules.game)
        table = FarragoTable(
            terms,
            DealType(first.types[-1]),
            trumps=np.array([trumps_before_trick(view, view.trumps) for view in views], np.uint8),
            won=np.array([[view.winners.count(place) for view in views] for place in range(positions)], np.intp),
            left=terms.pack.size // positions - len(first.winners),
            hands=hands,
            voids=voids,
            played=played,
            leader=leader,
        )
    for number in range(done, len(first.plays)):
        table.play(np.array([view.plays[number] for view in views], np.uint8))
    return table


def _hands(view: Observation) -> list[int]:
    """Return the hands as sets before the trick on the table."""
    shown = {view.position: view.hand, **dict(zip(view.dummies, view.face_up, strict=True))}
    unseen = view.unseen
    hands = [set_of(shown.get(place, unseen[: view.held[place]])) for place in range(len(view.seats))]
    for offset, card in enumerate(view.trick):
        hands[(view.leaders[-1] + offset) % len(hands)] |= 1 << card
    return hands


def _cover(table: CautiousTable, views: Sequence[Observation]) -> None:
    """Lay as many cards face down as each dummy still has; what lies there turns up only when the trick is over."""
    dummies = views[0].dummies
    number = np.arange(FACE_DOWN)[:, np.newaxis]
    hidden = [
        np.array([view.held[dummy] - len(view.face_up[index]) for view in views]) for index, dummy in enumerate(dummies)
    ]
    below: list[Sets] = [(number < each).astype(np.uint64) for each in hidden]
    if below:
        lying = np.concatenate(below)
        table.uncovers([dummy for dummy in dummies for _ in range(FACE_DOWN)], np.full_like(lying, _EVERY), lying)
