"""What was probably meant by a word that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean four?)` for `fuor`, to be put behind the word; empty if nothing known is close to it."""
    close = get_close_matches(word.lower()[:100], list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""
