"""How much stronger one sample bot is than another: the same deals with and without it, once for each seat.

`python -m tests.clients.strength` renews the table of docs/bots.md.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.figures.markdown import table
from tests.figures.marks import rewritten

from farfalia.bots import HOUSE
from farfalia_engine import GAMES
from farfalia_tools.bench.strengths import Strength, strength

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/bots.md"
#: Deals behind each figure of the table, fewer for a bot that searches.
DEALS, SEARCHED = 400, 60
#: Rollouts per decision of a bot that searches.
ITERATIONS = 100
#: Each bot, and the one below it. `expert` takes too long for this; `farfalia bench strengths` measures it.
PAIRS = (("greedy", "random"), ("cautious", "greedy"), ("flat-monte-carlo", "cautious"))


def gain(name: str, bot: str, other: str, deals: int) -> Strength:
    """What `bot` gains in the place of `other`, alone (in `four` with its partner) at a table of others."""
    return strength(name, bot, other, deals, ITERATIONS, Random(f"{name} {bot}"))


def main() -> None:
    heads = ["game", *(f"`{bot}` for `{other}`" for bot, other in PAIRS)]
    rows = []
    for name in sorted(GAMES):
        gains = [gain(name, bot, other, DEALS if bot in HOUSE else SEARCHED) for bot, other in PAIRS]
        rows.append([f"`{name}`", *(f"{one.points:+.2f} ± {one.error:.2f}".replace("-", "−") for one in gains)])
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(rewritten(text, {"strength": table(heads, rows)}), encoding="utf-8")


if __name__ == "__main__":
    main()
