"""The list of matches over real HTTP: its order, and what it can be searched for."""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.server.web_site import Site


async def test_matches_are_shown_page_by_page_those_that_ended_last_first(season: Site) -> None:
    html = (await season.get("/matches?limit=2")).text
    assert numbers(html) == ["3", "2"]
    (older,) = re.findall(r'href="(/matches\?[^"]+)" rel="next"', html)
    assert "There is no finished match 4 to continue after" in await season.text("/matches?before=4", 404)
    rest = (await season.get(unescape(older))).text
    assert numbers(rest) == ["1"]
    assert "Older matches" not in rest


async def test_planned_matches_never_hide_played_ones(season: Site) -> None:
    assert numbers((await season.get("/matches")).text) == ["3", "2", "1"]
    for state, tab, found in (("running", "Now", ["4"]), ("waiting", "Waiting", ["6", "5"]), ("void", "Given up", [])):
        html = (await season.get(f"/matches?state={state}")).text
        assert numbers(html) == found
        assert f'aria-current="page">{tab}</a>' in html
        assert [match["id"] for match in (await season.json(f"/api/matches?state={state}"))["matches"]] == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("game=chinkway", ["3", "2", "1"]),
        ("game=two", []),
        ("bot=ant", ["3", "2", "1"]),
        ("bot=ant&against=cat", ["2", "1"]),
        ("bot=cat&tournament=1", ["2", "1"]),
        ("bot=cat&tournament=2", []),
        ("bot=ant&version=1", ["3", "2", "1"]),
        ("bot=ant&version=2", []),
        ("strikes=true", []),
        ("bot=&game=&place=&tournament=1", ["2", "1"]),  # as a form sends what was left empty
    ],
)
async def test_matches_are_found_by_what_is_asked(season: Site, asked: str, found: list[str]) -> None:
    assert numbers((await season.get(f"/matches?{asked}")).text) == found
    told = await season.json(f"/api/matches?state=finished&{asked}")
    assert [match["id"] for match in told["matches"]] == found


async def test_matches_are_found_by_the_place_of_a_bot(season: Site) -> None:
    wanted: dict[int, list[str]] = {}
    for number in (3, 2, 1):
        match = await season.here.store.matches.get(number)
        assert match.result is not None
        wanted.setdefault(match.result.places[match.bot_ids.index(1)], []).append(str(number))
    for place in range(1, 6):
        assert numbers((await season.get(f"/matches?bot=ant&place={place}")).text) == wanted.get(place, [])
    counts = {one["place"]: one["matches"] for one in (await season.json("/api/bots/ant"))["places"]}
    assert {place: number for place, number in counts.items() if number} == {
        place: len(found) for place, found in wanted.items()
    }


async def test_a_match_with_a_strike_is_found_and_leads_to_the_decision(site: Site) -> None:
    await site.here.register("ant", "bee")
    spring = await site.here.plan("spring", ("ant", "bee"), rounds=2)
    await site.here.store.tournaments.start(spring.id)
    one, two = await site.here.store.matches.of_tournament(spring.id)
    slow = one.seats[0].name
    await site.here.play(one.id, slow=0)
    await site.here.play(two.id)
    assert numbers((await site.get("/matches?strikes=true")).text) == [str(one.id)]
    assert numbers((await site.get(f"/matches?bot={slow}&strikes=true")).text) == [str(one.id)]
    (link,) = re.findall(r'href="(/matches/\d+/actions/\d+)"', (await site.get(f"/bots/{slow}")).text)
    index = int(link.rpartition("/")[2])
    record = await site.here.store.records.get(one.id)
    assert record.incidents[0].action_index == index
    led = await site.client.get(link)
    assert led.status_code == 307
    assert await site.get(led.headers["location"])
    assert re.fullmatch(rf"/matches/{one.id}/\d+/\d+\.\d+", led.headers["location"])
    await site.get(f"/matches/{one.id}/actions/{len(record.actions)}", 404)


async def test_a_strike_that_was_no_card_leads_to_the_card_beside_it(site: Site) -> None:
    await site.here.register("ant", "bee")
    spring = await site.here.plan("spring", ("ant", "bee"), rounds=1)
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1, slow=0, collecting=True)
    (incident,) = (await site.here.store.records.get(1)).incidents
    shown = (await site.get("/matches/1")).text
    assert f'<a href="/matches/1/actions/{incident.action_index}">after action {incident.action_index}</a>' in shown
    led = await site.client.get(f"/matches/1/actions/{incident.action_index}")
    assert re.fullmatch(r"/matches/1/\d+/\d+\.\d+", led.headers["location"])


def numbers(html: str) -> list[str]:
    """The matches of a list, in its order."""
    return re.findall(r'<th role="rowheader" scope="row"><a href="/matches/(\d+)">', html)
