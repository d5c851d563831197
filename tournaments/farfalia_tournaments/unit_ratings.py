"""Ratings from units: a block counts as one result, which has less luck in it than a match."""

import math
from collections.abc import Iterable
from typing import Final

from farfalia_tournaments.ratings import Rating, RatingSystem, rate
from farfalia_tournaments.results import Entrant, MatchResult
from farfalia_tournaments.units import Unit

#: How much less luck there is in a whole block than in as many matches with cards of their own, as a deviation:
#: measured with five seats, where a block has a deviation of 1 / 3.1 of a match's.
BLOCK_GAIN: Final = 3.1 / math.sqrt(5)


def rate_units(
    played: Iterable[Unit[Entrant]], system: RatingSystem, ratings: dict[Entrant, Rating] | None = None
) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after these units, in their order, from `ratings` or the prior."""
    after = dict(ratings or {})
    for unit in played:
        after.update(rate(after, as_result(unit), system.with_luck(luck(unit, system))))
    return after


def luck(unit: Unit[Entrant], system: RatingSystem) -> float:
    """The luck in a unit's result, as a deviation on the scale of mu."""
    matches = len(unit.results)
    if matches == 1:
        return system.beta
    return system.beta / math.sqrt(matches) / (BLOCK_GAIN if unit.whole else 1)


def as_result(unit: Unit[Entrant]) -> MatchResult[Entrant]:
    """Return a unit as one result: a block's places follow from the points of all its matches.

    Sides stay together in a block. Who lost his seat in every match of it has lost it in the block.
    """
    first = unit.results[0]
    if len(unit.results) == 1:
        return first
    seats = range(len(first.entrants))
    by_side = [
        sum(unit.scores[first.entrants[other]] for other in seats if first.sides[other] == first.sides[seat])
        for seat in seats
    ]
    worth = dict(zip(first.sides, by_side, strict=True))
    lost = [{result.entrants[seat] for seat in result.forfeits} for result in unit.results]
    return MatchResult(
        entrants=first.entrants,
        points=tuple(
            sum(result.points[result.entrants.index(one)] for result in unit.results) for one in first.entrants
        ),
        places=tuple(1 + sum(other > mine for other in worth.values()) for mine in by_side),
        strikes=tuple(
            sum(result.strikes[result.entrants.index(one)] for result in unit.results) for one in first.entrants
        ),
        forfeits=tuple(seat for seat in seats if all(first.entrants[seat] in gone for gone in lost)),
        rated=first.rated,
        sides=first.sides,
        board=first.board,
    )
