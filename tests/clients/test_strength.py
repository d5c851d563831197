"""Each sample bot is stronger than the one before; a searching one has a rollout policy that helps it."""

import re

import pytest
from tests.clients.strength import DOCUMENT, PAIRS, gain

from farfalia_engine import GAMES


@pytest.mark.parametrize(("deals", "errors"), [(100, 2.5), pytest.param(300, 4, marks=pytest.mark.prove)])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_cautious_is_stronger_than_greedy(name: str, deals: int, errors: float) -> None:
    found = gain(name, "cautious", "greedy", deals)
    assert found.points > errors * found.error


@pytest.mark.slow
@pytest.mark.parametrize("name", ["farrago", "two"])
def test_flat_monte_carlo_is_stronger_than_cautious(name: str) -> None:
    found = gain(name, "flat-monte-carlo", "cautious", 30)
    assert found.points > 2 * found.error


def test_the_page_on_bots_says_by_how_much_in_every_game() -> None:
    block = DOCUMENT.read_text(encoding="utf-8").split("<!-- figures: strength -->")[1].split("<!--")[0]
    heads, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.strip().splitlines()]
    assert heads == ["game", *(f"`{bot}` for `{other}`" for bot, other in PAIRS)]
    assert [row[0] for row in rows] == [f"`{name}`" for name in sorted(GAMES)]
    assert all(re.fullmatch(r"[+−]\d+\.\d\d ± \d+\.\d\d", figure) for row in rows for figure in row[1:])
