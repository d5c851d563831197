"""Exponential backoff with jitter."""

from __future__ import annotations

import random
from collections.abc import Iterator


def backoff(first: float, longest: float) -> Iterator[float]:
    """Yield the seconds to wait before each further attempt, without end.

    A time that doubles from `first` to `longest`, of which half or more is waited: so those that lost the same server
    do not come back together.
    """
    seconds = first
    while True:
        yield seconds * random.uniform(0.5, 1.0)
        seconds = min(seconds * 2, longest)
