"""When a name counts as the one that somebody searches for."""

from __future__ import annotations

import re
import unicodedata

from farfalia.v1 import search_pb2

#: Letters from which on a slip is forgiven: almost every shorter word is one slip from another.
FORGIVEN = 3
_WORDS = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Return a name as names are compared: its letters and digits alone, in lower case, without accents."""
    if text.isascii():
        return _WORDS.sub("", text).lower()
    return "".join(one for one in unicodedata.normalize("NFKD", text).casefold() if one.isalnum())


def folded_words(text: str) -> list[str]:
    """Return the words of a text, each as `folded` returns it."""
    return [word for word in map(folded, _WORDS.split(text)) if word]


def is_one_slip(one: str, other: str) -> bool:
    """Return whether a letter that is wrong, missing or too many, or two swapped, make one word of the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    if same is None:
        return True
    left, right = one[same:], other[same:]
    swapped = left[1::-1] == right[:2] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped


class Wanted:
    """What somebody searches for, compared with many names."""

    def __init__(self, text: str) -> None:
        self.folded, self._words = folded(text), folded_words(text)

    def nearness(self, *names: str, slips: bool = True) -> search_pb2.SearchMatch:
        """Return how near the nearest of the names of one thing is; SEARCH_MATCH_UNSPECIFIED if none is near.

        Without `slips` no slip is forgiven, which takes less time.
        """
        found = [near for near in (self._nearness(name, slips=slips) for name in names) if near]
        return min(found, default=search_pb2.SEARCH_MATCH_UNSPECIFIED)

    def _nearness(self, name: str, *, slips: bool) -> search_pb2.SearchMatch:
        wanted, known = self.folded, folded(name)
        if not (wanted and known):
            return search_pb2.SEARCH_MATCH_UNSPECIFIED
        if wanted == known:
            return search_pb2.SEARCH_MATCH_EXACT
        if known.startswith(wanted):
            return search_pb2.SEARCH_MATCH_BEGINNING
        if wanted in known or all(word in known for word in self._words):
            return search_pb2.SEARCH_MATCH_PART
        if slips and (_is_slip(wanted, known) or self._has_slips(name, known)):
            return search_pb2.SEARCH_MATCH_TYPO
        return search_pb2.SEARCH_MATCH_UNSPECIFIED

    def _has_slips(self, name: str, known: str) -> bool:
        words = folded_words(name)
        return all(word in known or any(_is_slip(word, other) for other in words) for word in self._words)


def _is_slip(word: str, other: str) -> bool:
    return len(word) >= FORGIVEN and is_one_slip(word, other)
