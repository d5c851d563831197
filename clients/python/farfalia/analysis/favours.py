"""What the cards that a seat played gave to one opponent rather than to the others: where to look for two that collude.

Each legal card is worth something to each other side in the trick on the table, as `cautious` expects of it. A card
favours a side by what it gives to it beyond the mean of all legal cards, less the same for the other sides on average:
a bot that plays badly gives to all of them alike and favours nobody.

It says nothing of partners, of games with two sides, and of what is declared, discarded, doubled or collected. The
tactics of the estimate look at the trick on the table alone, so neither does it see what a card prepares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from farfalia.bots.farfalia_estimates import TrickEstimate
from farfalia_engine import WILD, Cause, FarfaliaObservation, Kind, Record, State, replay, ruleset

#: Sides of a deal from which on there is somebody else to favour.
_FEWEST_SIDES: Final = 3


@dataclass(frozen=True, slots=True)
class Favours:
    """By seat, and by the seat that was favoured, thousandths of a point of a whole match, and of how many cards.

    A seat favours each seat of a side by as much as the side; for itself and for partners it has nothing to give.
    """

    points: tuple[tuple[int, ...], ...]
    decisions: tuple[tuple[int, ...], ...]


def favours(record: Record) -> Favours:
    """Return what the decisions of each seat gave to each other one more than to the rest.

    Only a bot's own answers count, where it had a choice of ordinary cards. All zero in a game that has two sides, or
    is not Farfalia; UnreplayableRecord as `replay` raises it.
    """
    seats = range(ruleset(record.ruleset, record.options).seats)
    points = [[0.0 for _ in seats] for _ in seats]
    decisions = [[0 for _ in seats] for _ in seats]
    for state, done in zip(replay(record), record.actions, strict=False):
        if done.cause == Cause.BOT and state.pending is not None and state.pending.kind is Kind.PLAY:
            for seat, favour in decision_favours(state, done.seat, done.action).items():
                points[done.seat][seat] += favour
                decisions[done.seat][seat] += 1
    return Favours(tuple(tuple(round(1000 * favour) for favour in row) for row in points), tuple(map(tuple, decisions)))


def decision_favours(state: State, seat: int, card: int) -> dict[int, float]:
    """Return by how many points this card, played by this seat now, favours each seat of the other sides.

    Over the sides that adds up to nothing. Empty where there is no choice, or nobody else to favour.
    """
    view = state.observation(seat)
    if not isinstance(view, FarfaliaObservation) or max(view.sides) + 1 < _FEWEST_SIDES or view.barren:
        return {}
    cards = [one for one in view.legal if one < WILD]
    if card not in cards or len(cards) < 2:
        return {}
    by_side = side_favours(view, cards, card)
    return {other: by_side[side] for other, side in zip(view.seats, view.sides, strict=True) if side in by_side}


def side_favours(view: FarfaliaObservation, cards: list[int], card: int) -> dict[int, float]:
    """Return by how many points one of these cards favours each side that is not the player's own."""
    trick, mine = TrickEstimate(view), view.sides[view.acting]
    gains = {one: trick.gains(one) for one in cards}
    given = {
        side: gains[card][side] - sum(one[side] for one in gains.values()) / len(gains)
        for side in range(len(trick.sides))
        if side != mine
    }
    level = sum(given.values()) / len(given)
    return {side: points - level for side, points in given.items()}
