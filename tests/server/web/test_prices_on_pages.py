"""What decisions have cost, on the pages of matches, deals and bots: the same as in their JSON, and never too early."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import httpx
from tests.server.arena_world import FIVE, World
from tests.server.invented_prices import give_prices
from tests.server.web_site import Site, addresses, words

from farfalia.v1 import analysis_pb2
from farfalia_server.store import Match
from farfalia_server.web.app import create_web

PAIR = ("ant", "bee")


async def played(world: World, bots: tuple[str, ...] = PAIR, ruleset: str = "two") -> Match:
    """A match that is over."""
    await world.register(*bots)
    tournament = await world.plan("cup", bots, 1, ruleset=ruleset)
    await world.play_all(tournament)
    return (await world.store.matches.of_tournament(tournament.id))[0]


def shown(value: float, places: int) -> str:
    return f"{value:.{places}f}"


async def test_the_page_of_a_match_shows_what_its_json_has(site: Site) -> None:
    match = await played(site.here)
    await give_prices(site.here.store, match.id)
    told = await site.json(f"/api/matches/{match.id}/analysis")
    assert told["state"] == "ANALYSIS_STATE_DONE"
    text = words((await site.get(f"/matches/{match.id}")).text)
    for one in told["seats"]:
        assert f"{shown(one['price'], 2)} {one['mistakes']} of {one['decisions']}" in text
    mistakes = sorted((one for one in told["decisions"] if one["mistake"]), key=lambda one: -one["price"])
    for one in mistakes[:5]:
        places = 1 if one["price"] >= 1 else 2
        assert f"{shown(one['price'], places)} ± {shown(one['error'], places)} points dearer than" in text
    rows = list(csv.DictReader(io.StringIO((await site.get(f"/api/matches/{match.id}/analysis?format=csv")).text)))
    assert [float(row["price"]) for row in rows] == [one["price"] for one in told["decisions"]]


async def test_mistakes_lead_to_the_step_of_the_replay_where_they_were_made(site: Site) -> None:
    match = await played(site.here)
    await give_prices(site.here.store, match.id)
    page = (await site.get(f"/matches/{match.id}")).text
    links = re.findall(rf'<li><a href="(/matches/{match.id}/[\d/.]+)">Deal', page)
    assert links
    for link in links:
        assert (await site.get(link)).status_code == 200


async def test_the_page_of_a_deal_has_a_mark_and_a_guess_for_each_of_its_decisions(site: Site) -> None:
    match = await played(site.here)
    await give_prices(site.here.store, match.id)
    told: list[dict[str, Any]] = (await site.json(f"/api/matches/{match.id}/analysis"))["decisions"]
    page = (await site.get(f"/matches/{match.id}/2")).text
    own = [one for one in told if one["deal"] == 2]
    assert page.count("<rect x=") == page.count("<li data-at=") == len(own)
    assert page.count('class="wrong"') == sum(one["mistake"] for one in own)
    # The step before a card is that with one card less, or the last one of the trick before.
    steps = re.findall(r'<li data-at="([\d.]*)"', page)
    assert steps[0] == ""
    cards = [tuple(map(int, step.split("."))) for step in steps if step]
    assert cards == sorted(cards)
    # What was done stands only inside, since one guesses first.
    summaries = re.findall(r"<summary>(Trick.*?)</summary>", page)
    assert summaries
    assert not any(re.search(r"\b[SLFO]\d", one) for one in summaries)


async def test_a_bot_is_shown_beside_the_field(site: Site) -> None:
    match = await played(site.here)
    await give_prices(site.here.store, match.id)
    told = await site.json("/api/bots/ant")
    other = {one["aspect"]: one for one in (await site.json("/api/bots/bee"))["prices"]}
    text = words((await site.get("/bots/ant")).text)
    assert told["prices"]
    for one in told["prices"]:
        assert one["fieldPrice"] == other[one["aspect"]]["price"]
        assert int(one["fieldDecisions"]) == other[one["aspect"]]["decisions"]
        assert f"{shown(one['price'], 2)} ± {shown(one['error'], 2)} {shown(one['fieldPrice'], 2)}" in text
    assert [one["price"] for one in told["dearest"]] == sorted((one["price"] for one in told["dearest"]), reverse=True)
    assert all(not one["values"] for one in told["dearest"])
    for one in told["dearest"][:3]:
        assert (await site.get(f"/matches/{one['match']}/actions/{one['number']}", 307)).headers["location"]


async def test_a_match_without_prices_says_so_and_who_may_ask(site: Site) -> None:
    match = await played(site.here)
    text = words((await site.get(f"/matches/{match.id}")).text)
    assert "The owner of a bot that played it, or an organiser, may ask for them: Have it analysed" in text
    assert (await site.json(f"/api/matches/{match.id}/analysis"))["state"] == "ANALYSIS_STATE_NONE"
    await site.here.store.analyses.ask(match.id, "account 1", 5)
    assert "The analysis waits for its turn" in words((await site.get(f"/matches/{match.id}")).text)
    await site.here.store.analyses.begin(match.id)
    assert "are being worked out" in words((await site.get(f"/matches/{match.id}")).text)
    await site.here.store.analyses.fail(match.id, 1.0)
    assert "cannot be priced" in words((await site.get(f"/matches/{match.id}")).text)


async def test_where_nothing_is_analysed_a_match_says_which_command_does_it(site: Site) -> None:
    match = await played(site.here)
    web = create_web(site.here.reader, addresses, server_name="a test", server_version="1.0.0", analyses=False)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(web), base_url="http://arena.example") as client:
        text = words((await client.get(f"/matches/{match.id}")).raise_for_status().text)
    assert f"This server does not analyse matches. You can do it yourself: farfalia analyse {match.id}" in text
    assert "Have it analysed" not in text


async def test_a_page_may_change_until_its_match_has_prices(site: Site) -> None:
    match = await played(site.here)
    for path in (f"/matches/{match.id}", f"/matches/{match.id}/1"):
        assert "immutable" not in (await site.get(path)).headers["cache-control"]
    await give_prices(site.here.store, match.id)
    for path in (f"/matches/{match.id}", f"/matches/{match.id}/1"):
        assert "immutable" in (await site.get(path)).headers["cache-control"]


async def test_nothing_is_shown_while_the_board_is_in_play_elsewhere(site: Site) -> None:
    """Also if prices are there already: whether they are shown is looked up each time."""
    tournament = await site.here.two_tables()
    first, second = await site.here.store.matches.of_tournament(tournament.id)
    await site.here.play(first.id)
    bot, *_ = first.bot_ids
    leak = analysis_pb2.PricedDecision(
        number=5, seat=0, deal=1, trick=1, aspect="lead", action=1, best=2, price=5, error=1, mistake=True
    )
    assert await site.here.store.analyses.begin(first.id)
    assert await site.here.store.prices.keep(first.id, [leak], 1.0)
    refused = await site.get(f"/api/matches/{first.id}/analysis", 409)
    assert refused.json()["reason"] == "BOARD_IN_PLAY"
    assert "cost" not in words((await site.get(f"/matches/{first.id}")).text)
    assert await site.here.store.prices.dearest(bot, "chinkway", limit=5) == []
    await site.here.play(second.id)
    assert len(await site.here.store.prices.dearest(bot, "chinkway", limit=5)) == 1


async def test_every_kind_of_decision_of_every_seat_has_a_place(site: Site) -> None:
    match = await played(site.here, FIVE, "chinkway")
    await give_prices(site.here.store, match.id)
    told = await site.json(f"/api/matches/{match.id}/analysis")
    assert {one["aspect"] for one in told["decisions"]} >= {"lead", "follow", "collect"}
    text = words((await site.get(f"/matches/{match.id}")).text)
    for title in ("Leading", "Following", "Collecting"):
        assert title in text
