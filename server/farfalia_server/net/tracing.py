"""Spans: which steps of a match took how long, on which node. Nothing is measured unless somebody wants to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

#: Told of a decision whose next question is ready now: when the answer came and when it went into the journal, as
#: `monotonic` counts; and of the question its seat and number.
Decided = Callable[[float, float, int, int], None]


class Spans(Protocol):
    """What spans are told to."""

    def span(self, name: str, match: int) -> AbstractContextManager[None]:
        """Measure a block; with a match it is in the trace of this match."""

    def decisions(self) -> Decided:
        """Return what is told of each decision within the span around the caller."""


_spans: Spans | None = None


@contextmanager
def told(spans: Spans) -> Iterator[None]:
    """Tell these of all spans while the block lasts."""
    global _spans
    _spans = spans
    try:
        yield
    finally:
        _spans = None


def span(name: str, match: int = 0) -> AbstractContextManager[None]:
    """Measure the block: within the span around it, or as the beginning of a trace; with a match, of its trace."""
    return nullcontext() if _spans is None else _spans.span(name, match)


def decisions() -> Decided | None:
    """Return what to tell of each decision within the span around the caller; None if nobody wants to know."""
    return None if _spans is None else _spans.decisions()
