"""The table alone, for frames of other pages."""

from __future__ import annotations

from tests.server.web_site import Site


async def test_only_pages_made_for_it_may_be_framed(season: Site) -> None:
    for path, who in (("/embed/matches/1/3", "*"), ("/matches/1/3", "'none'"), ("/", "'none'")):
        policy = (await season.get(path)).headers["content-security-policy"]
        assert policy.endswith(f"frame-ancestors {who}")
        assert policy.startswith("default-src 'none'; ")


async def test_a_framed_deal_is_the_deal_of_the_page_and_leads_to_it(season: Site) -> None:
    html = (await season.get("/embed/matches/1/3/5.2")).text
    page = (await season.get("/matches/1/3/5.2")).text
    held = '<script type="application/json" id="deal">'
    assert html.split(held)[1].split("</script>")[0] == page.split(held)[1].split("</script>")[0]
    assert '<h1><a href="/matches/1/3" target="_blank" rel="noopener">' in html
    assert '<link rel="next" href="/embed/matches/1/4">' in html
    assert "<form" not in html
    answer = await season.client.get("/embed/matches/1")
    assert (answer.status_code, answer.headers["location"]) == (307, "/embed/matches/1/1")


async def test_a_framed_match_whose_cards_are_closed_is_followed_and_not_told(season: Site) -> None:
    """Match 4 is being played."""
    html = (await season.get("/embed/matches/4?black=true")).text
    assert 'data-events="/api/matches/4/events"' in html
    assert 'id="deal"' not in html
    assert '<html lang="en" class="followed black">' in html
    answer = await season.client.get("/embed/matches/4/1?black=true")
    assert (answer.status_code, answer.headers["location"]) == (307, "/embed/matches/4?black=true")
    assert "has no deal 12; expected 1 to 11" in await season.text("/embed/matches/1/12", 404)
    assert "has no card 1.9" in await season.text("/embed/matches/1/1/1.9", 404)
