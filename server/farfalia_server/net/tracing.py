"""Spans: how long the steps of a match took, and on which node. Nothing is measured unless tracing is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

#: Told of a decision whose next question is ready now: when the answer came and when it went into the journal, as
#: `monotonic` counts; and of the question its seat and number.
Decided = Callable[[float, float, int, int], None]


class Spans(Protocol):
    """A receiver of spans."""

    def span(self, name: str, match: int) -> AbstractContextManager[None]:
        """Measure a block; with a match it is in the trace of this match."""

    def decisions(self) -> Decided:
        """Return what to call for each decision within the caller's span."""


_spans: Spans | None = None


@contextmanager
def told(spans: Spans) -> Iterator[None]:
    """Send all spans to these for the length of the block."""
    global _spans
    _spans = spans
    try:
        yield
    finally:
        _spans = None


def span(name: str, match: int = 0) -> AbstractContextManager[None]:
    """Measure the block, within the span around it or as a new trace; with a match, in the match's trace."""
    return nullcontext() if _spans is None else _spans.span(name, match)


def decisions() -> Decided | None:
    """Return what to call for each decision within the caller's span; None if tracing is off."""
    return None if _spans is None else _spans.decisions()
