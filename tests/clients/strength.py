"""How much stronger one sample bot is than another: the same deals with and without it, once for each seat.

`python -m tests.clients.strength` renews the tables of docs/bots.md.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.figures.markdown import table
from tests.figures.marks import rewritten

from farfalia.bots import HOUSE
from farfalia_engine import GAMES
from farfalia_tools.bench.strengths import OPEN_CARDS, OPEN_CAUTIOUS, Strength, run, strength

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/bots.md"
#: Deals behind each figure of the table, fewer for a bot that searches.
DEALS, SEARCHED = 400, 60
#: Rollouts per decision of a bot that searches.
ITERATIONS = 100
#: Those that search on the same deals, in the place of cautious.
SEARCHING = ("flat-monte-carlo", "expert")
BESIDE_HEADS = ("game", *(f"`{name}`" for name in SEARCHING), OPEN_CARDS, OPEN_CAUTIOUS)
BESIDE_DEALS, BESIDE_ITERATIONS = 12, 400
#: Each bot, and the one below it; `expert` stands in the other table.
PAIRS = (("greedy", "random"), ("cautious", "greedy"), ("learned", "cautious"), ("flat-monte-carlo", "cautious"))
#: The one that searches best in the place of the other, at a table of that one.
RIVALS = ("expert", "flat-monte-carlo")
RIVALS_HEADS = ("game", "`{}` for `{}`".format(*RIVALS), "deals")
#: More deals where one is over soonest.
RIVALS_DEALS = {"two": 24}


def gain(name: str, bot: str, other: str, deals: int) -> Strength:
    """What `bot` gains in the place of `other`, alone (in `four` with its partner) at a table of others."""
    return strength(name, bot, other, deals, ITERATIONS, Random(f"{name} {bot}"))


def of_pairs() -> str:
    """The table of each bot beside the one below it."""
    heads = ["game", *(f"`{bot}` for `{other}`" for bot, other in PAIRS)]
    rows = []
    for name in sorted(GAMES):
        gains = [gain(name, bot, other, DEALS if bot in HOUSE else SEARCHED) for bot, other in PAIRS]
        rows.append([f"`{name}`", *map(_text, gains)])
    return table(heads, rows)


def beside_open_cards() -> str:
    """The table of bots that search, on the same deals."""
    found = run(sorted(GAMES), SEARCHING, "cautious", BESIDE_DEALS, BESIDE_ITERATIONS)
    rows = [[f"`{name}`", *(_text(one) for one in found if one.game == name)] for name in sorted(GAMES)]
    return table(list(BESIDE_HEADS), rows)


def of_rivals() -> str:
    """The table of the two that search, one in the place of the other, with equal rollouts."""
    rows = []
    for name in sorted(GAMES):
        deals = RIVALS_DEALS.get(name, BESIDE_DEALS)
        found = strength(name, *RIVALS, deals, BESIDE_ITERATIONS, Random(f"{name} 1"))
        rows.append([f"`{name}`", _text(found), str(deals)])
    return table(list(RIVALS_HEADS), rows)


def _text(found: Strength) -> str:
    return f"{found.points:+.2f} ± {found.error:.2f}".replace("-", "−")


def main() -> None:
    tables = {"strength": of_pairs(), "searching": beside_open_cards(), "rivals": of_rivals()}
    DOCUMENT.write_text(rewritten(DOCUMENT.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
