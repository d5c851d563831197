"""Strengths of all entrants from the results of matches.

What the field is like is in `spreads`: the posterior is a mean over all spreads that it may have. Luck's variance is
integrated out too, which makes Student's t of a normal posterior.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from farfalia_tournaments.results import Entrant, MatchResult, ordered, shown
from farfalia_tournaments.statistics.strengths.components import Strength, centred
from farfalia_tournaments.statistics.strengths.information import Information
from farfalia_tournaments.statistics.strengths.posterior import StrengthFit
from farfalia_tournaments.statistics.strengths.priors import FLAT, MOST_WITH_FAMILIES, Kinship, Prior
from farfalia_tournaments.statistics.strengths.spreads import Field, Posterior
from farfalia_tournaments.statistics.strengths.tables import boards_of
from farfalia_tournaments.statistics.strengths.variances import estimated_variances


def fit_strengths(
    results: Iterable[MatchResult[Entrant]],
    baselines: Mapping[str, Sequence[int]] | None = None,
    families: Mapping[Entrant, str] | None = None,
    known: Mapping[Entrant, Strength] | None = None,
) -> StrengthFit[Entrant]:
    """Return the strengths of all entrants of whom the results show something; their order does not matter.

    `baselines` are points of house bots by board, as `units` takes them. Entrants whose tables nothing connects are
    compared through the field's prior alone. A forfeit lowers its entrant's strength as far as its points do, and
    nobody else's. Where a seat was missed, the house bot that played there sat at the table: an outsider whose strength
    is estimated as well, and of which nothing is returned.

    Entrants with the same of `families` are expected to be nearly equal, as the results allow: forks of one bot, bots
    of one owner. Where entrants and families come to more than `MOST_WITH_FAMILIES`, it is left aside.

    `known` are strengths that were known before, such as a ladder's of the same versions: means and deviations above 0,
    in points per match. Their errors are independent, and their middle is not that of the field: they tell differences.
    """
    played = list(results)
    entrants = ordered({entrant for result in played for entrant in shown(result)})
    if not entrants:
        return StrengthFit((), (), 0.0, 0.0, 0.0)
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    stand_ins = max(len(result.missed) for result in played)
    unrated = {numbers[one] for result in played for one, seat in shown(result).items() if not result.rated[seat]}
    # Where hardly anybody else plays, they are the field.
    outside = [number in unrated and len(unrated) < len(entrants) - 1 for number in range(len(entrants))]
    outside += [True] * stand_ins
    kinship = Kinship.of(outside, [(families or {}).get(entrant) or None for entrant in entrants])
    if kinship.unknowns > MOST_WITH_FAMILIES:
        kinship = Kinship(tuple(outside))
    sure = {numbers[entrant]: own for entrant, own in (known or {}).items() if entrant in numbers}
    sure = sure if len(sure) > 1 else {}
    information = Information.of(boards_of(played, numbers, baselines), kinship.unknowns)
    hand, block = estimated_variances(information, Prior([FLAT] * kinship.unknowns))
    found = Field(information, hand, block, kinship).integrated()
    if information.knows_hands:
        # Once more, with what is known of the field now: with few rounds the variances depend on it.
        best = max(found, key=lambda one: one.bound)
        hand, block = estimated_variances(information, best.prior)
    if information.knows_hands or sure:
        found = Field(information, hand, block, kinship, sure, _luck(found)).integrated()
    charges = _charges(played, numbers)
    total = sum(one.weight for one in found)
    return StrengthFit(
        entrants,
        [
            centred(one.weight / total, one.solution, one.luck, one.degrees, charges, one.prior, one.known_share)
            for one in found
        ],
        hand,
        block,
        math.sqrt(_luck(found)),
        tuple(tuple(entrants[member] for member in family) for family in kinship.families),
        tuple(entrants[number] for number in sure),
    )


def _luck(found: Sequence[Posterior]) -> float:
    """Return the variance of luck, in square points."""
    total = sum(one.weight for one in found)
    return sum(one.weight / total * one.luck for one in found)


def _charges(played: Iterable[MatchResult[Entrant]], numbers: Mapping[Entrant, int]) -> list[float]:
    """Return by how much forfeits lower each entrant's strength, in points.

    The points of a forfeited seat are a house bot's. They say what its hand was worth, and are taken from the entrant
    again as a share of its matches: as if it had made none there, with nothing shrunk.
    """
    matches: Counter[int] = Counter()
    charges = [0.0] * len(numbers)
    for result in played:
        told = shown(result)
        matches.update(numbers[entrant] for entrant in told)
        sizes = Counter(result.sides)
        for entrant, seat in told.items():
            if seat not in result.forfeits:
                continue
            own = 1 / sizes[result.sides[seat]] * (1 - 1 / len(sizes))
            charges[numbers[entrant]] += result.points[seat] / own
    return [charge / matches[number] if charge else 0.0 for number, charge in enumerate(charges)]
