"""The smallest and the largest of some counts: the measure of evenness here."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """The smallest and the largest of some counts."""

    least: int
    most: int

    @property
    def width(self) -> int:
        """The largest count less the smallest."""
        return self.most - self.least

    @classmethod
    def of(cls, counts: Iterable[int]) -> "Span":
        """Return the span of at least one count."""
        seen = list(counts)
        return cls(min(seen), max(seen))

    def __str__(self) -> str:
        """Return `3`, `3 or 4`, `3 to 5`."""
        if self.width == 0:
            return str(self.most)
        return f"{self.least} or {self.most}" if self.width == 1 else f"{self.least} to {self.most}"


def around(pieces: int, cells: int) -> Span:
    """Return the span of the most even way to deal pieces to cells: floor … ceil of their mean."""
    return Span(pieces // cells, -(-pieces // cells))
