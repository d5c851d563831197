"""The page on which one steps through a deal."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.cli.command import played
from tests.engine.games import pairwise
from tests.server.web_site import Site

from farfalia_server.records.codec import to_message
from farfalia_server.web.deal_drawing import drawn
from farfalia_server.web.match_page import deals_shown


def data(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="deal">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


async def test_the_page_of_a_deal_has_the_deal_for_the_script_and_as_text(season: Site) -> None:
    answer = await season.get("/matches/1/3")
    deal, record = data(answer.text), await season.json("/records/1.json")
    assert (deal["match"], deal["deal"], deal["deals"]) == (1, 3, 11)
    assert {seat["name"] for seat in deal["seats"]} == {seat["name"] for seat in record["seats"]}
    assert [seat["points"] for seat in deal["seats"]].count(None) == 0
    assert "Tricks of deal 3" in answer.text
    assert "immutable" in answer.headers["cache-control"]


async def test_the_address_of_every_card_is_a_page(season: Site) -> None:
    deal = data((await season.get("/matches/1/1")).text)
    last = len(deal["tricks"])
    assert data((await season.get(f"/matches/1/1/{last}.5")).text) == deal
    for wrong, why in {
        f"/matches/1/1/{last + 1}.1": f"Deal 1 of match 1 has no card {last + 1}.1.",
        "/matches/1/1/1.6": "Deal 1 of match 1 has no card 1.6.",
        "/matches/1/1/0.0": "Deal 1 of match 1 has no card 0.0.",
        "/matches/1/1/four": "There is no card 'four'; expected its trick and its place in it, such as 4.2.",
        "/matches/1/12": "Match 1 has no deal 12; expected 1 to 11.",
        "/matches/1/x": "There is no deal 'x'; it is addressed by its number.",
    }.items():
        assert why in await season.text(wrong, 404)


async def test_a_match_without_cards_to_show_leads_to_its_page(season: Site) -> None:
    answer = await season.get("/matches/4/1", 307)
    assert answer.headers["location"] == "/matches/4"


@pytest.mark.parametrize("game", pairwise(), ids=str)
def test_in_every_game_a_card_is_played_once_and_from_the_hand_that_it_was_dealt_to(
    game: tuple[str, dict[str, str]],
) -> None:
    record = to_message(played(1, game=game[0], options=game[1]))
    deals = deals_shown(record)
    for number in {1, len(deals)}:
        deal = drawn(1, record, deals, number)
        hands = [{card["text"] for card in seat["hand"]} for seat in deal["seats"]]
        for trick in deal["tricks"]:
            for play in trick["plays"]:
                hands[play["at"]].remove(play["card"]["text"])
        assert hands[0] >= set(deal["discarded"])
        earlier = [sum(before.scores[seat] for before in deals[: number - 1]) for seat in deals[number - 1].seats]
        assert [seat["before"] for seat in deal["seats"]] == earlier
