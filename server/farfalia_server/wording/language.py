"""The functions that every text of a page passes: English is the source, and there is no other language yet."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

_CATALOGUE: Final = NullTranslations()


def gettext(text: str) -> str:
    """Return the text in the language of the reader."""
    return _CATALOGUE.gettext(text)


def ngettext(one: str, more: str, number: int) -> str:
    """Return the text in the language of the reader, in the form that belongs to the number."""
    return _CATALOGUE.ngettext(one, more, number)
