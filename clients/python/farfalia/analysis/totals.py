"""What several decisions cost together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from farfalia.analysis.prices import PricedDecision


@dataclass(frozen=True, slots=True)
class Total:
    """How many decisions, what they cost in points, with the standard error, and how many are mistakes."""

    decisions: int
    price: float
    error: float
    mistakes: int

    @property
    def mean(self) -> float:
        """Points a decision; 0 if there is none."""
        return self.price / self.decisions if self.decisions else 0.0


def total(decisions: Iterable[PricedDecision]) -> Total:
    """Return what these decisions cost together; their errors are independent."""
    priced = list(decisions)
    return Total(
        len(priced),
        sum(one.price for one in priced),
        hypot(*(one.error for one in priced)),
        sum(one.mistake for one in priced),
    )
