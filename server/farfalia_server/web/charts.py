"""The geometry of the small charts: numbers in, coordinates out. `templates/charts.html` draws them as SVG.

Every chart has its numbers as text beside it or in its name, so that it need not be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

#: Tolerance for a quotient of two numbers.
_LITTLE = 1e-9


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values, drawn from 0 to `length`; what lies outside is drawn at its end."""

    low: float
    high: float
    length: float = 100

    def at(self, value: float) -> float:
        """Return where a value lies."""
        if self.high <= self.low:
            return self.length / 2
        return round(self.length * min(1.0, max(0.0, (value - self.low) / (self.high - self.low))), 1)


def line(values: Sequence[float], width: float, height: float, axis: Axis | None = None) -> str:
    """Return the points of a line through values at equal distances, the largest on top; empty for fewer than two.

    Without an axis the line fills the height, less a margin for its stroke.
    """
    if len(values) < 2:
        return ""
    margin = 1.5
    scale = axis or Axis(min(values), max(values), height - 2 * margin)
    step = width / (len(values) - 1)
    return " ".join(
        f"{round(number * step, 1):g},{round(height - margin - scale.at(value), 1):g}"
        for number, value in enumerate(values)
    )


def round_steps(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers between two values, at most `most`, at equal distances."""
    span = max(high - low, 1e-9)
    exponent = -6
    while True:
        for base in (1, 2, 5):
            step = base * 10.0**exponent
            if span / step <= most:
                first, last = ceil(low / step - _LITTLE), floor(high / step + _LITTLE)
                return [round(number * step, 6) for number in range(first, last + 1)]
        exponent += 1
