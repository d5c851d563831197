"""What is known of strengths after a fit: a mixture of Student distributions, one for each spread of the field."""

import math
import random
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import islice, pairwise
from operator import add, getitem, mul
from typing import Final, Generic

from farfalia_tournaments.results import Entrant
from farfalia_tournaments.statistics.looks import widening
from farfalia_tournaments.statistics.strengths.algebra import Matrix, cholesky
from farfalia_tournaments.statistics.strengths.components import Component, Strength, widened_component
from farfalia_tournaments.statistics.strengths.student_mixtures import Difference, quantile, variance_factor

#: How often the field is drawn from the posterior to find intervals of ranks, and the seed of that.
DRAWS: Final = 1000
SEED: Final = 20_011
#: For how many numbers of entrants and results what was drawn is kept: 8 kB each for an entrant.
_LUCKS: Final = 4
#: The posterior probability that the ranks of all are in their intervals, which are said to hold with 95 %. A little is
#: left for fields that are closer than the prior takes them for: `farfalia bench calibration` counts.
RANKS_HOLD: Final = 0.97
#: Of two that differ with this probability one says that they do.
TOLD_APART: Final = 0.975
#: Spreads of the field are ruled out, from the closest up, as far as they have this probability together.
RULED_OUT: Final = 0.05
#: A probability is known if the closest spreads that are not ruled out change it by no more than this.
KNOWN_WITHIN: Final = 0.1
#: It is also known if a ladder told as much of both as this many matches of the tournament do. After 70 matches on a
#: ladder, which tell as much as 50, probabilities are right in close fields, too.
KNOWN_BEFORE: Final = 40.0
#: The least share of what is known that the results are taken to have.
_OF_PLAY: Final = 1e-3


@dataclass(frozen=True)
class StrengthFit(Generic[Entrant]):
    """Strengths of entrants, in points per match, as differences from the mean of the field.

    Between two at a table the difference of their strengths is what one makes more than the other, on average.
    `hand` and `block` are the variances of a hand and of a bot's luck with a board, as multiples of that of other
    luck; 0 if no two matches had equal cards. `luck` is its standard deviation, in points. `families` are those of two
    entrants or more. `known` are those of whom something was known before.
    """

    entrants: Sequence[Entrant]
    components: Sequence[Component]
    hand: float
    block: float
    luck: float
    families: Sequence[Sequence[Entrant]] = ()
    known: Sequence[Entrant] = ()

    @cached_property
    def _number(self) -> Mapping[Entrant, int]:
        return {entrant: number for number, entrant in enumerate(self.entrants)}

    def strength(self, entrant: Entrant) -> Strength:
        """Return mean and standard deviation of an entrant's strength."""
        return Strength(self._mean(self._number[entrant]), math.sqrt(self.covariance(entrant, entrant)))

    def covariance(self, one: Entrant, other: Entrant) -> float:
        """Return the covariance of two strengths, in square points."""
        a, b = self._number[one], self._number[other]
        first, second = self._mean(a), self._mean(b)
        return sum(
            part.weight
            * (
                part.covariance(a, b) * variance_factor(part.degrees)
                + (part.means[a] - first) * (part.means[b] - second)
            )
            for part in self.components
        )

    def played_before(self, played: float) -> float:
        """Return what was known before as a number of matches, or rounds, if the results are those of `played`.

        They count where it matters what share of all matches is played: those after them tell less.
        """
        known = sum(part.weight * part.known_share for part in self.components)
        return played * known / max(1 - known, _OF_PLAY)

    def precisions(self, entrant: Entrant) -> list[float]:
        """Return the precisions of the prior of an entrant's strength, one for each component."""
        number = self._number[entrant]
        return [part.precisions[number] for part in self.components]

    def interval(self, entrant: Entrant, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval that holds a strength with this probability, as much below it as above it.

        It holds for the entrant in first place as well: the spread of the field is allowed for. An entrant that is the
        whole field is its mean.
        """
        number = self._number[entrant]
        if len(self.entrants) == 1:
            return 0.0, 0.0
        parts = [
            (part.weight, part.means[number], math.sqrt(part.variances[number]), part.degrees)
            for part in self.components
        ]
        return quantile(parts, (1 - confidence) / 2), quantile(parts, (1 + confidence) / 2)

    def probability(self, one: Entrant, other: Entrant) -> float:
        """Return the probability that one is stronger than the other, 0 to 1."""
        return 0.5 if one == other else self.difference(one, other).ahead()

    def difference(self, one: Entrant, other: Entrant) -> Difference:
        """Return what is known of how much stronger one is than another, who is not the same."""
        a, b = self._number[one], self._number[other]
        return Difference(
            tuple(
                (part.weight, part.means[a] - part.means[b], part.scale(a, b), part.degrees) for part in self.components
            )
        )

    def difference_interval(self, one: Entrant, other: Entrant, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval that holds with this probability how many points per match one is stronger."""
        parts = self.difference(one, other).parts
        return quantile(parts, (1 - confidence) / 2), quantile(parts, (1 + confidence) / 2)

    def knows_probability(self, one: Entrant, other: Entrant) -> bool:
        """Return whether the probability that one is stronger hardly depends on how close the field is.

        It is compared with that for the closest spreads that the results do not rule out. Where these say something
        else, results cannot tell a close field with much luck from a wide one. A ladder that knew both well can.
        """
        if all(self._known_as(entrant) >= KNOWN_BEFORE for entrant in (one, other)):
            return True
        a, b = self._number[one], self._number[other]
        apart = self.difference(one, other)
        order = sorted(range(len(self.components)), key=lambda number: -self._closeness(self.components[number], a, b))
        left, closest = RULED_OUT, []
        for number in order:
            weight, *own = apart.parts[number]
            closest.append((min(weight, left) / RULED_OUT, own[0], own[1], own[2]))
            left -= weight
            if left <= 0:
                break
        return abs(apart.ahead() - Difference(tuple(closest)).ahead()) <= KNOWN_WITHIN

    def _known_as(self, entrant: Entrant) -> float:
        """Return as many matches of the tournament as tell as much of an entrant as was known before."""
        if entrant not in self.known:
            return 0.0
        number = self.known.index(entrant)
        precision = sum(part.weight * part.known_precisions[number] for part in self.components)
        return precision * (1 + self.hand + self.block)

    def _closeness(self, part: Component, one: int, other: int) -> float:
        """Return the precision of the prior of a difference."""
        variance = 1 / part.precisions[one] + 1 / part.precisions[other]
        mine, theirs = (self._family.get(number) for number in (one, other))
        if mine != theirs:
            variance += sum(1 / part.family_precisions[own] for own in (mine, theirs) if own is not None)
        return 1 / variance

    @cached_property
    def _family(self) -> Mapping[int, int]:
        return {self._number[one]: number for number, family in enumerate(self.families) for one in family}

    def widened(self, factor: float) -> "StrengthFit[Entrant]":
        """Return the same means with all uncertainty multiplied by this factor.

        With the factor of `widening` intervals hold at every look, and with them ranks, letters and who is told apart.
        """
        if factor == 1:
            return self
        means = [self._mean(number) for number in range(len(self.entrants))]
        return replace(self, components=[widened_component(part, factor, means) for part in self.components])

    def watched(self, looks: tuple[float, float] | None) -> "StrengthFit[Entrant]":
        """Return what holds at all looks after so many of the planned matches; this fit for None, at the end.

        What was known before counts as matches that were played, which nobody has watched.
        """
        if looks is None:
            return self
        played, planned = looks
        before = self.played_before(played)
        return self.widened(widening(played + before, planned + before))

    def rank_interval(self, entrant: Entrant) -> tuple[int, int]:
        """Return the best and the worst rank of an entrant: with 95 % the intervals of all hold at once."""
        return self._rank_intervals[self._number[entrant]]

    def chances(self, first: int, among: Collection[Entrant]) -> dict[Entrant, float]:
        """Return for each of these entrants the probability that it is among the first of them, by draws."""
        numbers = [number for number, entrant in enumerate(self.entrants) if entrant in among]
        found = Counter(
            number
            for strengths in self._drawn()
            for number in sorted(numbers, key=strengths.__getitem__, reverse=True)[:first]
        )
        return {self.entrants[number]: found[number] / DRAWS for number in numbers}

    def gaps_of_first(self, fields: int, nearest: int) -> Iterator[list[tuple[float, float]]]:
        """Draw as many fields from the posterior, at most `DRAWS`; return how far the strongest of each is ahead of
        the next ones, and the scale with which that is known.
        """
        scales: dict[tuple[int, int], float] = {}
        for strengths in islice(self._drawn(), 0, None, DRAWS // fields):
            first, *others = nlargest(nearest + 1, range(len(strengths)), key=strengths.__getitem__)
            gaps = []
            for other in others:
                if (first, other) not in scales:
                    squares = (part.weight * part.scale(first, other) ** 2 for part in self.components)
                    scales[first, other] = math.sqrt(sum(squares))
                gaps.append((strengths[first] - strengths[other], scales[first, other]))
            yield gaps

    def order(self) -> list[Entrant]:
        """Return the entrants, strongest first; equal ones in the order of their names."""
        return [self.entrants[number] for number in self._order]

    def brackets(self) -> list[list[Entrant]]:
        """Return the largest groups of neighbours in the order of strength of whom no two can be told apart."""
        order = self.order()
        groups: list[list[Entrant]] = []
        start = 0
        for at, other in enumerate(order):
            apart = [one for one in range(start, at) if self.probability(order[one], other) >= TOLD_APART]
            if apart:
                groups.append(order[start:at])
                start = apart[-1] + 1
        return [*groups, order[start:]] if order else []

    def letters(self) -> dict[Entrant, str]:
        """Return for each entrant the letters of its brackets, with spaces between: two that share one are level."""
        found: dict[Entrant, str] = dict.fromkeys(self.order(), "")
        for number, group in enumerate(self.brackets()):
            for entrant in group:
                found[entrant] += f" {letter(number)}" if found[entrant] else letter(number)
        return found

    @cached_property
    def _order(self) -> list[int]:
        means = [self._mean(number) for number in range(len(self.entrants))]
        return sorted(range(len(means)), key=lambda number: -means[number])

    def _mean(self, number: int) -> float:
        return sum(part.weight * part.means[number] for part in self.components)

    @cached_property
    def _rank_intervals(self) -> list[tuple[int, int]]:
        """The intervals of ranks that hold together for almost all that is drawn from the posterior.

        Of each entrant they leave out as many of the highest and of the lowest ranks drawn, as few as that needs.
        """
        size = len(self.entrants)
        drawn = [_ranks(strengths) for strengths in self._drawn()]
        sorted_ranks = [sorted(own) for own in zip(*drawn, strict=True)]
        # How many may be left out at each end until an entrant's rank falls out, and until any of a draw does.
        depths = [
            [min(bisect_right(own, rank), DRAWS - bisect_left(own, rank)) - 1 for rank in range(size + 1)]
            for own in sorted_ranks
        ]
        fall_out = sorted(min(map(getitem, depths, ranks)) for ranks in drawn)
        left_out = fall_out[round(DRAWS * (1 - RANKS_HOLD))]
        found = [(ranks[left_out], ranks[-1 - left_out]) for ranks in sorted_ranks]
        # Neighbours who are not told apart may have changed places: their letters say so, and so do their ranks.
        order = self._order
        for rank, (one, other) in enumerate(pairwise(order), 1):
            if self.probability(self.entrants[one], self.entrants[other]) < TOLD_APART:
                found[one] = found[one][0], max(found[one][1], rank + 1)
                found[other] = min(found[other][0], rank), found[other][1]
        return found

    def _drawn(self) -> Iterator[list[float]]:
        shares = [sum(part.weight for part in self.components[: number + 1]) for number in range(len(self.components))]
        lower = [cholesky(_with_ridge(part.covariances)) if part.covariances else None for part in self.components]
        ats = [min(bisect_right(shares, (draw + 0.5) / DRAWS), len(shares) - 1) for draw in range(DRAWS)]
        drawn = _drawn_luck(tuple(self.components[at].degrees for at in ats), len(self.entrants))
        for at, luck in zip(ats, drawn, strict=True):
            part, triangle = self.components[at], lower[at]
            if triangle is None:
                moved = [math.sqrt(own) * value for own, value in zip(part.variances, luck, strict=True)]
            else:
                moved = [sum(map(mul, row, luck)) for row in triangle]
            yield list(map(add, part.means, moved))


@lru_cache(maxsize=_LUCKS)
def _drawn_luck(degrees: tuple[float, ...], entrants: int) -> "list[array[float]]":
    """Return for each draw, by its degrees, how far entrants are from their means, in scales, before they covary.

    Tournaments with as many entrants and results share it.
    """
    rng = random.Random(SEED)
    drawn = []
    for own in degrees:
        stretch = math.sqrt(own / (2 * rng.gammavariate(own / 2, 1)))
        drawn.append(array("d", [rng.gauss(0, stretch) for _ in range(entrants)]))
    return drawn


def _with_ridge(matrix: Matrix) -> Matrix:
    """Return a matrix that is positive definite though its rows sum to 0; what is added is the same for all."""
    mean = sum(row[number] for number, row in enumerate(matrix)) / len(matrix)
    return [[value + mean for value in row] for row in matrix]


def _ranks(strengths: Sequence[float]) -> list[int]:
    order = sorted(range(len(strengths)), key=strengths.__getitem__, reverse=True)
    ranks = [0] * len(order)
    for rank, number in enumerate(order, start=1):
        ranks[number] = rank
    return ranks


def letter(number: int) -> str:
    """Return a, b, …, z, aa, ab, …"""
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
