"""What remains of scores without strengths and hands, and what two make more of it when they sit at one table.

score = strength - mean strength of the table + hand + luck, with strengths as fixed effects, so that nobody's is drawn
to the field's and left in what remains.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Final, Generic

from farfalia_tournaments.results import Entrant, MatchResult, booked, ordered, without_luck
from farfalia_tournaments.statistics.styles import NO_STYLE, Style

#: A pair is judged from as many units with the other one on, and as many without.
_FEWEST_UNITS_EACH: Final = 10
_SWEEPS: Final = 8


@dataclass(frozen=True, slots=True)
class PairGains(Generic[Entrant]):
    """What two make more together, the covariance matrix of that, and what styles explain of their difference.

    `made` is what both made at their common tables, as it was before anything was taken off: points less the mean of
    the table and less luck, on average.
    """

    entrants: tuple[Entrant, Entrant]
    made: tuple[float, float]
    gains: tuple[float, float]
    variances: tuple[float, float]
    covariance: float
    together: int
    apart: tuple[int, int]
    style: Style = NO_STYLE

    def explained(self, styles: Mapping[tuple[Entrant, Entrant], Style]) -> "PairGains[Entrant]":
        """Return the pair with what styles explain."""
        return replace(self, style=styles.get(self.entrants, self.style))

    def by_styles(self) -> tuple[float, float]:
        """Return how much of both gains styles would explain if the pair had not been among those they are from."""
        difference = self.gains[0] - self.gains[1]
        half = (difference - (difference - self.style.part) / (1 - self.style.leverage)) / 2
        return half, -half

    def unexplained(self) -> tuple[float, float]:
        """Return what both gain beyond that."""
        (one, other), (mine, its) = self.gains, self.by_styles()
        return one - mine, other - its

    def contrasts(self) -> tuple[float, float]:
        """Return what one gains beyond the other, and both together, in standard errors."""
        (one, other), (apart, together) = self.unexplained(), self.deviations()
        return (one - other) / apart, (one + other) / together

    def deviations(self) -> tuple[float, float]:
        """Return the standard errors of both contrasts."""
        total = sum(self.variances)
        apart = (total - 2 * self.covariance) / (1 - self.style.leverage)
        return math.sqrt(apart), math.sqrt(total + 2 * self.covariance)


@dataclass(slots=True)
class _Table(Generic[Entrant]):
    """A unit: what everybody made at one match, or on average at a block of matches with equal cards.

    `scores` are what remains of what was `made`.
    """

    made: Mapping[Entrant, float]
    scores: dict[Entrant, float]
    kind: tuple[int, bool, int]
    weight: float = 1.0


class ResidualScores(Generic[Entrant]):
    """What remains of the scores of all tables without strengths and hands."""

    def __init__(self, results: Sequence[MatchResult[Entrant]]) -> None:
        self.tables: list[_Table[Entrant]] = []
        #: Tables with the same board that have played it once, and who held which hand at each.
        boards: list[list[tuple[_Table[Entrant], tuple[Entrant, ...]]]] = []
        for blocks in _by_board(results):
            single = []
            for matches in blocks:
                seats = len(matches[0].entrants)
                made = _scores(matches)
                table = _Table(made, dict(made), (len(matches), len(matches) >= seats, min(9, len(blocks) - 1)))
                self.tables.append(table)
                if len(matches) == 1:
                    single.append((table, matches[0].entrants))
            if len(single) > 1:
                boards.append(single)
        self._take_strengths()
        if boards:
            self._take_hands(boards)
            self._take_strengths()
        self._weigh()

    def _take_strengths(self) -> None:
        """Take strengths off all scores: least squares by alternation, which a few sweeps bring to rest."""
        strengths: dict[Entrant, float] = defaultdict(float)
        for _ in range(_SWEEPS):
            sums: dict[Entrant, float] = defaultdict(float)
            counts: dict[Entrant, float] = defaultdict(float)
            for table in self.tables:
                level = sum([strengths[entrant] for entrant in table.scores]) / max(1, len(table.scores))
                for entrant, score in table.scores.items():
                    sums[entrant] += table.weight * (score + level)
                    counts[entrant] += table.weight
            strengths.update({entrant: total / counts[entrant] for entrant, total in sums.items()})
        for table in self.tables:
            level = sum([strengths[entrant] for entrant in table.scores]) / max(1, len(table.scores))
            table.scores = {entrant: score - strengths[entrant] + level for entrant, score in table.scores.items()}

    def _take_hands(self, boards: Sequence[Sequence[tuple[_Table[Entrant], tuple[Entrant, ...]]]]) -> None:
        """Take off what a hand was worth at the other tables, shrunk by how much hands and luck vary."""
        squares, products, singles, twos = 0.0, 0.0, 0, 0
        held: list[list[list[tuple[_Table[Entrant], Entrant]]]] = []
        for tables in boards:
            hands = [
                [(table, members[seat]) for table, members in tables if members[seat] in table.scores]
                for seat in range(len(tables[0][1]))
            ]
            held.append(hands)
            for hand in hands:
                scores = [table.scores[entrant] for table, entrant in hand]
                square = sum(score * score for score in scores)
                squares, singles = squares + square, singles + len(scores)
                products += (sum(scores) ** 2 - square) / 2
                twos += len(scores) * (len(scores) - 1) // 2
        shared = max(0.0, products / twos if twos else 0.0)
        luck = max(1e-9, squares / singles - shared) if singles else 1.0
        for hands in held:
            for hand in hands:
                total = sum(table.scores[entrant] for table, entrant in hand)
                others = len(hand) - 1
                factor = shared / (luck + others * shared)
                freed = [
                    score - factor * (total - score) for score in (table.scores[entrant] for table, entrant in hand)
                ]
                for (table, entrant), score in zip(hand, freed, strict=True):
                    table.scores[entrant] = score

    def _weigh(self) -> None:
        """Give each kind of unit the weight of its luck: a block of rotations has less than a match."""
        squares: defaultdict[tuple[int, bool, int], list[float]] = defaultdict(list)
        for table in self.tables:
            squares[table.kind] += [score * score for score in table.scores.values()]
        everything = sum(map(sum, squares.values())) / max(1, sum(map(len, squares.values())))
        # Few units of a kind say little about their luck.
        weights = {
            kind: (len(own) + 50) * everything / max(1e-9, sum(own) + 50 * everything) for kind, own in squares.items()
        }
        for table in self.tables:
            table.weight = weights[table.kind]

    def take_gains(self, pair: PairGains[Entrant]) -> None:
        """Take off what two gained together, at the cost of the others of their tables, and strengths again."""
        gains = pair.unexplained()
        for table in self.tables:
            if all(entrant in table.scores for entrant in pair.entrants):
                cost = sum(gains) / max(1, len(table.scores) - 2)
                for entrant in table.scores:
                    table.scores[entrant] += cost
                for entrant, gain in zip(pair.entrants, gains, strict=True):
                    table.scores[entrant] -= gain + cost
        self._take_strengths()

    def pairs(self) -> list[PairGains[Entrant]]:
        """Return all pairs that have met, and not met, often enough."""
        whole: dict[Entrant, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0])
        met: dict[tuple[Entrant, Entrant], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0, 0.0, 0.0, 0.0])
        for table in self.tables:
            members = ordered(table.scores)
            for entrant in members:
                score, own = table.scores[entrant], whole[entrant]
                own[0] += table.weight
                own[1] += table.weight * score
                own[2] += table.weight * score * score
                own[3] += 1
            for one, other in combinations(members, 2):
                both = met[one, other]
                both[0] += table.weight
                both[1] += table.weight * table.scores[one]
                both[2] += table.weight * table.scores[other]
                both[3] += 1
                both[4] += 1 / (len(members) - 1)
                both[5] += table.weight * table.made[one]
                both[6] += table.weight * table.made[other]
        luck = {entrant: own[2] / max(1, own[3] - 1) for entrant, own in whole.items()}
        return [
            self._pair(pair, both, (whole[pair[0]], whole[pair[1]]), (luck[pair[0]], luck[pair[1]]))
            for pair, both in met.items()
            if min(both[3], *(whole[entrant][3] - both[3] for entrant in pair)) >= _FEWEST_UNITS_EACH
        ]

    @staticmethod
    def _pair(
        pair: tuple[Entrant, Entrant],
        both: Sequence[float],
        whole: tuple[Sequence[float], Sequence[float]],
        luck: tuple[float, float],
    ) -> PairGains[Entrant]:
        weight = both[0]
        apart = [own[0] - weight for own in whole]
        gains = [
            total / weight - (own[1] - total) / rest
            for total, own, rest in zip((both[1], both[2]), whole, apart, strict=True)
        ]
        first, second = (max(1e-9, one) * (1 / weight + 1 / rest) for one, rest in zip(luck, apart, strict=True))
        # Two at a table of k share its points: their luck correlates by -1 / (k - 1).
        covariance = -math.sqrt(max(1e-9, luck[0]) * max(1e-9, luck[1])) / weight * both[4] / both[3]
        limit = 0.98 * math.sqrt(first * second)
        return PairGains(
            pair,
            (both[5] / weight, both[6] / weight),
            (gains[0], gains[1]),
            (first, second),
            max(-limit, covariance),
            int(both[3]),
            (int(whole[0][3] - both[3]), int(whole[1][3] - both[3])),
        )


def _by_board(results: Iterable[MatchResult[Entrant]]) -> list[list[list[MatchResult[Entrant]]]]:
    """Return the matches by board, and those of one board by who played."""
    boards: defaultdict[str, dict[frozenset[Entrant], list[MatchResult[Entrant]]]] = defaultdict(dict)
    for number, result in enumerate(results):
        boards[result.board or f"\0{number}"].setdefault(frozenset(result.entrants), []).append(result)
    return [list(tables.values()) for tables in boards.values()]


def _scores(matches: Sequence[MatchResult[Entrant]]) -> dict[Entrant, float]:
    """Return what everybody made on average, less the mean of the table.

    A forfeit says nothing about how two play with each other.
    """
    forfeited = {result.entrants[seat] for result in matches for seat in result.forfeits}
    totals: Mapping[Entrant, list[float]] = {entrant: [] for entrant in matches[0].entrants}
    for result in matches:
        made = without_luck(result, [booked(result, seat) for seat in range(len(result.points))])
        for entrant, score in zip(result.entrants, made, strict=True):
            totals[entrant].append(float(score))
    return {entrant: fmean(scores) for entrant, scores in totals.items() if entrant not in forfeited}
