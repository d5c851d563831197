"""Who plays differently when a certain other one sits at the table: what an organiser should look at."""

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

#: Units with and without the other one below which a pair is not judged.
FEWEST_UNITS_EACH: Final = 10


@dataclass(frozen=True, slots=True)
class Effect(Generic[Entrant]):
    """How much better `entrant` does when `other` sits at the table, in points a match.

    `together` and `apart` count units. `p_value` is the probability of a difference as large by chance; `flagged` says
    that it is too small to be chance among all the pairs that were looked at.
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
    """Return the effect of each entrant on each other one, the least likely to be chance first.

    The others at a table are allowed for: a score is compared with what the strengths of all who sat there lead one to
    expect. Of the flagged pairs, at most the share `false_discovery_rate` is expected to be chance (Benjamini
    and Hochberg).
    A flag is a reason to look at the matches, and no proof. Raises TournamentError for a share outside 0 to 1.
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
    """Return for each entrant, unit by unit, its score beyond what was to be expected at that table, and the table."""
    scores: defaultdict[Entrant, list[float]] = defaultdict(list)
    for unit in played:
        for entrant in unit.scores.keys() - unit.forfeited:
            scores[entrant].append(float(unit.scores[entrant]))
    means = {entrant: fmean(scores[entrant]) for entrant in ordered(scores)}
    found: dict[Entrant, list[tuple[float, frozenset[Entrant]]]] = {entrant: [] for entrant in means}
    for unit in played:
        # A lost seat says nothing about how two play with each other.
        table = frozenset(unit.scores.keys() - unit.forfeited)
        level = fmean(means[entrant] for entrant in ordered(table)) if table else 0.0
        for entrant in ordered(table):
            found[entrant].append((float(unit.scores[entrant]) - means[entrant] + level, table))
    return found


def _effect(entrant: Entrant, other: Entrant, together: Sequence[float], apart: Sequence[float]) -> Effect[Entrant]:
    """Compare by Welch's test, which allows each group a spread of its own."""
    difference = fmean(together) - fmean(apart)
    parts = [variance(scores) / len(scores) for scores in (together, apart)]
    standard_error = math.sqrt(sum(parts))
    if not standard_error:
        p_value = 0.0 if difference else 1.0
    else:
        pooled = sum(part**2 / (len(scores) - 1) for part, scores in zip(parts, (together, apart), strict=True))
        p_value = two_sided(difference / standard_error, int(standard_error**4 / pooled))
    return Effect(entrant, other, difference, standard_error, len(together), len(apart), p_value, flagged=False)
