"""The page of bots over real HTTP."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from tests.server.web_site import Site


def bots_of(html: str) -> list[str]:
    """The bots that a page has rows for, in order."""
    return re.findall(r'<th role="rowheader"[^>]*><a href="/bots/([^"/?]+)"', html)


async def search(site: Site, text: str, lead: Sequence[str] = ()) -> None:
    """Check which bots a search leads to, on the page and in its JSON."""
    html = (await site.get(f"/bots?search={quote(text)}")).text
    assert bots_of(html) == list(lead)
    assert [row["name"] for row in (await site.json(f"/api/bots?search={quote(text)}"))["bots"]] == list(lead)


async def test_bots_are_found_by_a_part_of_their_name_rated_or_not(site: Site) -> None:
    for name in ("ada", "Karl", "karl_2", "ad_hoc", "zoe"):
        await site.here.store.bots.register(name, owner="Ana & co")
    await search(site, "KAR", ["Karl", "karl_2"])
    await search(site, "ad", ["ad_hoc", "ada"])
    await search(site, "_", ["ad_hoc", "karl_2"])
    for nobody in ("zebra", "%", "a b", "\x00", "ada" * 20):
        await search(site, nobody)
        assert "No bot has this in its name" in await site.text(f"/bots?search={quote(nobody)}")
    assert "Ana & co" in await site.text("/bots?search=ad")


async def test_a_search_that_names_one_bot_leads_to_its_page(site: Site) -> None:
    for name in ("ada", "adam", "Karl"):
        await site.here.store.bots.register(name)
    for text, name in {"ADA": "ada", " kar ": "Karl", "dam": "adam"}.items():
        answer = await site.get(f"/bots?search={quote(text)}", 303)
        assert answer.headers["location"] == f"/bots/{name}"


async def test_all_bots_are_listed_page_by_page(site: Site) -> None:
    names = [f"bot-{number:03}" for number in range(60)]
    for name in names:
        await site.here.store.bots.register(name)
    html = (await site.get("/bots")).text
    (after,) = re.findall(r'href="(/bots\?[^"]*)" rel="next"', html)
    rest = (await site.get(after)).text
    assert bots_of(html) + bots_of(rest) == names
    assert 'rel="next"' not in rest
    assert "There is no parameter 'q' at this address" in await site.text("/bots?q=ada", 400)
