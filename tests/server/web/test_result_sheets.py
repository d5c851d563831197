"""The sheets that each team is handed after a tournament: they say what its page says."""

from __future__ import annotations

import re

from tests.server.web_site import Site


async def test_each_entrant_has_a_sheet_with_its_place_and_its_matches(site: Site) -> None:
    bots = ["ant", "bee", "cat", "dog", "eel"]
    spring = await site.here.spring(bots, rounds=2)
    await site.here.play_all(spring)
    html = (await site.get(f"/tournaments/{spring.id}/sheets")).text
    sheets = re.findall(r'<section class="sheet".*?</section>', html, re.S)
    rows = (await site.here.reader.tournament(spring.id)).standings
    assert [re.findall(r"<h2[^>]*>(.*?)</h2>", sheet)[0] for sheet in sheets] == [row.entrant for row in rows]
    for sheet, row in zip(sheets, rows, strict=True):
        said = " ".join(re.sub(r"<[^>]+>", " ", sheet).split())
        assert f"Place {row.place} of 5" in said
        assert f"Points {row.points:,}" in said
        assert set(re.findall(r'href="/matches/(\d+)"', sheet)) == {
            str(match.id) for match in await site.here.store.matches.of_tournament(spring.id)
        }
    assert f'href="/tournaments/{spring.id}/sheets"' in (await site.get(f"/tournaments/{spring.id}")).text
    assert "there is no tournament 7" in (await site.text("/tournaments/7/sheets", 404)).lower()


async def test_results_that_are_withheld_are_on_no_sheet(site: Site) -> None:
    tournament = await site.here.two_tables()
    first, second = await site.here.store.matches.of_tournament(tournament.id)
    await site.here.play(first.id)
    html = await site.text(f"/tournaments/{tournament.id}/sheets")
    assert f" {first.id} 1 – – " in html
    await site.here.play(second.id)
    assert " – – " not in await site.text(f"/tournaments/{tournament.id}/sheets")


async def test_house_bots_have_no_sheet(site: Site) -> None:
    await site.here.spring(["ant"])
    html = (await site.get("/tournaments/1/sheets")).text
    assert re.findall(r'id="sheet-\d+">(.*?)<', html) == ["ant"]


async def test_a_sheet_says_nothing_of_the_strength_of_what_has_not_played(site: Site) -> None:
    spring = await site.here.spring(["ant", "bee", "cat", "dog", "eel"])
    assert (await site.text(f"/tournaments/{spring.id}/sheets")).count("Strength – ") == 5
