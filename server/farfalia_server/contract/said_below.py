"""What the engine and the tournaments say, which know nothing of this room, as sentences in a reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from farfalia_engine import RulesetError
from farfalia_engine.hints import closest
from farfalia_server.contract.said import Said, said
from farfalia_tournaments import ScheduleError


def perhaps_meant(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean four?)` for `fuor`, to be put behind the word; empty if nothing known is close to it."""
    close = closest(word, known)
    return "" if close is None else said(" (did you mean %(close)s?)", close=close)


def said_of(error: RulesetError | ScheduleError) -> Said:
    """Return what the engine, or a schedule, says of a value that it does not accept."""
    values = {
        name: said_of(value) if isinstance(value, RulesetError | ScheduleError) else value
        for name, value in error.values.items()
    }
    return said(error.template, **values)
