"""Amounts as people say them: how long, how long ago, how many."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Final

from farfalia_server.wording.figures import day_words, in_figures
from farfalia_server.wording.language import gettext, ngettext

#: How amounts of time are written, by terminal and scripts alike: a number beside its unit, the larger unit first.
UNITS: Final = {
    "ms": "{number} ms",
    "s": "{number} s",
    "min": "{number} min",
    "h": "{number} h",
}
_SECOND, _MINUTE, _HOUR, _DAY = 1, 60, 3600, 86400
#: How long ago something was: each unit, with the seconds up to which it is used.
_AGES = (
    (_HOUR, _MINUTE, ("{number} minute ago", "{number} minutes ago")),
    (_DAY, _HOUR, ("{number} hour ago", "{number} hours ago")),
    (30 * _DAY, _DAY, ("{number} day ago", "{number} days ago")),
)
#: The same for a time that is not known exactly.
_ROUGHLY = (
    (90 * _MINUTE, _MINUTE, ("about {number} minute", "about {number} minutes")),
    (2 * _DAY, _HOUR, ("about {number} hour", "about {number} hours")),
    (math.inf, _DAY, ("about {number} day", "about {number} days")),
)


def duration(milliseconds: float) -> str:
    """Return a time as `40 ms`, `1 s`, `1.5 s`, `2 min`, `1 min 30 s` or `1 h 5 min`."""
    if milliseconds < 1000:
        return _in("ms", f"{milliseconds:.0f}")
    seconds = milliseconds / 1000
    if seconds < _MINUTE:
        tenths = _rounded(10 * seconds) / 10
        return _in("s", f"{tenths:.0f}" if tenths == int(tenths) else in_figures(f"{tenths}"))
    whole = _rounded(seconds)
    if whole < _HOUR:
        return _two(whole, _MINUTE, "min", _SECOND, "s")
    return _two(_rounded(whole / _MINUTE) * _MINUTE, _HOUR, "h", _MINUTE, "min")


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was: `just now`, `2 minutes ago`, `3 days ago`; the date if it is over a month."""
    seconds = (now - moment).total_seconds()
    if seconds < _MINUTE:
        return gettext("just now")
    for most, unit, (one, more) in _AGES:
        if seconds < most:
            number = int(seconds // unit)
            return ngettext(one, more, number).format(number=number)
    return day_words(moment)


def grouped(number: int) -> str:
    """Return a whole number with its thousands apart: `104,000`."""
    return in_figures(f"{number:,}")


def _two(seconds: int, large: int, large_name: str, small: int, small_name: str) -> str:
    first, rest = divmod(seconds, large)
    said = _in(large_name, f"{first}")
    return f"{said} {_in(small_name, f'{rest // small}')}" if rest >= small else said


def _rounded(number: float) -> int:
    """Return the nearest whole number, of two the larger one: as scripts round, which say the same times."""
    return math.floor(number + 0.5)


def _in(unit: str, number: str) -> str:
    return gettext(UNITS[unit]).format(number=number)


def roughly(seconds: float) -> str:
    """Return a time that is not known exactly: `less than a minute`, `about 12 minutes`, `about 3 hours`."""
    if seconds < _MINUTE:
        return gettext("less than a minute")
    for most, unit, (one, more) in _ROUGHLY:
        if seconds < most:
            number = round(seconds / unit)
            return ngettext(one, more, number).format(number=grouped(number))
    raise ValueError(f"{seconds} is no time")
