"""Ratings from units: a block counts as one result, with less performance noise than a match."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final

from farfalia_tournaments.ratings.ratings import LUCK_LEFT, Rating, RatingSystem, rate
from farfalia_tournaments.results import Entrant, MatchResult
from farfalia_tournaments.statistics.units import Unit

#: By which factor a whole block has a smaller standard deviation than as many matches with cards of their own: a block
#: of five seats has 1 / 3.1 of a match's, measured in the simulation that `statistics.noise` names.
BLOCK_GAIN: Final = 3.1 / math.sqrt(5)
#: How much of a whole block's noise is left once luck is taken out: everyone has had the same cards, so little goes.
#: `farfalia bench luck` measured 0.95 to 0.98.
BLOCK_LUCK_LEFT: Final = 0.97


def rate_units(
    played: Iterable[Unit[Entrant]], system: RatingSystem, ratings: dict[Entrant, Rating] | None = None
) -> dict[Entrant, Rating]:
    """Return the ratings of all rated entrants after these units, in their order, from `ratings` or the prior."""
    after = dict(ratings or {})
    for unit in played:
        after.update(rate(after, as_result(unit), system, performance_noise(unit, system)))
    return after


def performance_noise(unit: Unit[Entrant], system: RatingSystem) -> float:
    """Return the performance noise (beta) of a unit's result: a standard deviation on the scale of mu."""
    matches = len(unit.results)
    whole = matches > 1 and unit.whole
    noise = system.beta / math.sqrt(matches) / (BLOCK_GAIN if whole else 1)
    if not any(any(result.luck) for result in unit.results):
        return noise
    return noise * (BLOCK_LUCK_LEFT if whole else LUCK_LEFT)


def as_result(unit: Unit[Entrant]) -> MatchResult[Entrant]:
    """Return a unit as one result: a block's places follow from the points of all its matches.

    A forfeit of one match is a forfeit of the block, also one that was missed while the others were played: the bot
    may know those cards. The side is placed by the points that were made, so that a partner's place does not suffer.
    """
    first = unit.results[0]
    if len(unit.results) == 1:
        return first
    seats = range(len(first.entrants))
    turns = [[result.entrants.index(one) for one in first.entrants] for result in unit.results]
    points = [
        sum(result.points[turn[seat]] for result, turn in zip(unit.results, turns, strict=True)) for seat in seats
    ]
    made: Counter[int] = Counter()
    for seat in seats:
        made[first.sides[seat]] += points[seat]
    forfeits = tuple(seat for seat in seats if first.entrants[seat] in unit.forfeited)
    finished = {first.sides[seat] for seat in seats if seat not in forfeits}
    return MatchResult(
        entrants=first.entrants,
        points=tuple(points),
        places=tuple(
            1 + len(finished)
            if seat in forfeits
            else 1 + sum(made[side] > made[first.sides[seat]] for side in finished)
            for seat in seats
        ),
        strikes=tuple(
            sum(result.strikes[turn[seat]] for result, turn in zip(unit.results, turns, strict=True)) for seat in seats
        ),
        forfeits=forfeits,
        rated=first.rated,
        sides=first.sides,
        board=first.board,
        luck=tuple(
            sum(result.luck[turn[seat]] for result, turn in zip(unit.results, turns, strict=True)) for seat in seats
        ),
        missed=tuple(seat for seat in seats if first.entrants[seat] not in unit.shown),
    )
