"""The wall of a tournament: its scenes, which of them there are, and which table is the one to watch."""

from __future__ import annotations

import json
import re

from tests.server.arena_world import CONTROL
from tests.server.organising.staged import play_out
from tests.server.web_site import Site, words

from farfalia_engine import ruleset
from farfalia_server.organising.director import Director
from farfalia_server.organising.planning import Planner
from farfalia_server.web.exciting_table import TableScore, excitement, most_exciting
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.wall_page import table_score

TWELVE = [f"bot-{number:02}" for number in range(12)]


def scenes(html: str) -> dict[str, str]:
    """The scenes of a wall by their kind and page, in their order."""
    found = re.findall(r'<section id="([a-z0-9-]+)" class="scene.*?</section>\n', html, re.S)
    return {name: html[html.index(f'<section id="{name}"') :].split("\n</section>")[0] for name in found}


async def a_round_played(site: Site) -> None:
    """A tournament of two rounds on shared boards, of which the first is over."""
    spring = await site.here.spring(TWELVE, rounds=2, ruleset="two")
    await site.here.store.tournaments.start(spring.id)
    for match in await site.here.store.matches.of_tournament(spring.id):
        if match.round == 1:
            await site.here.play(match.id)


def test_the_closer_and_the_later_table_is_the_more_exciting_one() -> None:
    early, late = TableScore(1, (14, 14), deal=3, deals=11), TableScore(2, (70, 66), deal=11, deals=11)
    decided = TableScore(3, (90, 40), deal=11, deals=11)
    assert most_exciting([early, decided, late]) == late
    assert most_exciting([early, decided]) == early
    assert most_exciting([]) is None


def test_of_equally_exciting_tables_the_oldest_match_is_watched() -> None:
    tables = [TableScore(number, (20, 18), deal=5, deals=11) for number in (7, 4, 9)]
    chosen = most_exciting(tables)
    assert chosen is not None
    assert chosen.match == 4


def test_a_lead_counts_by_what_a_deal_brings() -> None:
    few, many = TableScore(1, (12, 10), deal=4, deals=6), TableScore(2, (120, 100), deal=4, deals=6)
    assert excitement(few) == excitement(many)
    assert 0 <= excitement(TableScore(3, (-5, -90), deal=4, deals=6)) < excitement(few)


def test_partners_who_have_the_same_points_are_not_a_close_race() -> None:
    def told(*events: dict[str, object]) -> LiveNews:
        return LiveNews("1", tuple(json.dumps(event, separators=(",", ":")).encode() for event in events))

    news = told(
        {"type": "deal", "number": 1, "totals": [0, 0, 0, 0]},
        {"type": "score", "number": 1, "points": [9, 2, 9, 2], "totals": [9, 2, 9, 2]},
        {"type": "deal", "number": 2, "totals": [9, 2, 9, 2]},
        {"type": "play", "card": "S1"},
    )
    rules = ruleset("four", {})
    assert table_score(5, rules, news) == TableScore(5, (9, 2), deal=2, deals=rules.last_deal)
    assert table_score(5, rules, told({"type": "match"})) == TableScore(5, (), deal=1, deals=rules.last_deal)


async def test_a_wall_has_no_places_before_there_is_a_result(site: Site) -> None:
    spring = await site.here.spring(TWELVE, ruleset="two")
    planned = (await site.get("/tournaments/1/projector")).text
    assert list(scenes(planned)) == ["entrants"]
    assert all(name in planned for name in TWELVE)
    await site.here.store.tournaments.start(spring.id)
    started = scenes((await site.get("/tournaments/1/projector")).text)
    assert list(started) == ["round"]
    assert "0 of 6 matches are over. Next at the tables" in words(started["round"])
    assert started["round"].count(" · ") == 6


async def test_a_wall_shows_standings_ten_a_page_and_nothing_that_needs_an_explanation(site: Site) -> None:
    await a_round_played(site)
    html = (await site.get("/tournaments/1/projector")).text
    found = scenes(html)
    assert list(found) == ["standings", "standings-2", "round", "result"]
    assert [found[name].count('scope="row"') for name in ("standings", "standings-2")] == [10, 2]
    heads = re.findall(r'<th [^>]*scope="col"[^>]*>([^<]+)</th>', found["standings"])
    assert heads == ["Place", "Entrant", "Points", "Matches"]
    match = (await site.json("/api/matches?tournament=1&state=finished"))["matches"][0]
    best, other = sorted(zip(match["outcome"]["places"], match["entrants"], match["outcome"]["points"], strict=True))
    assert f"1st {best[1]} {best[2]}" in words(found["result"])
    assert f"{other[1]} {other[2]}" in words(found["result"])
    assert "<nav" not in html
    assert 'href="/tournaments/1/projector"' in (await site.get("/tournaments/1")).text
    assert "there is no tournament 7" in (await site.text("/tournaments/7/projector", 404)).lower()


async def test_a_wall_without_scripts_has_one_scene_and_links_to_the_others(site: Site) -> None:
    await a_round_played(site)
    html = (await site.get("/tournaments/1/projector?scene=result&black=true")).text
    assert [name for name, scene in scenes(html).items() if " hidden" not in scene.split(">")[0]] == ["result"]
    links = re.findall(r'href="/tournaments/1/projector\?scene=([a-z0-9-]+)&amp;black=true"', html)
    assert links == ["standings", "standings-2", "round", "result"]
    assert '<html lang="en" class="black">' in html
    gone = (await site.get("/tournaments/1/projector?scene=podium")).text
    assert " hidden" not in scenes(gone)["standings"].split(">")[0], "a scene that there is not yet"
    refused = await site.text("/tournaments/1/projector?scene=poduim", 400)
    assert "Scene is 'poduim'; expected standings, standings-2, round, result" in refused
    assert "Black is 'yes'; expected true or false" in await site.text("/tournaments/1/projector?black=yes", 400)


async def test_a_wall_has_a_code_that_leads_to_the_tournament(site: Site) -> None:
    await site.here.spring(TWELVE, ruleset="two")
    html = (await site.get("/tournaments/1/projector")).text
    assert re.search(r'<svg [^>]*class="segno"', html)
    assert "http://arena.example:7601/tournaments/1" in words(html)


async def test_at_the_end_the_winner_stands_on_a_podium_with_owner_and_margin(site: Site) -> None:
    names = ("ant", "bee", "cat", "dog")
    await site.here.register(*names)
    site.here.planner = Planner(site.here.store, time_control=CONTROL, filler="greedy", secret=bytes(range(32)))
    cup = await site.here.plan("cup", names, stages="knockout:advance=1,matches=2,boards=fresh", ruleset="two")
    await site.here.store.tournaments.start(cup.id)
    await Director(site.here.store, filler="greedy").look()
    await play_out(site.here, cup)
    found = scenes((await site.get(f"/tournaments/{cup.id}/projector")).text)
    assert list(found) == ["podium", "standings", "bracket", "result"]
    told = (await site.json(f"/api/tournaments/{cup.id}"))["standings"]
    owner = (await site.json(f"/api/bots/{told[0]['entrant']}"))["bot"].get("owner", "")
    said = words(found["podium"])
    assert f"The winner 1st {told[0]['entrant']} {f'of {owner} ' if owner else ''}Won the final with" in said
    assert f"2nd {told[1]['entrant']}" in said
    assert words(found["bracket"]).startswith("The knock-out Round 1 ")
    assert f"{told[0]['entrant']} " in words(found["bracket"]).split("Final")[1]
