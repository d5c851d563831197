"""The pages that teach the games, each with a deal to step through."""

from __future__ import annotations

import json
import re

import pytest
from tests.server.web_site import Site

from farfalia_engine import GAMES, ruleset
from farfalia_engine.farrago.deal_types import TYPES
from farfalia_server.web.example_deal import example_deal
from farfalia_server.wording.rules import RULES

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 10: "ten", 11: "eleven"}


def test_every_game_is_taught_with_its_players_and_deals() -> None:
    assert set(RULES) == set(GAMES)
    for name, short in RULES.items():
        rules, line = ruleset(name), short.line.lower()
        assert NUMBERS[rules.seats] in line
        assert f"{NUMBERS[rules.last_deal]} deals" in line
        taught = dict(short.rules)
        assert ("The first three tricks" in taught) == (getattr(rules.game, "barren", 0) == 3)
        assert ("The dummy" in taught) == bool(example_deal(name).deal.dummies)
    assert set(TYPES) <= set(dict(RULES["farrago"].rules))


@pytest.mark.parametrize("game", RULES)
async def test_a_game_has_a_deal_for_the_script_and_as_text(season: Site, game: str) -> None:
    page = (await season.get(f"/rules/{game}")).text
    found = re.search(r'<script type="application/json" id="deal">(.*?)</script>', page)
    assert found is not None
    events = json.loads(found[1])["events"]
    assert events == example_deal(game).events
    assert [event["type"] for event in events][:2] == ["match", "deal"]
    assert events[-1]["type"] in ("score", "over")
    assert sum(event["type"] == "trick" for event in events) == page.count(
        '<th role="rowheader" scope="row" class="n">'
    )
    assert "Tricks of deal 1" in page


async def test_the_rules_are_linked_from_everywhere_and_list_all_games(season: Site) -> None:
    assert 'href="/rules"' in (await season.get("/matches")).text
    assert 'href="/rules/chinkway"' in (await season.get("/")).text
    rules = (await season.get("/rules")).text
    assert all(f'href="/rules/{game}"' in rules for game in GAMES)
    assert "there is no game 'bridge'; expected one of" in (await season.text("/rules/bridge", 404)).lower()


@pytest.mark.parametrize(("game", "name"), [("basic", "Basic"), ("four", "Four-handed")])
async def test_who_may_double_is_said_as_the_game_has_it(season: Site, game: str, name: str) -> None:
    """F12: in `four` the sides' totals say who leads."""
    page = (await season.get(f"/rules/{game}")).text
    assert f"<h1>{name}</h1>" in page
    assert ("a player whose side is not in the lead may spend one" in page) == (game == "four")
    assert ("a player who is not in the lead may spend one" in page) == (game == "basic")
