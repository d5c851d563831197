"""Who plays differently when a certain other entrant sits at the table: what an organiser should look at.

Scores are freed of strengths and hands first (`residual_scores`). What remains of two when both sit at a table, against
when they do not, is one hypothesis for each pair: that one feeds the other, or that both gain. What styles explain is
taken out first, as far as they beat each other in circles (`styles`). Other styles that suit each other make small
effects between all pairs; the null distribution is as wide as those of most pairs are: B. Efron, "Large-Scale
Simultaneous Hypothesis Testing: The Choice of a Null Hypothesis", Journal of the American Statistical Association 99,
2004. The probability that a pair colludes is empirical Bayes, one less the local false discovery rate of the same
paper.

Cards say more than scores: where matches say whom they favoured (`favours`), each pair is tested by that, too.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, median
from typing import Final, Generic

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.results import Entrant, MatchResult
from farfalia_tournaments.statistics.favours import Favour, MatchFavours, favours
from farfalia_tournaments.statistics.residual_scores import PairGains, ResidualScores
from farfalia_tournaments.statistics.styles import PairDifference, Style, explained_by_styles

#: What two gain and lose who collude, as measured with bots that do: one feeds the other, either way, or both help.
_DIRECTIONS: Final = ((1.0, -0.67), (-0.67, 1.0), (1.0, 1.0))
#: The prior deviation of how much somebody gains, in points per match.
_GAIN: Final = 3.0
#: The prior deviation of how much cards favour a friend, in points per match.
_FAVOUR: Final = 5.0
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

    `made` is what it made there: points per match less the mean of the table and less the luck of the cards. It was
    `expected` to make as much by strengths, by hands that others have held, by what it makes without `other`, and by
    what flagged pairs gain. `difference` is what it made more, with its `standard_error`, `low` to `high` the 95 %
    interval, and `by_styles` how much of it styles explain. All are in points per match; `together` and `apart` count
    units, and weigh those more that have less luck.

    `p_value`, `adjusted_p_value`, `probability` and `flagged` are those of the pair, the same both ways round: the
    probability that a pair that does not collude has results that look at least as much as if; at most the probability
    that any of all the pairs that were judged would look so, by results or by cards; that this one does collude; and
    that chance alone would hardly make one like it. `favour` is what the cards of `entrant` gave to `other`, None where
    that is not known.
    """

    entrant: Entrant
    other: Entrant
    made: float
    difference: float
    standard_error: float
    by_styles: float
    together: int
    apart: int
    p_value: float
    adjusted_p_value: float
    probability: float
    flagged: bool
    favour: Favour | None = None

    @property
    def expected(self) -> float:
        """What it would have made there if the other one made no difference."""
        return self.made - self.difference

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of the difference."""
        return self.difference - _NORMAL.inv_cdf(0.975) * self.standard_error

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of the difference."""
        return self.difference + _NORMAL.inv_cdf(0.975) * self.standard_error


def collusion(
    results: Iterable[MatchResult[Entrant]],
    false_alarms: float = 0.05,
    cards: Iterable[MatchFavours[Entrant]] = (),
) -> list[Effect[Entrant]]:
    """Return the effect of each entrant on each other one, smallest adjusted p-value first.

    Of reports on fields in which nobody colludes, at most the share `false_alarms` is expected to flag anybody. A flag
    is a reason to look at the matches, and no proof. With `cards`, of the same matches or some of them, each test gets
    half of that share. Raises TournamentError for a share outside 0 to 1.
    """
    if not 0 < false_alarms < 1:
        raise TournamentError(f"share of false alarms {false_alarms}: expected a number between 0 and 1")
    scores = ResidualScores(list(results))
    pairs = scores.pairs()
    styles = _styles(pairs)
    pairs = [pair.explained(styles) for pair in pairs]
    number, given = len(pairs), favours(cards)

    found: list[_Judged[Entrant]] = []
    while True:
        widths = _null_widths(pairs)
        judged = sorted([_judged(pair, widths, given, number) for pair in pairs], key=_Judged.order)
        if len(found) == _MOST_FLAGS or not judged or judged[0].adjusted > false_alarms:
            break
        # What the clearest pair gained is missing elsewhere, and would make others look as if.
        found.append(judged[0])
        scores.take_gains(judged[0].pair)
        taken = {one.pair.entrants for one in found}
        pairs = [pair.explained(styles) for pair in scores.pairs() if pair.entrants not in taken]
    judged = sorted(found + judged, key=_Judged.order)
    probabilities = _posterior([one.evidence for one in judged])
    return [
        Effect(
            entrant=one.pair.entrants[me],
            other=one.pair.entrants[1 - me],
            made=one.pair.made[me],
            difference=one.pair.gains[me],
            standard_error=math.sqrt(one.pair.variances[me]),
            by_styles=one.pair.by_styles()[me],
            together=one.pair.together,
            apart=one.pair.apart[me],
            p_value=one.p_value,
            adjusted_p_value=one.adjusted,
            probability=probability,
            flagged=one.adjusted <= false_alarms,
            favour=given.get((one.pair.entrants[me], one.pair.entrants[1 - me])),
        )
        for one, probability in zip(judged, probabilities, strict=True)
        for me in (0, 1)
    ]


@dataclass(frozen=True, slots=True)
class _Judged(Generic[Entrant]):
    """A pair, the p-value of its results, the adjusted one of both tests, and how many times likelier all it shows is
    if the two collude.
    """

    pair: PairGains[Entrant]
    p_value: float
    adjusted: float
    evidence: float

    def order(self) -> tuple[float, float]:
        return self.adjusted, self.p_value


def _judged(
    pair: PairGains[Entrant],
    widths: tuple[float, float],
    given: Mapping[tuple[Entrant, Entrant], Favour],
    number: int,
) -> _Judged[Entrant]:
    p_value, evidence = _by_results(pair, widths)
    if not given:
        return _Judged(pair, p_value, min(1.0, p_value * number), evidence)
    one, other = pair.entrants
    both = [given[way] for way in ((one, other), (other, one)) if way in given]
    by_cards, more = _by_cards(both)
    # Two tests share the false alarms.
    return _Judged(pair, p_value, min(1.0, 2 * min(p_value, by_cards) * number), evidence * more)


def _by_cards(favours: Sequence[Favour]) -> tuple[float, float]:
    """Return the p-value, and how many times likelier what cards gave is if one helps the other, or both help."""
    scores = [favour.score for favour in favours]
    p_value = math.erfc(max([0.0, *scores, sum(scores) / math.sqrt(2)]) / math.sqrt(2)) / 2
    each = [_likelihood(favour.score, _FAVOUR / favour.standard_error) for favour in favours]
    return min(1.0, len(_DIRECTIONS) * p_value), (sum(each) + math.prod(each)) / (len(each) + 1)


def _likelihood(score: float, prior: float) -> float:
    """Return how many times likelier a score is, in standard errors, with a gain of half a normal distribution whose
    deviation is `prior` standard errors.
    """
    shrunk = prior / math.sqrt(1 + prior * prior)
    likelihood = 2 / math.sqrt(1 + prior * prior) * math.exp(min(500.0, (score * shrunk) ** 2 / 2))
    return likelihood * _NORMAL.cdf(score * shrunk)


def _by_results(pair: PairGains[Entrant], widths: tuple[float, float]) -> tuple[float, float]:
    """Return the p-value, and how many times likelier the gains are if the two collude."""
    deviations = pair.deviations()
    correlation = (pair.variances[0] - pair.variances[1]) / (deviations[0] * deviations[1])
    apart, together = (score / width for score, width in zip(pair.contrasts(), widths, strict=True))
    largest, evidence = -math.inf, 0.0
    for gain, more in _DIRECTIONS:
        # What the two would show, in the same units, and how far what they do show lies that way.
        first = (gain - more) / (deviations[0] * widths[0])
        second = (gain + more) / (deviations[1] * widths[1])
        scale = math.sqrt((first**2 + second**2 - 2 * correlation * first * second) / (1 - correlation**2))
        along = apart * (first - correlation * second) + together * (second - correlation * first)
        score = along / (1 - correlation**2) / scale
        largest = max(largest, score)
        evidence += _likelihood(score, _GAIN * scale) / len(_DIRECTIONS)
    return min(1.0, len(_DIRECTIONS) * math.erfc(largest / math.sqrt(2)) / 2), evidence


def _styles(pairs: Sequence[PairGains[Entrant]]) -> dict[tuple[Entrant, Entrant], Style]:
    """Return what styles explain of how much more the first of a pair gains than the second."""
    meetings = [
        PairDifference(*pair.entrants, pair.gains[0] - pair.gains[1], sum(pair.variances) - 2 * pair.covariance)
        for pair in pairs
    ]
    return dict(zip([pair.entrants for pair in pairs], explained_by_styles(meetings), strict=True))


def _null_widths(pairs: Sequence[PairGains[Entrant]]) -> tuple[float, float]:
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
