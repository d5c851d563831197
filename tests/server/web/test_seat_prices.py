"""What a person's own decisions cost, at its seat once the match is over."""

from __future__ import annotations

import re
from typing import Any

from tests.server.invented_prices import give_prices
from tests.server.web_site import Site, words

from farfalia.v1 import matches_pb2
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.seat_prices import is_on_the_way, seat_prices
from farfalia_server.web.static_files import StaticAddresses

RENDERER = PageRenderer("test", "1", StaticAddresses())


async def over(site: Site) -> matches_pb2.Match:
    """A match that is over."""
    await site.here.register("ant", "bee")
    tournament = await site.here.plan("cup", ("ant", "bee"), 1, ruleset="two")
    await site.here.play_all(tournament)
    (match,) = await site.here.store.matches.of_tournament(tournament.id)
    return await site.here.reader.match(match.id)


async def page(site: Site, match: matches_pb2.Match, name: str) -> str:
    """The seat of an entrant."""
    prices = await seat_prices(site.here.reader, match, name)
    values: dict[str, Any] = {"match": match, "name": name, "state": "over", "at": None, "shown": None, "hint": None}
    values |= {"prices": prices, "pricing": is_on_the_way(prices), "practice": False, "refused": None, "proof": "p"}
    values |= {"comments": None, "commentable": False}
    made = RENDERER.page("seat.html", "play", **values, game=match.ruleset, once=lambda: "o")
    return bytes(made.body).decode()


async def test_a_seat_shows_its_own_prices_and_no_others(site: Site) -> None:
    match = await over(site)
    await give_prices(site.here.store, match.id)
    told = await site.json(f"/api/matches/{match.id}/analysis")
    for seat, name in enumerate(match.entrants):
        own = [one for one in told["decisions"] if one["seat"] == seat]
        shown = words(await page(site, match, name))
        mean = sum(one["price"] for one in own) / len(own)
        assert f"Your {len(own)} decisions cost {mean:.2f} points each, on average" in shown
        mistakes = [one for one in own if one["mistake"]]
        assert shown.count("points dearer than") == min(5, len(mistakes))
        for link in re.findall(rf'<li><a href="(/matches/{match.id}/[\d/.]+)">Deal', await page(site, match, name)):
            assert (await site.get(link)).status_code == 200


async def test_a_seat_says_how_far_its_prices_are(site: Site) -> None:
    match = await over(site)
    assert "Show what my decisions cost" in await page(site, match, "ant")
    await site.here.store.analyses.ask(match.id, "admin", 20)
    waiting = await page(site, match, "ant")
    assert "data-pricing" in waiting
    assert "They are being worked out" in waiting
