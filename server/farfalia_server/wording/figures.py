"""Numbers and dates as the language of the reader writes them, by the Unicode locale data (CLDR).

In English, dates are those of ISO 8601.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache

from farfalia_server.wording.language import SOURCE, language


def in_figures(text: str) -> str:
    """Return a number in English figures, with the signs of the language of the reader: `104,000.5` as `104.000,5`."""
    return text if language() == SOURCE else text.translate(_signs(language()))


def moment_words(moment: datetime) -> str:
    """Return a day and a time of day: `2026-11-20 18:22`."""
    if language() == SOURCE:
        return f"{moment:%Y-%m-%d %H:%M}"
    from babel.dates import format_time

    return f"{day_words(moment)}, {format_time(moment, 'short', locale=language())}"


def day_words(moment: datetime) -> str:
    """Return a day: `2026-11-20`."""
    if language() == SOURCE:
        return f"{moment:%Y-%m-%d}"
    from babel.dates import format_date

    return format_date(moment, "medium", locale=language())


def ordinal_in(number: int, code: str) -> str:
    """Return a place in a language other than English: `1º`, `1er`, `2e`."""
    if code == "fr":
        return f"{number}er" if number == 1 else f"{number}e"
    return f"{number}º"


@cache
def _signs(code: str) -> dict[int, str]:
    # A terminal speaks English alone, and a bot's computer has no Babel.
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return {ord("."): get_decimal_symbol(code), ord(","): get_group_symbol(code)}
