"""Whether a stage has answered its question, so that no more of it need be played.

The question is who the first ones are. It is asked of the posterior of all strengths after every round, and a posterior
means the same whenever one looks at it, so that asking often and stopping at the answer costs no confidence as far as
its prior is right. `farfalia bench calibration --looks` stops tournaments like that and counts the wrong answers.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.errors import ScheduleError
from farfalia_tournaments.results import MatchResult, shown
from farfalia_tournaments.statistics.strengths import fit_strengths

#: Percent of confidence if none is named, and those that may be named.
USUAL_PERCENT: Final = 95
LEAST_PERCENT, MOST_PERCENT = 50, 99

_UNTIL: Final = re.compile(r"\s*first\s+([0-9]{1,9})(?:\s+at\s+([0-9]{1,9})\s*%)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Until:
    """A stage may end once it is known who the first ones are, with a confidence in percent."""

    first: int
    percent: int = USUAL_PERCENT

    def __str__(self) -> str:
        """Write it as `parse_until` reads it."""
        return f"first {self.first} at {self.percent} %"


def parse_until(text: str) -> Until:
    """Read `first 3 at 95 %`, or `first 3` for 95 %; ScheduleError for anything else."""
    match = _UNTIL.fullmatch(text)
    if match is None:
        raise ScheduleError(f'{text[:80]!r} is not a rule: expected something like "first 3 at 95 %"')
    return _checked(int(match[1]), USUAL_PERCENT if match[2] is None else int(match[2]))


def until_of(first: int | None, percent: int | None) -> Until | None:
    """Return the rule of two settings, None if neither is given; ScheduleError for one that makes no sense."""
    if first is None and percent is None:
        return None
    if first is None:
        raise ScheduleError(f"until-percent {percent}: expected until-first=N beside it, how many are to be known")
    return _checked(first, USUAL_PERCENT if percent is None else percent)


def _checked(first: int, percent: int) -> Until:
    if first < 1:
        raise ScheduleError(f"until the first {first}: expected at least the first 1")
    if not LEAST_PERCENT <= percent <= MOST_PERCENT:
        raise ScheduleError(f"until {percent} %: expected {LEAST_PERCENT} to {MOST_PERCENT}")
    return Until(first, percent)


def known(until: Until, results: Sequence[MatchResult[int]], entrants: Collection[int]) -> bool:
    """Return whether these results say who the first of the entrants are.

    They do if all chances that one of the others is stronger than one of the first come to less than is allowed. The
    order among the first may be open. An entrant without a result is not known.
    """
    seen = {entrant for result in results for entrant in shown(result)}
    if not seen.issuperset(entrants) or until.first >= len(entrants):
        return False
    fit = fit_strengths(results)
    order = [entrant for entrant in fit.order() if entrant in entrants]
    allowed = 1 - until.percent / 100
    return sum(fit.probability(other, one) for one in order[: until.first] for other in order[until.first :]) <= allowed
