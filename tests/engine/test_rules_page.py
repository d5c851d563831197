"""Every deal, trick and score of docs/rules.md is what the engine makes of it."""

import re
from pathlib import Path

import pytest
from tests.engine.worked_deals import (
    Script,
    farrago_points,
    farrago_winner,
    last_deal,
    match,
    partners,
    settings,
    written,
)

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
#: What stands in a comment above an example, and the example.
EXAMPLES = re.findall(r"^<!-- (\w+) ?(.*) -->\n\n(?:```text\n((?:[^`].*\n|\n)+)```|((?:\|.*\n)+))", PAGE, re.MULTILINE)
DEALS = [(words, block) for kind, words, block, _ in EXAMPLES if kind == "deal"]
TABLES = [(kind, words, table) for kind, words, _, table in EXAMPLES if kind not in ("deal", "tricks")]
TRICKS = [line.split("|")[1:5] for kind, *_, table in EXAMPLES if kind == "tricks" for line in table.splitlines()[2:]]


@pytest.mark.parametrize(("words", "block"), DEALS, ids=[words for words, _ in DEALS])
def test_a_deal_of_the_page_is_played_as_it_is_printed(words: str, block: str) -> None:
    name, key, deal, *options = words.split()
    script = Script(block)
    assert written(name, settings(options), int(key), int(deal), script) == block


@pytest.mark.parametrize(("kind", "words", "table"), TABLES, ids=[f"{kind} {words}" for kind, words, _ in TABLES])
def test_a_table_of_the_page_is_what_the_engine_says(kind: str, words: str, table: str) -> None:
    assert rendered(kind, words) == table


@pytest.mark.parametrize(("kind", "trumps", "cards", "winner"), TRICKS)
def test_a_trick_of_farrago_on_the_page_goes_to_the_card_that_is_named(
    kind: str, trumps: str, cards: str, winner: str
) -> None:
    assert farrago_winner(kind.strip(" `"), trumps.strip(" -"), cards) == winner.strip()


def test_every_deal_and_table_below_a_comment_is_checked() -> None:
    assert len(EXAMPLES) == PAGE.count("<!--")
    assert len(DEALS) == PAGE.count("```text")


def test_the_page_has_a_deal_of_every_way_to_play_and_a_trick_of_every_type() -> None:
    played = {words.split()[0] for words, _ in DEALS} | {words.split()[0] for kind, words, _ in TABLES if words}
    assert played >= {"chinkway", "five-hand", "basic", "four", "three", "three-short", "two", "farrago"}
    options = {option for _, words, *_ in EXAMPLES for option in words.split() if option.endswith("=on")}
    assert options == {"double_you=on", "burnin=on"}
    described = re.search(r"^### The ten types\n(.*?)\n\n\w", PAGE, re.MULTILINE | re.DOTALL)
    assert described
    types = re.findall(r"^\| `([\w-]+)`", described[1], re.MULTILINE)
    assert len(types) == 10
    assert {kind.strip(" `") for kind, *_ in TRICKS} == set(types)


def rendered(kind: str, words: str) -> str:
    """A table as it should be."""
    if kind == "match":
        name, seed, *options = words.split()
        return match(name, settings(options), int(seed))
    if kind == "seating":
        return last_deal(int(words))
    return {"partners": partners, "points": farrago_points}[kind]()
