"""Searching over real HTTP: the field of every page, the page, its JSON, and the near names of a wrong address."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from tests.server.web_site import Site

from farfalia_server.contract.near_names import Wanted, is_one_slip
from farfalia_server.store import Event, Registrant, Role


async def hits(site: Site, text: str) -> list[dict[str, Any]]:
    """What a search finds, after checking that its page has the same links in the same order."""
    found: list[dict[str, Any]] = (await site.json(f"/api/search?q={quote(text)}"))["hits"]
    page = await site.client.get(f"/search?q={quote(text)}")
    exact = [hit["address"] for hit in found if hit["match"] == "SEARCH_MATCH_EXACT"]
    if len(exact) == 1:
        assert (page.status_code, page.headers["location"]) == (303, exact[0])
    else:
        assert page.status_code == 200
        links = re.findall(r'<li><a href="([^"]+)"', page.text.partition("<main")[2].partition("</main")[0])
        assert list(map(unescape, links)) == [hit["address"] for hit in found]
    return found


async def addresses(site: Site, text: str, kind: str) -> list[str]:
    """The addresses of one kind that a search finds."""
    return [hit["address"] for hit in await hits(site, text) if hit["kind"] == f"SEARCH_KIND_{kind}"]


async def test_every_page_has_the_field(site: Site) -> None:
    for path, status in {"/": 200, "/ladders/two": 200, "/matches": 200, "/nowhere": 404}.items():
        html = (await site.get(path, status)).text
        assert re.search(r'<form class="find" role="search" action="/search"[^>]*><input type="search" name="q"', html)


@pytest.mark.parametrize("text", ["Ada", "ADA", " ad a ", "a.d-a", "adà"])
async def test_one_thing_of_just_this_name_is_led_to(site: Site, text: str) -> None:
    for name in ("ada", "adam"):
        await site.here.store.bots.register(name, owner="olga")
    assert await addresses(site, text, "BOT") == ["/bots/ada", "/bots/adam"]
    assert (await site.get(f"/search?q={quote(text)}", 303)).headers["location"] == "/bots/ada"


@pytest.mark.parametrize("text", ["greddy-bot", "gredy-bot", "greeedy-bot", "greed-ybot", "my gredy", "GREADY"])
async def test_one_slip_is_forgiven(site: Site, text: str) -> None:
    await site.here.store.bots.register("my-greedy-bot" if "my" in text else "greedy-bot")
    assert len(await addresses(site, text, "BOT")) == 1


async def test_a_slip_counts_only_where_nothing_is_nearer(site: Site) -> None:
    for name in ("ada-2", "adb"):
        await site.here.store.bots.register(name)
    assert await addresses(site, "ada", "BOT") == ["/bots/ada-2"]
    assert await addresses(site, "adbb", "BOT") == ["/bots/adb"]
    assert await addresses(site, "ad", "BOT") == ["/bots/adb", "/bots/ada-2"]
    assert await addresses(site, "xy", "BOT") == []


async def test_each_kind_is_found(season: Site) -> None:
    store = season.here.store
    number, name = (await store.names.of_tournaments(1))[0][:2]
    assert f"/tournaments/{number}" in await addresses(season, name, "TOURNAMENT")
    assert f"/tournaments/{number}" in await addresses(season, name[:-1] + "~", "TOURNAMENT")
    for text in ("1", "#1"):
        assert await addresses(season, text, "MATCH") == ["/matches/1"]
    for text in ("999999", "9" * 30, "-1"):
        assert await addresses(season, text, "MATCH") == []
    assert await addresses(season, "Chinkwy", "GAME") == ["/rules/chinkway"]
    assert await addresses(season, "chinkway", "LADDER") == ["/ladders/chinkway"]
    assert "/docs/tournaments" in await addresses(season, "tournamets", "DOCUMENT")


async def test_events_and_people_are_found_once_pages_name_them(site: Site) -> None:
    store = site.here.store
    ada, _ = await store.accounts.create("Ada-L", Role.OWNER)
    await store.accounts.create("Adam-S", Role.OWNER)
    await store.events.create(Event("autumn", "Autumn Cup"), ada.id, "Ada-L")
    assert await hits(site, "ada l") == []
    assert await hits(site, "autumn cup") == []
    await store.events.publish("autumn", "Ada-L")
    assert await addresses(site, "autum cup", "EVENT") == ["/events/autumn"]
    assert await addresses(site, "cup autumn", "EVENT") == ["/events/autumn"]
    assert await addresses(site, "ada", "PERSON") == ["/events/autumn#members"]


async def test_people_lead_to_their_bots_and_hidden_bots_are_not_found(site: Site) -> None:
    store = site.here.store
    ada, _ = await store.accounts.create("Ada-L", Role.OWNER)
    await store.bots.register("queen", owner="Ada-L", registrant=Registrant(account=ada.id))
    await store.bots.register_person("queen-of-guests")
    assert await addresses(site, "ada", "PERSON") == ["/bots?owner=Ada-L"]
    assert await addresses(site, "queen", "BOT") == ["/bots/queen"]
    page = await site.text("/bots?owner=Ada-L")
    assert "Bots of Ada-L." in page
    assert "queen" in page
    assert [bot["name"] for bot in (await site.json("/api/bots?owner=Ada-L"))["bots"]] == ["queen"]
    for nobody in ("ada", "\x00"):
        assert "Nobody of this name has a bot" in await site.text(f"/bots?owner={quote(nobody)}")


async def test_hits_are_few_and_what_is_asked_is_short(site: Site) -> None:
    for number in range(20):
        await site.here.store.bots.register(f"many-{number}")
    assert len(await addresses(site, "many", "BOT")) == 8
    for nothing in ("", "   ", "%", "\x00", "…"):
        assert await hits(site, nothing) == []
    assert "Nothing is called like this" in await site.text("/search?q=zzzzzz")
    assert "Q has 81 characters; expected at most 80" in await site.text(f"/search?q={'a' * 81}", 400)
    assert (await site.json(f"/api/search?q={'a' * 81}", 400))["reason"] == "FIELD_INVALID"
    assert "There is no parameter 'search' at this address" in await site.text("/search?search=ada", 400)


async def test_a_wrong_address_offers_what_may_be_meant(site: Site) -> None:
    store = site.here.store
    await store.bots.register("greedy")
    await store.events.create(Event("autumn", "Autumn Cup"), None, "admin")
    await store.events.publish("autumn", "admin")
    for wrong, right in {
        "/bots/gredy": "/bots/greedy",
        "/bots/gredy/opponents": "/bots/greedy",
        "/events/autum": "/events/autumn",
        "/rules/chinkwy": "/rules/chinkway",
        "/docs/rule": "/docs/rules",
    }.items():
        html = (await site.get(wrong, 404)).text
        assert "You may have meant:" in html
        assert f'<li><a href="{right}"' in html
    assert "did you mean autumn?" in (await site.json("/api/events/autum", 404))["detail"]
    for nothing in ("/bots/zzzzzz", "/nowhere", "/matches/greedy"):
        assert "You may have meant:" not in (await site.get(nothing, 404)).text


async def test_a_tournament_is_offered_by_its_name(season: Site) -> None:
    number, name = (await season.here.store.names.of_tournaments(1))[0][:2]
    assert f'<li><a href="/tournaments/{number}"' in (await season.get(f"/tournaments/{quote(name)}", 404)).text


def test_a_slip_is_one_letter_or_two_swapped() -> None:
    for other in ("bda", "abda", "da", "ad", "daa", "aad", "adax"):
        assert is_one_slip("ada", other), other
    for other in ("ada", "add2", "bdb", "a", "dab", "adaxy", ""):
        assert not is_one_slip("ada", other), other


def test_names_are_near_by_their_words() -> None:
    for text in ("Élite", "elite", "e.l_i-t e"):
        assert Wanted(text).nearness("elite") == 1
    assert Wanted("cup").nearness("Cup of autumn") == 2
    assert Wanted("autumn cup").nearness("Cup of Autumn") == 3
    assert Wanted("autunm cpu").nearness("Cup of Autumn") == 4
    assert Wanted("autunm cpu").nearness("Cup of Autumn", slips=False) == 0
