"""Pages in the language of their reader: as chosen at the foot of a page, or else as the browser asks."""

from __future__ import annotations

import json
from functools import partial

import httpx
import pytest
from starlette.applications import Starlette
from tests.server.web_site import Site, addresses

from farfalia_server.arena import Reader
from farfalia_server.web import create_front, create_web, fetch
from farfalia_server.web.page_cache import PageCache
from farfalia_server.web.reader_language import preferred
from farfalia_server.web.tournament_feed import TournamentFeed
from farfalia_server.wording.language import speaking

HEADINGS = {"en": "Bots play cards here", "it": "Qui giocano a carte i bot", "fr": "Ici, des bots jouent aux cartes"}


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("it", "it"),
        ("IT-ch", "it"),
        ("fr-CA, fr;q=0.9, en;q=0.5", "fr"),
        ("de, it;q=0.3, en;q=0.2", "it"),
        ("en;q=0.4, it;q=0.4", "en"),
        ("it;q=0.5, fr;q=0.6", "fr"),
        ("it;q=0, fr;q=0", "en"),
        ("*, it;q=0.5", "en"),
        ("de", "en"),
        ("it;q=much, fr;q=2, en;q=0.1", "en"),
        ("it;q=nan", "en"),
        (";;;,,it ; q=0.5", "it"),
        ("it" * 4000, "en"),
    ],
)
def test_a_browser_says_which_languages_it_prefers(header: str, code: str) -> None:
    assert preferred(header) == code


@pytest.mark.parametrize("code", HEADINGS)
async def test_a_page_is_in_the_language_that_the_browser_asks_for(season: Site, code: str) -> None:
    page = await season.client.get("/", headers={"accept-language": code})
    assert HEADINGS[code] in page.text
    assert f'<html lang="{code}">' in page.text
    assert page.headers["content-language"] == code
    assert {"accept-language", "cookie"} <= {name.strip().lower() for name in page.headers["vary"].split(",")}


@pytest.mark.parametrize(
    ("cookie", "code"),
    [
        ("farfalia-language=fr", "fr"),
        ("a=b; farfalia-language=en; c", "en"),
        ("farfalia-language=xx", "it"),
        ("farfalia-language=../../etc; farfalia-language", "it"),
        ('=;;farfalia-language="fr', "it"),
        ("other-farfalia-language=fr", "it"),
    ],
)
async def test_a_choice_counts_more_than_the_browser_and_garbage_is_none(season: Site, cookie: str, code: str) -> None:
    page = await season.client.get("/", headers={"accept-language": "it", "cookie": cookie})
    assert page.headers["content-language"] == code


async def test_the_form_at_the_foot_leads_back_to_its_page_in_the_language(season: Site) -> None:
    client, before = season.client, f"{season.address}/matches?bot=ant"
    assert '<form class="languages" data-server action="/language" method="post"' in (await client.get(before)).text
    chosen = await client.post("/language", data={"language": "fr"}, headers={"referer": before})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/matches?bot=ant")
    page = await client.get(chosen.headers["location"])
    assert "Parties de ant" in page.text
    assert 'value="fr" lang="fr" aria-current="true"' in page.text


@pytest.mark.parametrize("before", ["", "https://elsewhere.example/matches", "http://[", "nothing", "//x"])
async def test_a_choice_leads_to_no_other_site(season: Site, before: str) -> None:
    chosen = await season.client.post("/language", data={"language": "it"}, headers={"referer": before})
    assert chosen.headers["location"] == "/"
    twice = await season.client.post(
        "/language", data={"language": "it"}, headers={"referer": f"{season.address}//elsewhere.example"}
    )
    assert twice.headers["location"] == "/"


async def test_a_choice_of_no_language_or_from_another_site_is_refused(season: Site) -> None:
    unknown = await season.client.post("/language", data={"language": "tlh"})
    assert unknown.status_code == 400
    assert "expected one of en, it, fr" in unknown.text
    foreign = await season.client.post("/language", data={"language": "it"}, headers={"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    assert not season.client.cookies


async def test_a_cached_page_is_sent_to_readers_of_its_language_alone(season: Site) -> None:
    web = create_web(season.here.reader, addresses, server_name="a test", server_version="1")
    seconds = 0.0
    front = create_front(PageCache(partial(fetch, web), now=lambda: seconds), PageCache(partial(fetch, Starlette())))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(front), base_url="http://here") as client:
        tags = set()
        for code in ("en", "it", "fr", "it", "en"):
            page = await client.get("/matches/1", headers={"accept-language": code})
            assert f'<html lang="{code}">' in page.text
            tags.add(page.headers["etag"])
        assert len(tags) == 3
        english = (await client.get("/matches/1")).headers["etag"]
        same = await client.get("/matches/1", headers={"if-none-match": english})
        other = await client.get("/matches/1", headers={"if-none-match": english, "accept-language": "it"})
        assert (same.status_code, other.status_code) == (304, 200)


async def test_a_deal_is_told_in_the_language_of_the_reader(season: Site) -> None:
    page = (await season.client.get("/matches/1/1", headers={"accept-language": "it"})).text
    assert "10 di fragole, una farfalla" in page
    assert "10 of strawberries" not in page
    assert "10 of strawberries, a butterfly" in (await season.client.get("/matches/1/1")).text


async def test_events_of_a_stream_are_in_the_language_that_its_page_asks_for(season: Site) -> None:
    page = await season.client.get("/tournaments/2", headers={"accept-language": "it"})
    assert 'data-events="/api/tournaments/2/events?language=it"' in page.text
    said = {}
    for code in HEADINGS:
        with speaking(code):
            (about, *_) = await TournamentFeed(season.here.reader, 1).news()
        said[code] = json.loads(about.body)["progress"]
    assert said == {
        "en": "2 of 2 matches finished",
        "it": "2 partite su 2 finite",
        "fr": "2 parties sur 2 terminées",
    }


async def test_a_stream_refuses_a_language_that_pages_are_not_in(season: Site) -> None:
    async def opened() -> Reader:
        return season.here.reader

    nothing = PageCache(partial(fetch, Starlette()))
    front = create_front(nothing, nothing, tournaments=opened)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(front), base_url="http://here") as client:
        refused = await client.get("/api/tournaments/1/events?language=tlh")
    assert refused.json()["detail"] == "language is 'tlh'; expected en, it or fr"


async def test_programs_and_documents_are_in_english(season: Site) -> None:
    french = {"accept-language": "fr"}
    assert (await season.client.get("/api/tournaments/1", headers=french)).json() == await season.json(
        "/api/tournaments/1"
    )
    refused = await season.client.get("/api/bots/nobody", headers=french)
    assert refused.json()["title"] == "Not found"
    table = await season.client.get("/api/tournaments/1?format=csv", headers=french)
    assert table.text == (await season.get("/api/tournaments/1?format=csv")).text
    document = (await season.client.get("/docs/rules", headers=french)).text
    assert "Aller au contenu" in document
    assert '<div class="written" lang="en">' in document
    missing = (await season.client.get("/nowhere", headers=french)).text
    assert "Introuvable" in missing
    assert "Cette page n’existe pas." in missing
