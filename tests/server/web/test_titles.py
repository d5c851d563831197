"""Every page has a title and a description of its own, by which lists of tabs and of what was found tell it apart."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

from tests.server.web_site import Site

ADDRESSES = (
    "/",
    "/ladders/chinkway",
    "/ladders/chinkway?search=ant",
    "/ladders/four",
    "/tournaments",
    "/tournaments/1",
    "/tournaments/1?columns=all",
    "/tournaments/2",
    "/tournaments/3",
    "/tournaments/1/boards/board-1-1",
    "/tournaments/1/boards/board-1-1?deal=3",
    "/tournaments/1/sheets",
    "/matches",
    "/matches?state=waiting",
    "/matches?bot=ant",
    "/matches?bot=ant&game=chinkway",
    "/matches?bot=ant&game=chinkway&place=1&version=1",
    "/matches?bot=ant&against=bee",
    "/matches?tournament=1",
    "/matches?since=2026-01-02",
    "/matches/1",
    "/matches/1/3",
    "/bots",
    "/bots?search=e",
    "/bots/ant",
    "/bots/bee",
    "/bots/ant/opponents",
    "/bots/ant/incidents",
    "/bots/ant/vs/bee",
    "/nodes",
    "/rules",
    "/rules/two",
    "/rules/three-short",
    "/api",
    "/contract/ArenaService",
    "/contract/Match",
    "/downloads/",
    "/docs/",
    "/docs/rules",
    "/docs/tutorial",
    "/events",
    "/events/arena",
)


async def test_every_page_has_one_title_and_one_description_which_no_other_page_has(season: Site) -> None:
    titles, descriptions = {}, {}
    for address in ADDRESSES:
        html = (await season.get(address)).text
        (titles[address],) = re.findall(r"<title>([^<]+)</title>", html)
        (descriptions[address],) = re.findall(r'<meta name="description" content="([^"]+)">', html)
    for found in (titles, descriptions):
        often = {text for text, number in Counter(found.values()).items() if number > 1}
        assert {address: text for address, text in found.items() if text in often} == {}
    asked = "/matches?bot=ant&game=chinkway&place=1&version=1"
    assert unescape(titles[asked]) == "Matches of ant at Chinkway, version 1, 1st place · Farfalia"
    assert titles["/bots/ant"] == "ant at Chinkway · Farfalia"
    assert not any(text.startswith("A page of") for text in descriptions.values())


async def test_a_bot_that_has_played_nothing_has_titles_without_a_game(site: Site) -> None:
    await site.here.register("ant")
    for path, title in (("", "ant"), ("/opponents", "Opponents of ant"), ("/incidents", "Incidents of ant")):
        assert f"<title>{title} · Farfalia</title>" in (await site.get(f"/bots/ant{path}")).text
