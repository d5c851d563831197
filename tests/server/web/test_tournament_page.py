"""The page of a tournament: how it goes on, who is where and why, and what can be taken away."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from google.protobuf.json_format import ParseDict
from tests.server.arena_world import CONTROL, TEN
from tests.server.organising.staged import play_out
from tests.server.web_site import Site, words

from farfalia.v1 import record_pb2
from farfalia.v1.matches_pb2 import ListMatchesRequest
from farfalia_server.organising.director import Director
from farfalia_server.organising.planning import Planner
from farfalia_server.store import PauseCause


async def test_a_tournament_says_who_plays_now_and_links_to_the_table(season: Site) -> None:
    html = (await season.get("/tournaments/2")).text
    assert re.findall(r'<li data-match="(\d+)"><a href="/matches/4">Round 2, match 4</a>', html) == ["4"]
    assert "Waiting for bee to connect." in words(html)
    assert 'data-fact="progress">1 of 3 matches finished, 1 being played</span>' in html
    over = (await season.get("/tournaments/1")).text
    assert 'data-fact="waiting"' in over  # baselines follow, so it is still shown anew


async def test_standings_say_why_a_place_is_a_place_and_leave_out_columns_without_data(season: Site) -> None:
    told = await season.json("/api/tournaments/1")
    html = (await season.get("/tournaments/1")).text
    rows, level = told["standings"], "so they share the place"
    for row, following in pairwise(rows):
        ahead = f"{row['adjusted'] - following['adjusted']:.2f} points per match ahead of {following['entrant']}"
        assert (level if [one["place"] for one in rows].count(row["place"]) > 1 else ahead) in html
    if rows[-1]["place"] == len(rows):
        assert "Last of those who have played." in html
    five = re.search(r'<table class="standings five".*?</thead>', html, re.S)
    assert five is not None
    assert re.findall(r'scope="col"[^>]*>([^<]+)</th>', five[0]) == [
        "Place",
        "Entrant, and why it has its place",
        "Adjusted",
        "Strength, 95 % interval",
        "Matches",
    ]
    assert '<a href="/tournaments/1?columns=all">All columns</a>' in html
    every = (await season.get("/tournaments/1?columns=all")).text
    assert '<a href="/tournaments/1">Five columns</a>' in every
    header = re.findall(r'<th [^>]*scope="col"[^>]*>([^<]+)</th>', every)
    assert "Strikes" not in header
    assert "Forfeits" not in header
    assert {"Adjusted", "Points", "5th"} <= set(header)
    assert "Columns is 'six'; expected five or all" in await season.text("/tournaments/1?columns=six", 400)


async def test_a_tournament_that_is_over_begins_with_its_podium_and_its_bars_are_its_figures(season: Site) -> None:
    rows = (await season.json("/api/tournaments/1"))["standings"]
    html = (await season.get("/tournaments/1")).text
    (steps,) = re.findall(r'<ol class="podium">.*?</ol>', html, re.S)
    assert re.findall(r'href="/bots/([^"]+)"', steps) == [row["entrant"] for row in rows if row["place"] <= 3][:3]
    assert html.index(steps) < html.index('class="standings five"')
    low = min(row["adjusted"] - row["margin"] for row in rows)
    high = max(row["adjusted"] + row["margin"] for row in rows)
    bars = re.findall(r'<rect x="([\d.]+)"[^>]* width="([\d.]+)".*?d="M([\d.]+) 0V10"', html)
    for row, (start, width, middle) in zip(rows, bars, strict=True):
        assert float(start) == pytest.approx(100 * (row["adjusted"] - row["margin"] - low) / (high - low), abs=0.1)
        assert float(width) == pytest.approx(200 * row["margin"] / (high - low), abs=0.2)
        assert float(middle) == pytest.approx(100 * (row["adjusted"] - low) / (high - low), abs=0.1)
    assert 'class="podium"' not in (await season.get("/tournaments/2")).text


async def test_a_planned_tournament_shows_when_it_starts_and_its_entrants_by_seed_and_no_places(site: Site) -> None:
    names = ("eel", "ant", "dog", "bee", "cat")
    await site.here.register(*names)
    cup = await site.here.plan("cup", names, stages="swiss:rounds=2,qualifiers=2 knockout:advance=1", ruleset="two")
    await site.here.store.tournaments.schedule(cup.id, datetime(2031, 5, 4, 18, 30, tzinfo=UTC))
    html = (await site.get(f"/tournaments/{cup.id}")).text
    (seeds,) = re.findall(r'<ol class="entrants" start="1">.*?</ol>', html, re.S)
    assert re.findall(r'href="/bots/([^"]+)"', seeds) == [*names]
    assert '<time datetime="2031-05-04T18:30:00Z" data-local>2031-05-04 18:30 UTC</time> <span data-until>' in html
    assert "/moments.js" in html
    assert "standings five" not in html
    assert "Nobody is playing" not in html
    coming = re.findall(r'<li class="coming">(.*?)</li>', html)
    assert coming == ["1 table, 2 entrants"]


async def test_rounds_that_are_not_drawn_stand_in_the_bracket_with_their_size_and_time(site: Site) -> None:
    names = ("ant", "bee", "cat", "dog")
    await site.here.register(*names)
    cup = await site.here.plan("cup", names, stages="knockout:advance=1,matches=2", ruleset="two")
    await site.here.store.tournaments.start(cup.id)
    await Director(site.here.store, filler="greedy").look()
    first, *_ = await site.here.store.matches.of_tournament(cup.id)
    await site.here.play(first.id)
    html = (await site.get(f"/tournaments/{cup.id}")).text
    assert re.findall(r'<li class="coming">1 table, 2 entrants(.*?)</li>', html) == [""], "no pace is known yet"
    await play_out(site.here, cup)
    assert 'class="coming"' not in (await site.get(f"/tournaments/{cup.id}")).text


async def test_the_standings_are_had_as_a_file_named_after_the_tournament(season: Site) -> None:
    answer = await season.get("/api/tournaments/1?format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="tournament-1.csv"' in answer.headers["content-disposition"]
    assert "there is no parameter 'fromat'" in (await season.json("/api/tournaments/1?fromat=csv", 400))["detail"]
    assert "There is no parameter 'seat'" in await season.text("/tournaments/1?seat=2", 400)


async def test_a_schedule_leads_to_the_boards_that_are_not_in_play_any_more(site: Site) -> None:
    spring = await site.here.spring(TEN)
    assert ", in play" not in await site.text("/tournaments/1"), "nobody has begun"
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1)
    (board,) = {match.board for match in await site.here.store.matches.of_tournament(spring.id)}
    link = f'<a href="/tournaments/1/boards/{board}">{board}</a>'
    html = (await site.get("/tournaments/1")).text
    assert f"{board}, in play" in html
    assert "1 of 2</td>" in html
    assert link not in html
    await site.here.play(2)
    assert link in (await site.get("/tournaments/1")).text
    (only,) = (await site.json("/api/tournaments/1"))["schedule"]
    assert (only["round"], only["matches"], only["over"], only["openBoards"]) == (1, 2, 2, [board])


async def test_a_schedule_whose_rounds_are_alike_says_so_once(season: Site) -> None:
    assert "Schedule All 2 rounds are finished. 1 match per round. Matches" in await season.text("/tournaments/1")
    assert "The only round has not finished a match yet. 1 match per round." in await season.text("/tournaments/3")
    halfway = await season.text("/tournaments/2")
    assert "Round Matches finished 1 1 of 1 2 0 of 1 3 0 of 1" in halfway
    assert "per round" not in halfway


async def test_a_knock_out_has_a_bracket_with_what_each_made_and_who_advances_why(site: Site) -> None:
    names = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu")
    await site.here.register(*names)
    # Deals that come again: by chance, both at a table may make equal scores.
    site.here.planner = Planner(site.here.store, time_control=CONTROL, filler="greedy", secret=bytes(range(32)))
    cup = await site.here.plan("cup", names, stages="knockout:advance=1,matches=2,boards=fresh", ruleset="two")
    await site.here.store.tournaments.start(cup.id)
    await Director(site.here.store, filler="greedy").look()
    await play_out(site.here, cup)
    (stage,) = (await site.json(f"/api/tournaments/{cup.id}"))["stages"]
    found = {str(one.id): one for one in (await site.here.reader.matches(ListMatchesRequest(limit=1000))).matches}
    assert [(one["round"], one["entrant"]) for one in stage["byes"]] == [(1, "ant")]
    assert [table["round"] for table in stage["tables"]] == [1, 1, 1, 2, 2, 3]
    html = (await site.get(f"/tournaments/{cup.id}")).text
    boxes = re.findall(r"<li><table>(.*?)</table>", html[html.index('class="wide bracket"') :], re.S)
    assert len(boxes) == len(stage["tables"])
    for box, table in zip(boxes, stage["tables"], strict=True):
        assert len(table["matches"]) == 2
        points = Counter[str]()
        for number in table["matches"]:
            points.update(dict(zip(found[number].entrants, found[number].outcome.points, strict=True)))
        first, second = table["results"]
        assert {row["entrant"]: row["points"] for row in (first, second)} == points
        assert first["score"] > second["score"] == -first["score"]
        assert [(row["place"], row["advanced"]) for row in (first, second)] == [(1, table["round"] < 3), (2, False)]
        shown = [words(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", box.split("<tbody>")[1], re.S)]
        mark = " wins" if table["round"] == 3 else " advances"
        scores = [f"{row['score']:+.1f}".replace("-", "−") for row in (first, second)]
        assert shown[:4] == ["1", first["entrant"] + mark, str(first["points"]), scores[0]]
        assert shown[4:] == ["2", second["entrant"], str(second["points"]), scores[1]]
    assert '<li class="bye"><a href="/bots/ant">ant</a> <span class="mark">bye</span></li>' in html
    assert "The best by score advance" in html
    final = stage["tables"][-1]["results"][0]
    assert f"Won the final with {final['points']} points in 2 matches, +" in html
    assert re.search(rf'data-entrant="{final["entrant"]}"><td [^>]*data-cell="place">1</td>', html)


class _Still(HTMLParser):
    """What stands on a page outside the parts that are shown again, and the names of these."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: set[str] = set()
        self.text: list[str] = []
        self._tag, self._depth = "", 0
        self.feed(html[html.index("<main") : html.index("</main>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if not self._depth and "data-live" in given:
            self.parts.add(given["id"] or "")
            self._tag = tag
        self._depth += tag == self._tag

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == self._tag
        self._tag = self._tag if self._depth else ""

    def handle_data(self, data: str) -> None:
        if not self._depth:
            self.text += data.split()


async def test_whoever_follows_a_tournament_sees_all_of_it_change_without_loading_it_again(site: Site) -> None:
    names = ("ant", "bee", "cat", "dog")
    await site.here.register(*names)
    cup = await site.here.plan("cup", names, stages="swiss:rounds=2,qualifiers=2 knockout:advance=1", ruleset="two")
    before = _Still((await site.get(f"/tournaments/{cup.id}")).text)
    await site.here.store.tournaments.start(cup.id)
    await Director(site.here.store, filler="greedy").look()
    voided = (await site.here.store.matches.of_tournament(cup.id))[0].id
    await site.here.store.voiding.void(cup.id, [voided], text="wrong bots", replay=True)
    await play_out(site.here, cup)
    html = (await site.get(f"/tournaments/{cup.id}")).text
    for text in ("Bracket of stage 2", "Against each other", "Void attempts", "Ended"):
        assert text in html
    after = _Still(html)
    assert after.parts <= before.parts
    assert set(after.text) <= set(before.text)


async def test_page_projector_and_json_say_whom_a_paused_tournament_waits_for(site: Site) -> None:
    names = [f"bot-{number:02}" for number in range(12)]
    spring = await site.here.spring(names, ruleset="two")
    store = site.here.store
    await store.tournaments.start(spring.id)
    gone = [bot.id for bot in await store.bots.all() if bot.name in names]
    await store.pauses.pause(spring.id, PauseCause.NETWORK, "12 of 12 bots were lost within 30 s", gone=gone)
    end = f"To end the wait, withdraw them, or run: farfalia tournament resume {spring.id}"
    says = (
        "Paused: 12 of 12 bots were lost within 30 s. Missing: bot-00, bot-01, bot-02, bot-03, bot-04 and 7 others. It "
        f"goes on by itself when they are back. {end}"
    )
    for path in (f"/tournaments/{spring.id}", f"/tournaments/{spring.id}/projector"):
        assert says in await site.text(path)
    shown = await site.json(f"/api/tournaments/{spring.id}")
    assert (shown["waiting"], shown["waitingReason"]) == (says, "TOURNAMENT_WAIT_REASON_PAUSED")


async def test_all_open_records_come_in_one_download_and_no_other(site: Site) -> None:
    spring = await site.here.spring(TEN, rounds=12)
    await site.here.store.tournaments.start(spring.id)
    matches = await site.here.store.matches.of_tournament(spring.id)
    for match in matches[:-1]:
        await site.here.play(match.id)
    assert matches[-1].board == matches[-2].board
    address = "/api/records?tournament=1"
    assert f'href="{address}"' in (await site.get("/tournaments/1")).text
    answer = await site.get(address)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == "application/x-ndjson"
    records = [ParseDict(json.loads(line), record_pb2.Record()) for line in answer.text.splitlines()]
    assert sorted(record.match for record in records) == [match.id for match in matches[:-2]]
    for record in records:
        assert record == await site.here.store.records.get(record.match)
    plain = await site.client.get(address, headers={"accept-encoding": "identity"})
    assert plain.text == answer.text
    assert "expected ladder or tournament" in (await site.json("/api/records?round=2", 400))["detail"]
    assert "neither tournament nor ladder is given" in (await site.json("/api/records", 400))["detail"]
    assert "are both given" in (await site.json("/api/records?ladder=two&tournament=1", 400))["detail"]
    assert "tournament is 'two'; expected its number" in (await site.json("/api/records?tournament=two", 400))["detail"]
    assert "there is no tournament 9" in (await site.json("/api/records?tournament=9", 404))["detail"]
