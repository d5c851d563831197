"""The bot of the benchmark: any legal action, at once. Run by `farfalia bench server`, one process a bot."""

from __future__ import annotations

import random
import sys

from farfalia import Bot, run
from farfalia_engine import Observation


class AnyLegal(Bot):
    """Looks at the legal actions only, so that what is measured is the way and not the thinking."""

    check = False

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def decide(self, view: Observation) -> int:
        """Any legal action."""
        legal = view.legal
        return legal[int(self._random.random() * len(legal))]


if __name__ == "__main__":
    tables = int(sys.argv[1])
    run(AnyLegal(int(sys.argv[2])), matches=tables, questions=tables)
