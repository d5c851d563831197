"""Strengths of all entrants from the results of matches.

Most strengths are normal around the middle of the field. Some entrants stand outside: a bot that is 35 points weaker
than nine equal ones does not make these look different. So the prior is a mixture of a normal whose spread is unknown
and a wide one. Who stands outside is found by variational Bayes: D. M. Blei, A. Kucukelbir and J. D. McAuliffe,
"Variational Inference: A Review for Statisticians", Journal of the American Statistical Association 112, 2017. The
spread is not plugged in but integrated over on a grid, each spread with the weight that the results give it. Luck's
variance is integrated out too, which makes Student's t of a normal posterior.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.results import Entrant, MatchResult, ordered, shown
from farfalia_tournaments.statistics.strengths.algebra import Solution
from farfalia_tournaments.statistics.strengths.information import Information, Likelihood
from farfalia_tournaments.statistics.strengths.posterior import StrengthFit, centred
from farfalia_tournaments.statistics.strengths.tables import boards_of
from farfalia_tournaments.statistics.strengths.variances import LUCK_WEIGHT, estimated_variances, solved

#: Prior of the logarithm of the field's spread, in standard deviations of a match's luck, the cards' included: mean and
#: standard deviation. Fields of sample bots spread by a third of luck, those of one bot's versions by a tenth and less.
SPREAD_PRIOR: Final = (math.log(0.3), 1.2)
#: The share of outsiders before anything is known, and their spread. Entrants that are not rated, such as house bots,
#: are outsiders beside a field of others.
OUTSIDE: Final = 0.1
OUTSIDE_SPREAD: Final = 1.5
#: The prior precision with which the variances of hands and blocks are found first: next to nothing is known.
_FLAT: Final = 0.01
#: Neighbours on the grid of spreads have this ratio. Those with less than this share of the best one's weight are left
#: out.
_RATIO: Final = 1.6
_NEGLIGIBLE: Final = 1e-3
_FARTHEST: Final = 8
_ROUNDS: Final = 4


def fit_strengths(
    results: Iterable[MatchResult[Entrant]], baselines: Mapping[str, Sequence[int]] | None = None
) -> StrengthFit[Entrant]:
    """Return the strengths of all entrants of whom the results show something; their order does not matter.

    `baselines` are points of house bots by board, as `units` takes them. Entrants whose tables nothing connects are
    compared through the field's prior alone. A forfeit lowers its entrant's strength as far as its points do, and
    nobody else's. Where a seat was missed, the house bot that played there sat at the table: an outsider whose strength
    is estimated as well, and of which nothing is returned.
    """
    played = list(results)
    entrants = ordered({entrant for result in played for entrant in shown(result)})
    if not entrants:
        return StrengthFit((), (), 0.0, 0.0, 0.0)
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    stand_ins = max(len(result.missed) for result in played)
    information = Information.of(boards_of(played, numbers, baselines), len(entrants) + stand_ins)
    unrated = {numbers[one] for result in played for one, seat in shown(result).items() if not result.rated[seat]}
    # Where hardly anybody else plays, they are the field.
    outside = [number in unrated and len(unrated) < len(entrants) - 1 for number in range(len(entrants))]
    outside += [True] * stand_ins
    hand, block = estimated_variances(information, [_FLAT] * len(outside))
    found = _Field(information, hand, block, outside).integrated()
    if information.knows_hands:
        # Once more, with what is known of the field now: with few rounds the variances depend on it.
        best = max(found, key=lambda one: one.bound)
        hand, block = estimated_variances(information, best.precisions)
        found = _Field(information, hand, block, outside).integrated()
    charges = _charges(played, numbers)
    total = sum(one.weight for one in found)
    return StrengthFit(
        entrants,
        [centred(one.weight / total, one.solution, one.luck, one.degrees, charges, one.precisions) for one in found],
        hand,
        block,
        math.sqrt(sum(one.weight / total * one.luck for one in found)),
    )


@dataclass(slots=True)
class _Posterior:
    """The posterior for one spread of the field.

    `bound` is the logarithm of its weight, but for a constant; `inside` the probability for each entrant that it is no
    outsider, `precisions` those of their prior; `luck` is the variance of luck, in square points.
    """

    bound: float
    inside: list[float]
    precisions: list[float]
    solution: Solution
    degrees: float
    luck: float
    weight: float = 0.0


class _Field:
    """A field whose spread is unknown."""

    def __init__(self, information: Information, hand: float, block: float, outside: Sequence[bool]) -> None:
        self._likelihood: Likelihood = information.at(hand, block)
        self._degrees = information.contrasts + LUCK_WEIGHT
        #: The deviation of a match's luck, in those of luck with known cards.
        self._match_luck = math.sqrt(1 + hand + block)
        self._outside = outside

    def integrated(self) -> list[_Posterior]:
        """Return the posteriors for all spreads that the results do not rule out, with their weights."""
        found = [self._at(0, [0.0 if outside else 1.0 for outside in self._outside], [0.0] * len(self._outside))]
        best = found[0].bound
        for way in (-1, 1):
            near = found[0]
            for step in range(1, _FARTHEST + 1):
                near = self._at(way * step, near.inside, near.solution.values)
                found.append(near)
                best = max(best, near.bound)
                if near.bound < best + math.log(_NEGLIGIBLE):
                    break
        for one in found:
            one.weight = math.exp(one.bound - best)
        return [one for one in found if one.weight > _NEGLIGIBLE]

    def _at(self, step: int, inside: list[float], near: list[float]) -> _Posterior:
        """Return the posterior for a spread this many steps from the prior's, starting from that of a spread nearby."""
        away = step * math.log(_RATIO)
        narrow = (math.exp(SPREAD_PRIOR[0] + away) * self._match_luck) ** 2
        wide = (OUTSIDE_SPREAD * self._match_luck) ** 2
        odds = (1 - OUTSIDE) / OUTSIDE * math.sqrt(wide / narrow)
        for _ in range(_ROUNDS):
            used = inside
            precisions = [share / narrow + (1 - share) / wide for share in used]
            found = solved(self._likelihood, precisions, near)
            near = found.solution.values
            luck = found.residual / self._degrees
            squares = [mean * mean / luck + own for mean, own in zip(near, found.solution.variances, strict=True)]
            inside = [
                0.0 if outside else 1 / (1 + math.exp(min(500.0, square / 2 * (1 / narrow - 1 / wide))) / odds)
                for square, outside in zip(squares, self._outside, strict=True)
            ]
        evidence = found.solution.log_determinant + self._degrees * math.log(found.residual)
        bound = -0.5 * (evidence + (away / SPREAD_PRIOR[1]) ** 2)
        for share in used:
            if share > 0:
                bound += share * (math.log((1 - OUTSIDE) / share) - math.log(narrow) / 2)
            if share < 1:
                bound += (1 - share) * (math.log(OUTSIDE / (1 - share)) - math.log(wide) / 2)
        return _Posterior(bound, inside, precisions, found.solution, self._degrees, luck)


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
