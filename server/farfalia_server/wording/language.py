"""The language of a reader, and the functions that every text of a page passes.

English is the source. Terminals, logs, mails and JSON are in it, whatever a reader asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from farfalia_server.wording.catalogues import catalogue

#: The language in which the texts stand in the code.
SOURCE: Final = "en"
#: All languages by their codes (BCP 47), each by its own name.
LANGUAGES: Final = {SOURCE: "English", "it": "Italiano", "fr": "Français"}

_spoken: ContextVar[str] = ContextVar("language", default=SOURCE)


def language() -> str:
    """Return the code of the language of the reader."""
    return _spoken.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Say everything in a language, in this task and in the threads and tasks that it starts."""
    before = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(before)


def gettext(text: str) -> str:
    """Return the text in the language of the reader; in English if its catalogue does not have it."""
    code = _spoken.get()
    return text if code == SOURCE or not text else catalogue(code).gettext(text)


def ngettext(one: str, more: str, number: int) -> str:
    """Return the text in the language of the reader, in the form that belongs to the number."""
    code = _spoken.get()
    if code == SOURCE:
        return one if number == 1 else more
    return catalogue(code).ngettext(one, more, number)
