"""Each rung is stronger than the one below; a searching bot has a rollout policy that helps it."""

import re
from pathlib import Path
from random import Random

import pytest
from tests.figures.measured import UNCLEAR

from farfalia.bots import SEARCHING
from farfalia_engine import GAMES, ruleset
from farfalia_tools.bench.rungs import BASE, CLEAR, RUNGS
from farfalia_tools.bench.strengths import Strength, strength

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/bots.md"
BOUND = "all cards open"
FIGURE = re.compile(r"([+−]\d+\.\d\d) ± (\d+\.\d\d)")
#: What flat-monte-carlo and expert gain is compared on these deals, with so much of a search.
DEALS, ITERATIONS = 12, 400


def gain(name: str, bot: str, other: str, deals: int, iterations: int = 100) -> Strength:
    """What `bot` gains in the place of `other`, alone (in `four` with its partner) at a table of others."""
    return strength(name, bot, other, deals, iterations, Random(f"{name} {bot}"))


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
    flat, expert = (strength(name, bot, BASE, DEALS, ITERATIONS, Random(f"{name} 1")) for bot in SEARCHING)
    assert expert.points > 2 * expert.error
    assert expert.points > flat.points


def test_the_page_on_bots_has_all_rungs_of_a_game_in_whole_matches() -> None:
    rows = page()
    games = sorted({row[0] for row in rows})
    assert set(games) <= {f"`{name}`" for name in GAMES}
    bots = [*(f"`{bot}`" for bot in RUNGS), BOUND]
    assert [(row[0], row[1]) for row in rows] == [(game, bot) for game in games for bot in bots]
    for name, bot, below, base, _, deals, milliseconds in rows:
        assert (not below) == (bot in (bots[0], BOUND))
        assert (not base) == (bot == f"`{BASE}`")
        assert all(FIGURE.match(figure) for figure in (below, base) if figure)
        assert int(deals.replace(",", "")) % ruleset(name.strip("`")).last_deal == 0
        assert float(milliseconds) >= 0


def test_a_rung_that_is_not_clearly_above_the_one_below_is_marked_as_such() -> None:
    for _, _, below, *_ in page():
        if found := FIGURE.match(below):
            points, error = (float(number.replace("−", "-")) for number in found.groups())
            assert below.endswith(UNCLEAR) == (points <= CLEAR * error)


def page() -> list[list[str]]:
    """The rows of the page's table of rungs."""
    text = DOCUMENT.read_text(encoding="utf-8").split("<!-- figures: rungs -->")[1].split("<!--")[0]
    _, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.strip().splitlines()]
    return rows
