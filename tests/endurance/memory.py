"""How much memory the server has, over its matches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression

_MIB = 2**20
_RESIDENT = re.compile(r"^VmRSS:\s+(\d+) kB$", re.MULTILINE)


@dataclass
class Memory:
    """The resident set of each of the server's lives, one sample for each look: matches finished, and bytes."""

    lives: list[list[tuple[int, int]]] = field(default_factory=list)

    def look(self, pid: int, finished: int) -> None:
        """Take a sample of the process, unless it has just ended."""
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return
        if found := _RESIDENT.search(status):
            self.lives[-1].append((finished, int(found[1]) * 1024))

    @property
    def most(self) -> float:
        """The largest resident set of all lives, in MiB."""
        return max((size for life in self.lives for _, size in life), default=0) / _MIB

    @property
    def slope(self) -> float | None:
        """MiB by which it grew in 1,000 matches, in the newer half of the longest life; None if that is too short."""
        matches = [finished for finished, _ in self._settled]
        if len(set(matches)) < 3:
            return None
        return linear_regression(matches, [size / _MIB for _, size in self._settled]).slope * 1000

    @property
    def span(self) -> int:
        """How many matches ended in what `slope` is worked out from."""
        settled = self._settled
        return settled[-1][0] - settled[0][0] if settled else 0

    @property
    def _settled(self) -> list[tuple[int, int]]:
        """The samples of the longest life from half of its matches on: by then everything is warm.

        Not half of the samples: near the end of a run matches end more and more slowly.
        """
        longest = max(self.lives, key=lambda life: life[-1][0] - life[0][0] if life else 0, default=[])
        if not longest:
            return []
        middle = (longest[0][0] + longest[-1][0]) / 2
        return [sample for sample in longest if sample[0] >= middle]
