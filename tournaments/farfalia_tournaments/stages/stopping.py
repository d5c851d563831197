"""The rule of a stage that ends as soon as it is known who the first ones are, and how it is written."""

import re
from dataclasses import dataclass
from typing import Final

from farfalia_tournaments.errors import ScheduleError

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
        raise ScheduleError('%(text)r is not a rule: expected something like "first 3 at 95 %%"', text=text[:80])
    return _checked(int(match[1]), USUAL_PERCENT if match[2] is None else int(match[2]))


def until_of(first: int | None, percent: int | None) -> Until | None:
    """Return the rule of two settings, None if neither is given; ScheduleError for one that makes no sense."""
    if first is None and percent is None:
        return None
    if first is None:
        raise ScheduleError(
            "until-percent %(percent)s: expected until-first=N beside it, how many are to be known", percent=percent
        )
    return _checked(first, USUAL_PERCENT if percent is None else percent)


def _checked(first: int, percent: int) -> Until:
    if first < 1:
        raise ScheduleError("until the first %(first)s: expected at least the first 1", first=first)
    if not LEAST_PERCENT <= percent <= MOST_PERCENT:
        raise ScheduleError(
            "until %(percent)s %%: expected %(least)s to %(most)s",
            percent=percent,
            least=LEAST_PERCENT,
            most=MOST_PERCENT,
        )
    return Until(first, percent)
