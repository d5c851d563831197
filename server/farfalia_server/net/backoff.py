"""Exponential backoff with jitter."""

from __future__ import annotations

import random
from collections.abc import Iterator


def backoff(first: float, longest: float) -> Iterator[float]:
    """Yield the seconds to wait before each retry, without end.

    The limit doubles from `first` to `longest`; the wait is random between half the limit and all of it, so that
    clients that lost the same server do not come back together.
    """
    seconds = first
    while True:
        yield seconds * random.uniform(0.5, 1.0)
        seconds = min(seconds * 2, longest)
