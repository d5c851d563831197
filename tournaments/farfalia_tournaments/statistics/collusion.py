"""Who plays differently when a certain other entrant sits at the table: what an organiser should look at.

Scores are freed of strengths and hands first: score = strength - mean strength of the table + hand + luck, strengths as
fixed effects, so that nobody's is drawn to the field's and left in what remains. What remains of two when both sit at a
table, against when they do not, is one hypothesis for each pair: that one feeds the other, or that both gain. What
styles explain is taken out first, as far as they beat each other in circles (`styles`). Other styles that suit each
other make small effects between all pairs; the null distribution is as wide as those of most pairs are:
B. Efron, "Large-Scale Simultaneous Hypothesis Testing: The Choice of a Null Hypothesis", Journal of the American
Statistical Association 99, 2004. The probability that a pair colludes is empirical Bayes, one less the local false
discovery rate of the same paper.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist, fmean, median
from typing import Final, Generic

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.results import Entrant, MatchResult, booked, ordered, without_luck
from farfalia_tournaments.statistics.styles import PairDifference, explained_by_styles

#: A pair is judged from as many units with the other one on, and as many without.
FEWEST_UNITS_EACH: Final = 10
#: What two gain and lose who collude, as measured with bots that do: one feeds the other, either way, or both help.
_DIRECTIONS: Final = ((1.0, -0.67), (-0.67, 1.0), (1.0, 1.0))
#: The prior deviation of how much somebody gains, in points per match.
_GAIN: Final = 3.0
#: Pairs of a field that collude before anything is known.
_PRIOR_PAIRS: Final = 0.5
#: Pairs from which the width of the null distribution is taken; with fewer it is that of luck.
_FEWEST_PAIRS: Final = 20
#: Pairs whose gains are taken out one after the other.
_MOST_FLAGS: Final = 20
_SWEEPS: Final = 8
_NORMAL: Final = NormalDist()
#: The median of the absolute value of a standard normal variable.
_MEDIAN: Final = _NORMAL.inv_cdf(0.75)


@dataclass(frozen=True, slots=True)
class Effect(Generic[Entrant]):
    """How much better `entrant` does when `other` sits at the table.

    `difference` and its `standard_error` are in points per match, `low` to `high` is the 95 % interval; `together` and
    `apart` count units. The last three are those of the pair, the same both ways round: `p_value` is the probability
    that a pair that does not collude looks at least as much as if, `probability` that this one does, and `flagged` says
    that among all the pairs that were judged chance alone would hardly make one like it.
    """

    entrant: Entrant
    other: Entrant
    difference: float
    standard_error: float
    together: int
    apart: int
    p_value: float
    probability: float
    flagged: bool

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of the difference."""
        return self.difference - _NORMAL.inv_cdf(0.975) * self.standard_error

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of the difference."""
        return self.difference + _NORMAL.inv_cdf(0.975) * self.standard_error


def collusion(results: Iterable[MatchResult[Entrant]], false_alarms: float = 0.05) -> list[Effect[Entrant]]:
    """Return the effect of each entrant on each other one, smallest p-value first.

    Of reports on fields in which nobody colludes, at most the share `false_alarms` is expected to flag anybody. A flag
    is a reason to look at the matches, and no proof. Raises TournamentError for a share outside 0 to 1.
    """
    if not 0 < false_alarms < 1:
        raise TournamentError(f"share of false alarms {false_alarms}: expected a number between 0 and 1")
    observed = _ObservedTables(list(results))
    pairs = observed.pairs()
    styles = _styles(pairs)
    pairs = [pair.without(styles) for pair in pairs]
    number = len(pairs)
    found: list[tuple[float, float, _Pair[Entrant]]] = []
    while True:
        widths = _null_widths(pairs)
        judged = sorted(((*pair.judged(widths), pair) for pair in pairs), key=lambda one: one[0])
        if len(found) == _MOST_FLAGS or not judged or judged[0][0] * number > false_alarms:
            break
        # What the clearest pair gained is missing elsewhere, and would make others look as if.
        found.append(judged[0])
        observed.take_gains(judged[0][2])
        taken = {pair.entrants for _, _, pair in found}
        pairs = [pair.without(styles) for pair in observed.pairs() if pair.entrants not in taken]
    judged = found + judged
    probabilities = _posterior([evidence for _, evidence, _ in judged])
    effects = [
        Effect(
            entrant=pair.entrants[me],
            other=pair.entrants[1 - me],
            difference=pair.gains[me] + pair.style * (0.5 - me),
            standard_error=math.sqrt(pair.variances[me]),
            together=pair.together,
            apart=pair.apart[me],
            p_value=p_value,
            probability=probability,
            flagged=p_value * number <= false_alarms,
        )
        for (p_value, _, pair), probability in zip(judged, probabilities, strict=True)
        for me in (0, 1)
    ]
    return sorted(effects, key=lambda effect: effect.p_value)


@dataclass(frozen=True, slots=True)
class _Pair(Generic[Entrant]):
    """What two make more together, and the covariance matrix of that.

    `gains` are without `style`, what styles explain of their difference.
    """

    entrants: tuple[Entrant, Entrant]
    gains: tuple[float, float]
    variances: tuple[float, float]
    covariance: float
    together: int
    apart: tuple[int, int]
    style: float = 0.0

    def without(self, styles: Mapping[tuple[Entrant, Entrant], float]) -> "_Pair[Entrant]":
        """Return the pair without what styles explain."""
        style = styles.get(self.entrants, 0.0)
        return replace(self, gains=(self.gains[0] - style / 2, self.gains[1] + style / 2), style=style)

    def contrasts(self) -> tuple[float, float]:
        """Return what one gains beyond the other, and both together, in standard errors."""
        (one, other), (apart, together) = self.gains, self._deviations()
        return (one - other) / apart, (one + other) / together

    def _deviations(self) -> tuple[float, float]:
        total = sum(self.variances)
        return math.sqrt(total - 2 * self.covariance), math.sqrt(total + 2 * self.covariance)

    def judged(self, widths: tuple[float, float]) -> tuple[float, float]:
        """Return the p-value, and how many times likelier the gains are if the two collude."""
        deviations = self._deviations()
        correlation = (self.variances[0] - self.variances[1]) / (deviations[0] * deviations[1])
        apart, together = (score / width for score, width in zip(self.contrasts(), widths, strict=True))
        largest, evidence = -math.inf, 0.0
        for gain, more in _DIRECTIONS:
            # What the two would show, in the same units, and how far what they do show lies that way.
            first = (gain - more) / (deviations[0] * widths[0])
            second = (gain + more) / (deviations[1] * widths[1])
            scale = math.sqrt((first**2 + second**2 - 2 * correlation * first * second) / (1 - correlation**2))
            along = apart * (first - correlation * second) + together * (second - correlation * first)
            score = along / (1 - correlation**2) / scale
            largest = max(largest, score)
            prior = _GAIN * scale
            shrunk = prior / math.sqrt(1 + prior * prior)
            likelihood = 2 / math.sqrt(1 + prior * prior) * math.exp(min(500.0, (score * shrunk) ** 2 / 2))
            evidence += likelihood * _NORMAL.cdf(score * shrunk) / len(_DIRECTIONS)
        return min(1.0, len(_DIRECTIONS) * math.erfc(largest / math.sqrt(2)) / 2), evidence


def _styles(pairs: Sequence[_Pair[Entrant]]) -> dict[tuple[Entrant, Entrant], float]:
    """Return what styles explain of how much more the first of a pair gains than the second."""
    meetings = [
        PairDifference(*pair.entrants, pair.gains[0] - pair.gains[1], sum(pair.variances) - 2 * pair.covariance)
        for pair in pairs
    ]
    return dict(zip([pair.entrants for pair in pairs], explained_by_styles(meetings), strict=True))


def _null_widths(pairs: Sequence[_Pair[Entrant]]) -> tuple[float, float]:
    """Return how wide both contrasts of most pairs spread, in standard errors: 1 unless it is surely more than luck."""
    if len(pairs) < _FEWEST_PAIRS:
        return 1.0, 1.0
    contrasts = [pair.contrasts() for pair in pairs]
    return _width([abs(apart) for apart, _ in contrasts]), _width([abs(together) for _, together in contrasts])


def _width(scores: Sequence[float]) -> float:
    width = median(scores) / _MEDIAN
    # The standard error of this estimate is 1.17 by the root of their number.
    return width if width > 1 + 2 * 1.17 / math.sqrt(len(scores)) else 1.0


def _posterior(evidence: Sequence[float]) -> list[float]:
    """Return the probability of each pair that it colludes; how many pairs do is estimated from all of them."""
    least = share = _PRIOR_PAIRS / max(1, len(evidence))
    found: list[float] = []
    for _ in range(_SWEEPS):
        found = [share * one / (share * one + 1 - share) for one in evidence]
        share = min(0.5, max(least, fmean(found))) if found else least
    return found


@dataclass(slots=True)
class _Table(Generic[Entrant]):
    """A unit: what everybody made at one match, or on average at a block of matches with equal cards."""

    scores: dict[Entrant, float]
    kind: tuple[int, bool, int]
    weight: float = 1.0


class _ObservedTables(Generic[Entrant]):
    """Everything that was played, and what remains of it without strengths and hands."""

    def __init__(self, results: Sequence[MatchResult[Entrant]]) -> None:
        self.tables: list[_Table[Entrant]] = []
        #: Tables with the same board that have played it once, and who held which hand at each.
        boards: list[list[tuple[_Table[Entrant], tuple[Entrant, ...]]]] = []
        for blocks in _by_board(results):
            single = []
            for matches in blocks:
                seats = len(matches[0].entrants)
                table = _Table(_scores(matches), (len(matches), len(matches) >= seats, min(9, len(blocks) - 1)))
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

    def take_gains(self, pair: _Pair[Entrant]) -> None:
        """Take off what two gained together, at the cost of the others of their tables, and strengths anew."""
        for table in self.tables:
            if all(entrant in table.scores for entrant in pair.entrants):
                cost = sum(pair.gains) / max(1, len(table.scores) - 2)
                for entrant in table.scores:
                    table.scores[entrant] += cost
                for entrant, gain in zip(pair.entrants, pair.gains, strict=True):
                    table.scores[entrant] -= gain + cost
        self._take_strengths()

    def pairs(self) -> list[_Pair[Entrant]]:
        """Return all pairs that have met, and not met, often enough."""
        whole: dict[Entrant, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0])
        met: dict[tuple[Entrant, Entrant], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0, 0.0])
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
        luck = {entrant: own[2] / max(1, own[3] - 1) for entrant, own in whole.items()}
        return [
            self._pair(pair, both, (whole[pair[0]], whole[pair[1]]), (luck[pair[0]], luck[pair[1]]))
            for pair, both in met.items()
            if min(both[3], *(whole[entrant][3] - both[3] for entrant in pair)) >= FEWEST_UNITS_EACH
        ]

    @staticmethod
    def _pair(
        pair: tuple[Entrant, Entrant],
        both: Sequence[float],
        whole: tuple[Sequence[float], Sequence[float]],
        luck: tuple[float, float],
    ) -> _Pair[Entrant]:
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
        return _Pair(
            pair,
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
