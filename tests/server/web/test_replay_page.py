"""The page on which one steps through a deal."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.server.web_site import Site


def data(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="deal">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


async def test_the_page_of_a_deal_has_the_deal_for_the_script_and_as_text(season: Site) -> None:
    answer = await season.get("/matches/1/3")
    deal, record = data(answer.text), await season.json("/records/1.json")
    assert (deal["match"], deal["deal"], deal["deals"]) == (1, 3, 11)
    first, second, *_, last = deal["events"]
    assert first["entrants"] == [seat["name"] for seat in record["seats"]]
    assert (second["type"], second["number"]) == ("deal", 3)
    assert (last["type"], last["points"]) == ("score", record["outcome"]["deals"][2]["points"])
    assert "Tricks of deal 3" in answer.text


async def test_the_address_of_every_card_is_a_page(season: Site) -> None:
    deal = data((await season.get("/matches/1/1")).text)
    last = max(event["number"] for event in deal["events"] if event["type"] == "trick")
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


async def test_the_title_and_the_description_of_a_deal_say_who_played(season: Site) -> None:
    record, page = await season.json("/records/1.json"), (await season.get("/matches/1/2")).text
    outcome, names = record["outcome"], [seat["name"] for seat in record["seats"]]
    best = outcome["places"].index(1)
    title = re.search(r"<title>(.*?)</title>", page)
    assert title is not None
    assert title[1].startswith(f"{names[best]} {outcome['points'][best]} – ")
    assert title[1].endswith(", deal 2 of match 1 · Farfalia")
    assert f'<meta property="og:title" content="{names[best]} {outcome["points"][best]} – ' in page
    assert '<meta name="description" content="Chinkway, deal 2 of 11: step through it card by card.">' in page


async def test_a_deal_leads_to_the_deals_beside_it(season: Site) -> None:
    first, second, last = [(await season.get(f"/matches/1/{number}")).text for number in (1, 2, 11)]
    for page, before, behind in ((first, False, True), (second, True, True), (last, True, False)):
        assert ('rel="prev">‹ previous deal' in page, 'rel="next">next deal ›' in page) == (before, behind)
    assert '<a href="/matches/1/3" rel="next">' in second
