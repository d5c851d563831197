"""How many matches it takes to rank bots rightly, and whether the intervals shown are true.

Graded bots hold several tournaments in each way, and the scores of the standings are compared with the order that is
known in advance.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, variance
from typing import Final

from farfalia_tools.bench.fairness.schemes import BALANCED, RANDOM, ROTATIONS, SCHEMES, WORST, TournamentPlan, play
from farfalia_tools.bench.kendall import RANKED, kendall
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import MatchResult, standings, units

#: Matches that are played at most, by entrants; with rotations half as many.
MATCHES: Final[Mapping[int, int]] = {10: 900, 25: 4500}
#: How often a field is looked at while it plays.
_LOOKS: Final = 60

_HEADER: Final = (
    f"{'bots':>4}  {'held as':<36}{'ranked after':>13}{'compared':>10}{'tau at end':>12}{'covered':>9}{'luck':>7}"
)

Results = Sequence[MatchResult[int]]


@dataclass(frozen=True, slots=True)
class SchemeRow:
    """One way to hold a tournament."""

    entrants: int
    scheme: str
    #: Matches until the field is ranked; None if those that were played were not enough.
    ranked_after: int | None
    played: int
    #: Kendall's tau after all matches, the mean over the repetitions.
    tau: float
    #: Share of the standings' 95 % intervals that hold the true score.
    covered: float
    #: Luck in a score, as a variance, in units of what matches with their own cards have.
    luck: float


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """All rows, and what was measured beside them, in points of a match."""

    rows: tuple[SchemeRow, ...]
    #: From the best to the worst bot's true score.
    spread: float
    #: Deviation of a score less the mean of its table.
    noise: float
    #: Deviation of one bot's performance: of a difference of two, less that of their skills, by the root of two.
    performance: float
    #: Share of the pairs at a table with equal points.
    ties: float
    notes: tuple[str, ...]


def run(
    repetitions: int = 8, seed: int = 1, matches: Mapping[int, int] = MATCHES, processes: int | None = None
) -> FairnessReport:
    """Play everything; the seed decides what comes out, and the number of processes only how soon."""
    plans = [
        TournamentPlan(
            entrants, scheme, most // (2 if scheme == ROTATIONS else 1), f"{seed}/{entrants}/{scheme}/{repetition}"
        )
        for entrants, most in matches.items()
        for scheme in SCHEMES
        for repetition in range(repetitions)
    ]
    with WorkerPool(processes) as pool:
        held = dict(zip(plans, pool.results(play, plans), strict=True))

    def of(entrants: int, *schemes: str) -> list[Results]:
        return [results for plan, results in held.items() if plan.entrants == entrants and plan.scheme in schemes]

    rows = []
    for entrants in matches:
        truth = _truth(of(entrants, *SCHEMES))
        alone = fmean(_noise(results) for results in of(entrants, RANDOM, BALANCED))
        rows += [_row(entrants, scheme, of(entrants, scheme), truth, alone) for scheme in SCHEMES]
    fewest = min(matches)
    truth, single = _truth(of(fewest, *SCHEMES)), of(fewest, RANDOM, BALANCED)
    return FairnessReport(
        rows=tuple(rows),
        spread=max(truth) - min(truth),
        noise=math.sqrt(fmean(map(_noise, single))),
        performance=_performance(single, truth),
        ties=_ties(single),
        notes=(
            f"{repetitions} repetitions; bots err in 0 to {WORST:.0%} of the cards they play. Every match was played.",
            "Scores and intervals are the standings'; true scores are means over all matches of a field.",
        ),
    )


def table(report: FairnessReport) -> str:
    """Return the report as plain text."""
    lines = [_HEADER]
    for row in report.rows:
        first = next(other for other in report.rows if other.entrants == row.entrants)
        after = f"{row.ranked_after:,}" if row.ranked_after else f"> {row.played:,}"
        ratio = f"{row.ranked_after / first.ranked_after:.2f}" if row.ranked_after and first.ranked_after else ""
        figures = f"{row.tau:>12.3f}{row.covered:>9.1%}{row.luck:>7.2f}"
        lines.append(f"{row.entrants:>4}  {row.scheme:<36}{after:>13}{ratio:>10}{figures}")
    points = f"true scores {report.spread:.1f} apart, noise {report.noise:.1f}"
    more = f"one bot's performance {report.performance:.1f}, {report.ties:.1%} of pairs equal"
    return "\n".join(
        [*lines, "", f"Ranked: Kendall's tau of {RANKED}. Points of a match: {points},", f"{more}.", *report.notes]
    )


def _row(entrants: int, scheme: str, held: Sequence[Results], truth: Sequence[float], alone: float) -> SchemeRow:
    looks = [_taus(results, entrants) for results in held]
    taus = {after: fmean(look[after] for look in looks) for after in looks[0]}
    return SchemeRow(
        entrants,
        scheme,
        next((after for after, tau in taus.items() if tau >= RANKED), None),
        len(held[0]),
        taus[len(held[0])],
        fmean(_covered(results, truth) for results in held),
        fmean(_noise(results) for results in held) / alone,
    )


def _taus(results: Results, entrants: int) -> dict[int, float]:
    """Return Kendall's tau of the scores, by the number of matches, at regular intervals."""
    step = max(5, len(results) // _LOOKS // 5 * 5)
    totals, counts, played, taus = [0.0] * entrants, [0] * entrants, 0, {}
    for unit in units(results):
        for entrant, score in unit.scores.items():
            totals[entrant] += float(score)
            counts[entrant] += 1
        before, played = played, played + len(unit.results)
        if played // step > before // step or played == len(results):
            taus[played] = kendall([total / max(1, count) for total, count in zip(totals, counts, strict=True)])
    return taus


def _truth(held: Sequence[Results]) -> list[float]:
    """Return the mean scores of the entrants over everything that was played."""
    totals: dict[int, list[float]] = {}
    for results in held:
        for unit in units(results):
            for entrant, score in unit.scores.items():
                totals.setdefault(entrant, []).append(float(score) * len(unit.results))
    matches = {entrant: sum(entrant in result.entrants for results in held for result in results) for entrant in totals}
    return [sum(totals[entrant]) / matches[entrant] for entrant in sorted(totals)]


def _covered(results: Results, truth: Sequence[float]) -> float:
    """Return the share of intervals that hold the true strength, which is more than a mean score shows of it: one plays
    not against oneself, but counts in the mean of the table.
    """
    seats, entrants = len(results[0].entrants), len(truth)
    scale = seats / (seats - 1) * (entrants - 1) / entrants
    rows = standings(results, ratings={})
    return fmean(row.interval[0] <= scale * truth[row.entrant] <= row.interval[1] for row in rows)


def _noise(results: Results) -> float:
    """Return the variance of a score around its bot's mean, for one match: a unit of more has less in proportion."""
    scores: dict[int, list[float]] = {}
    for unit in (played := units(results)):
        for entrant, score in unit.scores.items():
            scores.setdefault(entrant, []).append(float(score))
    return fmean(variance(values) for values in scores.values()) * len(results) / len(played)


def _performance(held: Sequence[Results], truth: Sequence[float]) -> float:
    gaps = [
        (one - other) - (truth[result.entrants[seat]] - truth[result.entrants[place]])
        for results in held
        for result in results
        for (seat, one), (place, other) in combinations(enumerate(result.points), 2)
    ]
    return math.sqrt(variance(gaps) / 2)


def _ties(held: Sequence[Results]) -> float:
    return fmean(
        one == other for results in held for result in results for one, other in combinations(result.points, 2)
    )
