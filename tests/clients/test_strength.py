"""Each sample bot is stronger than the one before; a searching one has a rollout policy that helps it."""

import re
from random import Random

import pytest
from tests.clients.strength import (
    BESIDE_DEALS,
    BESIDE_HEADS,
    BESIDE_ITERATIONS,
    DOCUMENT,
    PAIRS,
    RIVALS_DEALS,
    RIVALS_HEADS,
    SEARCHING,
    gain,
)

from farfalia_engine import GAMES
from farfalia_tools.bench.strengths import strength

FIGURE = re.compile(r"[+−]\d+\.\d\d ± \d+\.\d\d")


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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four", "two"])
def test_expert_is_stronger_than_flat_monte_carlo(name: str) -> None:
    flat, expert = (
        strength(name, bot, "cautious", BESIDE_DEALS, BESIDE_ITERATIONS, Random(f"{name} 1")) for bot in SEARCHING
    )
    assert expert.points > 2 * expert.error
    assert expert.points > flat.points


def test_the_page_on_bots_says_by_how_much_in_every_game() -> None:
    heads, rows = block("strength")
    assert heads == ["game", *(f"`{bot}` for `{other}`" for bot, other in PAIRS)]
    assert [row[0] for row in rows] == [f"`{name}`" for name in sorted(GAMES)]
    assert all(FIGURE.fullmatch(figure) for row in rows for figure in row[1:])


def test_the_page_on_bots_has_those_that_search_beside_open_cards() -> None:
    heads, rows = block("searching")
    assert heads == list(BESIDE_HEADS)
    assert [row[0] for row in rows] == [f"`{name}`" for name in sorted(GAMES)]
    assert all(FIGURE.fullmatch(figure) for row in rows for figure in row[1:])


def test_the_page_on_bots_has_those_that_search_at_one_table() -> None:
    heads, rows = block("rivals")
    assert heads == list(RIVALS_HEADS)
    deals = [RIVALS_DEALS.get(name, BESIDE_DEALS) for name in sorted(GAMES)]
    assert [(row[0], row[2]) for row in rows] == [
        (f"`{name}`", str(of)) for name, of in zip(sorted(GAMES), deals, strict=True)
    ]
    assert all(FIGURE.fullmatch(row[1]) for row in rows)


def block(name: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of a table of figures in the page."""
    text = DOCUMENT.read_text(encoding="utf-8").split(f"<!-- figures: {name} -->")[1].split("<!--")[0]
    heads, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.strip().splitlines()]
    return heads, rows
