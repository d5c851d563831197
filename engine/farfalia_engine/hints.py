"""What was probably meant by a word that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is close to this one, such as `four` for `fuor`; None if there is none."""
    return next(iter(get_close_matches(word.lower()[:100], list(known), 1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean four?)` for `fuor`, to be put behind the word; empty if nothing known is close to it."""
    close = closest(word, known)
    return "" if close is None else f" (did you mean {close}?)"
