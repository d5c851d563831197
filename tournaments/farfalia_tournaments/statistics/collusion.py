"""Who plays differently when a certain other entrant sits at the table: what an organiser should look at.

Each ordered pair is judged by Welch's test, which allows each group a variance of its own: B. L. Welch, "The
Generalization of 'Student's' Problem when Several Different Population Variances are Involved", Biometrika 34, 1947.
The pairs to flag are those that control the false discovery rate: Y. Benjamini and Y. Hochberg, "Controlling the False
Discovery Rate: A Practical and Powerful Approach to Multiple Testing", Journal of the Royal Statistical Society B 57,
1995.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, variance
from typing import Final, Generic

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.results import Entrant, ordered
from farfalia_tournaments.statistics.student import two_sided
from farfalia_tournaments.statistics.units import Unit

#: A pair is judged from as many units with the other one on, and as many without.
FEWEST_UNITS_EACH: Final = 10


@dataclass(frozen=True, slots=True)
class Effect(Generic[Entrant]):
    """How much better `entrant` does when `other` sits at the table.

    `difference` and its `standard_error` are in points per match; `together` and `apart` count units. `p_value` is the
    probability of a difference at least as large by chance; `flagged` says that it is significant among all the pairs
    that were judged.
    """

    entrant: Entrant
    other: Entrant
    difference: float
    standard_error: float
    together: int
    apart: int
    p_value: float
    flagged: bool


def collusion(played: Iterable[Unit[Entrant]], false_discovery_rate: float = 0.05) -> list[Effect[Entrant]]:
    """Return the effect of each entrant on each other one, smallest p-value first.

    The strengths of the others are allowed for: a score is compared with the one expected at that table. Of the flagged
    pairs, at most the share `false_discovery_rate` is expected to be chance. A flag is a reason to look at the matches,
    and no proof. Raises TournamentError for a rate outside 0 to 1.
    """
    if not 0 < false_discovery_rate < 1:
        raise TournamentError(f"false discovery rate {false_discovery_rate}: expected a number between 0 and 1")
    surplus = _surplus(list(played))
    found = []
    for entrant, units in surplus.items():
        for other in surplus:
            together = [score for score, table in units if other in table]
            apart = [score for score, table in units if other not in table]
            if other != entrant and min(len(together), len(apart)) >= FEWEST_UNITS_EACH:
                found.append((entrant, other, together, apart))
    effects = sorted((_effect(*one) for one in found), key=lambda effect: effect.p_value)
    pairs, rate = len(effects), false_discovery_rate
    last = max((rank for rank, one in enumerate(effects, 1) if one.p_value <= rate * rank / pairs), default=0)
    return [replace(effect, flagged=rank <= last) for rank, effect in enumerate(effects, 1)]


def _surplus(played: Sequence[Unit[Entrant]]) -> dict[Entrant, list[tuple[float, frozenset[Entrant]]]]:
    """Return for each entrant, unit by unit, its score beyond the one expected at that table, and the table."""
    scores: defaultdict[Entrant, list[float]] = defaultdict(list)
    for unit in played:
        for entrant in unit.scores.keys() - unit.forfeited:
            scores[entrant].append(float(unit.scores[entrant]))
    means = {entrant: fmean(scores[entrant]) for entrant in ordered(scores)}
    found: dict[Entrant, list[tuple[float, frozenset[Entrant]]]] = {entrant: [] for entrant in means}
    for unit in played:
        # A forfeit says nothing about how two play with each other.
        table = frozenset(unit.scores.keys() - unit.forfeited)
        level = fmean(means[entrant] for entrant in ordered(table)) if table else 0.0
        for entrant in ordered(table):
            found[entrant].append((float(unit.scores[entrant]) - means[entrant] + level, table))
    return found


def _effect(entrant: Entrant, other: Entrant, together: Sequence[float], apart: Sequence[float]) -> Effect[Entrant]:
    """Compare the scores with and without the other one by Welch's test."""
    difference = fmean(together) - fmean(apart)
    parts = [variance(scores) / len(scores) for scores in (together, apart)]
    standard_error = math.sqrt(sum(parts))
    if not standard_error:
        p_value = 0.0 if difference else 1.0
    else:
        pooled = sum(part**2 / (len(scores) - 1) for part, scores in zip(parts, (together, apart), strict=True))
        p_value = two_sided(difference / standard_error, int(standard_error**4 / pooled))
    return Effect(entrant, other, difference, standard_error, len(together), len(apart), p_value, flagged=False)
