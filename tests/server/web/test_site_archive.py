"""What becomes of the pages of an event when they are files."""

from __future__ import annotations

import re

from tests.server.web_site import Site

from farfalia_server.web.site_archive import SiteArchive

BASE = (
    '<header><strong><a href="/"><img src="/static/1/icon.svg"></a></strong>'
    '<nav data-server><ul><li><a href="/rules">Rules</a></li></ul></nav></header>'
)
PAGES = {
    "/events/cup": f'{BASE}<a href="/tournaments/7">Final</a><a data-server href="/events/cup/archive.zip">All</a>',
    "/tournaments/7": f'{BASE}<a href="/tournaments/7/boards/board-2.42">a board</a> <a href="/bots/ant">ant</a>',
    "/tournaments/7/boards/board-2.42": f'{BASE}<a href="/matches/1">1</a> <a href="/matches/2">2</a>',
    "/matches/1": f'{BASE}<a href="/matches/1/3/4.5">a card</a> <a href="/records/1.json">its record</a>',
    "/matches/1/3/4.5": f'{BASE}<div id="replay" data-address="/matches/1/3" hidden></div>the card',
    "/matches/2": f'{BASE}<a href="/records/2.json">closed</a> <time title="2031-07-01 09:00 UTC">now</time>, it ended',
    "/static/1/icon.svg": "<svg/>",
}


async def files() -> dict[str, str]:
    asked = []

    async def get(path: str) -> bytes | None:
        asked.append(path)
        return PAGES[path].encode() if path in PAGES else None

    site = SiteArchive("cup", get, tournaments=[7], matches={1: True, 2: False}, ladders=[])
    found = {path: data.decode() async for path, data in site.files()}
    assert sorted(asked) == sorted(PAGES), "each page once, and nothing else"
    return found


async def test_an_address_with_a_dot_in_it_is_a_page_as_others_are() -> None:
    found = await files()
    board = found["tournaments/7/boards/board-2.42/index.html"]
    assert 'href="../../../../matches/1/index.html"' in board
    assert "the card" in found["matches/1/3/4.5/index.html"]
    assert {path for path in found if "." not in path.rpartition("/")[2]} == set()


async def test_what_needs_a_server_is_left_out_and_other_links_become_text() -> None:
    found = await files()
    event, tournament = found["events/cup/index.html"], found["tournaments/7/index.html"]
    for text in ("Rules", "<nav", "All"):
        assert text not in event
    assert '<div id="replay" hidden></div>the card' in found["matches/1/3/4.5/index.html"]
    assert "<span>ant</span>" in tournament
    assert '<strong><a href="../../index.html"><img src="../../static/1/icon.svg"></a></strong>' in tournament


async def test_scripts_that_ask_a_server_for_news_are_left_out(site: Site) -> None:
    spring = await site.here.spring(["ant", "bee", "cat", "dog", "eel"])
    await site.here.store.tournaments.start(spring.id)
    paths = (f"/tournaments/{spring.id}", "/matches/1", "/ladders/chinkway")
    pages = {path: (await site.get(path)).text for path in paths}
    for path, page in pages.items():
        assert re.search(r"(tournament|live|fresh)\.js", page), path

    async def get(path: str) -> bytes | None:
        links = "".join(f'<a href="{one}">{one}</a>' for one in pages)
        return pages.get(path, links).encode()

    of_event = SiteArchive("cup", get, tournaments=[spring.id], matches={1: True}, ladders=["chinkway"])
    found = {path: data.decode() async for path, data in of_event.files()}
    for path in pages:
        assert not re.search(r"(tournament|live|fresh)\.js", found[f"{path[1:]}/index.html"]), path


async def test_an_age_becomes_a_moment() -> None:
    assert (
        '<time title="2031-07-01 09:00 UTC">2031-07-01 09:00 UTC</time>, it ended'
        in (await files())["matches/2/index.html"]
    )


async def test_the_record_of_a_match_is_the_file_that_is_verified() -> None:
    found = await files()
    assert 'href="../../records/match-1.json"' in found["matches/1/index.html"]
    assert "<span>closed</span>" in found["matches/2/index.html"]
