"""The page of a ladder, and the same as JSON."""

from __future__ import annotations

import csv
import json
import random
import re
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser
from itertools import combinations
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from tests.server.store_world import CONTROL
from tests.server.web_site import FIVE, Site, words

from farfalia.v1 import ratings_pb2, record_pb2
from farfalia_server.arena.ladder_table import ladder_table
from farfalia_server.cli.ratings import print_ladder
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.rating.rater import Rater
from farfalia_server.store import FittedRating, Ladder, LadderBins, LadderRating, RatingChange
from farfalia_server.store.ratings.ratings import RatedMatch
from farfalia_server.wording.phrases import decimal, signed
from farfalia_tournaments import PairBin, PointsScale, ReliabilityBin, TrueSkill, letter


class _Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.number = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.number += 1


def bots_of(html: str) -> list[str]:
    return re.findall(r'<th role="rowheader" scope="row" class="name"><a href="/bots/([\w-]+)"[^>]*>', html)


def rows_of(html: str) -> dict[str, dict[str, str]]:
    """The cells of a ladder by bot and by what they are called."""
    cells = re.compile(r'<td [^>]*data-label="([^"]*)"[^>]*>(.*?)</td>', re.DOTALL)
    rows = html.split('<tr role="row">')[1:]
    return {bots_of(row)[0]: {name: words(text) for name, text in cells.findall(row)} for row in rows}


async def rate(site: Site, *ratings: tuple[float, float, int]) -> None:
    """Give the first bots mu, sigma and a number of matches."""
    await site.here.store.ratings.replace(
        0, [LadderRating("chinkway", bot, *rating) for bot, rating in enumerate(ratings, start=1)]
    )


async def test_the_ladder_shows_who_is_where_and_who_is_new(season: Site) -> None:
    await rate(season, (28.0, 3.0, 40), (31.0, 2.0, 1200), (40.0, 8.0, 9))
    text = await season.text("/ladders/chinkway")
    assert "1 bee 25.0 a 1,200 2 ant connected 19.0 a 40 – cat connected still being found 16.0 – 9" in text
    assert "Not rated yet dog eel" in text
    assert "Last match" not in text  # a column without data
    assert "Owner Rating" not in text


async def test_the_ladder_says_whether_luck_counts(site: Site) -> None:
    without, left_in = "points less the luck of the cards", "as it was played, the luck of the cards included"
    assert without in await site.text("/ladders/chinkway")
    assert (await site.json("/api/ratings"))["lessLuck"]
    assert left_in in await site.text("/ladders/farrago"), "the game has no function for it"
    await site.here.store.ladders.open(Ladder("blitz", "chinkway", {}, CONTROL, 4, as_played=True))
    text = await site.text("/ladders/blitz")
    assert left_in in text
    assert without not in text
    assert not (await site.json("/api/ratings?ladder=blitz"))["lessLuck"]


async def test_bots_share_a_letter_if_and_only_if_their_intervals_overlap(site: Site) -> None:
    names = [f"bot-{number}" for number in range(40)]
    await site.here.register(*names)
    chance = random.Random(7)
    await rate(site, *[(chance.gauss(25, 6), chance.uniform(0.5, 3), chance.choice((9, 50))) for _ in names])
    answer = await site.json("/api/ratings")
    placed = [row for row in answer["bots"] if row["settled"]]
    for one, other in combinations(placed, 2):
        overlap = one["low"] <= other["high"] and other["low"] <= one["high"]
        shared = one["group"] <= other["lastGroup"] and other["group"] <= one["lastGroup"]
        assert overlap == shared, (one["bot"], other["bot"])
    assert {(row["group"], row["lastGroup"]) for row in answer["bots"] if not row["settled"]} == {(0, 0)}
    rows = rows_of((await site.get("/ladders/chinkway")).text)
    for row in answer["bots"]:
        first, last = letter(row["group"] - 1), letter(row["lastGroup"] - 1)
        assert rows[row["bot"]]["Level"] == (
            "–" if not row["settled"] else first if first == last else f"{first}–{last}"
        )


async def test_bars_share_an_axis_of_those_that_have_a_place(site: Site) -> None:
    await site.here.register(*FIVE)
    await rate(site, (30.0, 1.0, 50), (29.0, 1.0, 50), (20.0, 1.0, 50), (15.0, 1.0, 50), (29.0, 8.0, 3))
    answer = await site.json("/api/ratings")
    assert (round(answer["lowest"], 2), round(answer["highest"], 2)) == (13.04, 31.96)
    assert 'aria-label="skill 30.0, between 28.0 and 32.0"' in (await site.get("/ladders/chinkway")).text


async def test_house_bots_that_fill_tables_stand_fixed_on_the_ladder_as_they_count(site: Site) -> None:
    here = site.here
    await here.register("ant")
    for rounds in (12, 3):
        await here.play_all(await here.plan("alone", ["ant"], rounds=rounds))
        await Rater(here.store).rate_all()
    answer = await site.json("/api/ratings")
    assert [row["bot"] for row in answer["bots"]] == ["ant"]
    assert [(one["bot"], one["mu"]) for one in answer["fixed"]] == [("house-greedy-1", 25.0)]
    chain = [json.loads(one.line) for one in await here.store.rating_chain.page("chinkway", 0, 100)]
    assert {seat["bot"] for entry in chain for seat in entry["seats"] if "mu" in seat} == {"ant"}
    html = (await site.get("/ladders/chinkway")).text
    fixed = words(html[html.index('class="fixed"') :])
    assert "– house-greedy-1 house fixed – – counts as 25.0 in every match" in fixed
    assert "of skill 25.0 with a sigma of 8.3" in fixed
    assert 'class="fixed"' not in (await site.get("/ladders/chinkway?search=ant")).text
    await here.play_all(await here.plan("entered", ["ant", "house-greedy-1"], rounds=1))
    await Rater(here.store).rate_all()
    answer = await site.json("/api/ratings")
    assert {row["bot"] for row in answer["bots"]} == {"ant", "house-greedy-1"}, "one that is entered is rated"
    assert not answer["fixed"], "its copies are on the ladder"


async def test_house_bots_are_rungs_without_a_place_and_one_row_stands_for_all_copies(site: Site) -> None:
    here = site.here
    await here.register("ant", "bee", "cat")
    store = here.store
    rungs = [await store.bots.ensure_house(f"house-{kind}", kind[:-2]) for kind in ("greedy-1", "greedy-2", "random-1")]
    numbers = [(await store.bots.named([name]))[0].id for name in ("ant", "bee", "cat")] + [rung.id for rung in rungs]
    skills = [(30.0, 1.0, 50), (20.0, 1.0, 50), (25.0, 8.0, 3), (25.0, 1.0, 40), (28.0, 1.0, 60), (10.0, 2.0, 20)]
    ratings = [
        LadderRating("chinkway", number, *skill, seq=at)
        for at, (number, skill) in enumerate(zip(numbers, skills, strict=True), 1)
    ]
    await store.ratings.replace(0, ratings, [])
    answer = await site.json("/api/ratings")
    found = [(row["place"], row["bot"], row["info"]["house"]) for row in answer["bots"]]
    assert found == [
        (1, "ant", ""),
        (0, "house-greedy-2", "greedy"),
        (2, "bee", ""),
        (0, "house-random-1", "random"),
        (3, "cat", ""),
    ]
    assert answer["total"] == 5
    lines = (await site.get("/api/ratings?format=csv")).text.splitlines()
    assert [(line.split(",")[0], line.split(",")[1]) for line in lines[1:]] == [(str(a), b) for a, b, _ in found]
    html = (await site.get("/ladders/chinkway")).text
    assert bots_of(html) == [name for _, name, _ in found]
    places = re.findall(r'<tr role="row"[^>]*><td role="cell" class="n">([^<]*)</td>', html)
    assert places == ["1", "–", "2", "–", "–"]
    grey = [part for part in html.split("<tr ") if part.startswith('role="row" class="fixed"')]
    assert [("greedy-2" in part, "random-1" in part) for part in grey] == [(True, False), (False, True)]
    second = await site.json("/api/ratings?skip=1&limit=2")
    assert [row["bot"] for row in second["bots"]] == ["house-greedy-2", "bee"]


async def test_a_trend_is_drawn_of_the_last_matches(season: Site) -> None:
    changes = [RatingChange("chinkway", match, 1, 25.0, 8.0, 25.0 + match, 7.0, match, "1") for match in (1, 2)]
    rating = LadderRating("chinkway", 1, 27.0, 7.0, 2, seq=1)
    await season.here.store.ratings.replace(0, [rating], changes)
    (row,) = (await season.json("/api/ratings"))["bots"]
    assert row["trend"] == [26.0, 27.0]
    assert "lastMatch" not in row
    assert 'aria-label="from 26.0 to 27.0 in 2 matches"' in (await season.get("/ladders/chinkway")).text


async def test_points_have_one_order_with_mu_on_page_json_csv_and_terminal(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scale(scales: PointsScales, ladder: str) -> PointsScale:
        return PointsScale(15.0, TrueSkill())

    await site.here.register(*FIVE)
    await rate(site, (30.0, 1.0, 50), (32.0, 2.0, 20), (26.0, 1.0, 50), (25.0, 1.0, 50), (20.0, 1.0, 50))
    assert "Points Not in points yet: " in await site.text("/ladders/chinkway"), "too few have met again"
    assert "points" not in (await site.json("/api/ratings"))["bots"][0]
    monkeypatch.setattr(PointsScales, "of", scale)
    told = await site.json("/api/ratings?order=skill")
    points = {row["bot"]: (row["points"], row["pointsMargin"]) for row in told["bots"]}
    assert points["bee"] == (pytest.approx(4.2), pytest.approx(2.352)), "15 / 25 points for each unit of mu above 25"
    by_mu = sorted(told["bots"], key=lambda row: -row["rating"]["mu"])
    assert [row["bot"] for row in by_mu] == sorted(points, key=lambda bot: -points[bot][0])
    table = list(csv.DictReader((await site.get("/api/ratings?order=skill&format=csv")).text.splitlines()))
    assert {row["bot"]: (float(row["points"]), float(row["points_margin"])) for row in table} == points
    page = rows_of((await site.get("/ladders/chinkway?order=skill")).text)
    assert list(page) == [row["bot"] for row in by_mu]
    shown = {bot: f"{signed(made, 1)} ±{decimal(margin, 1)}" for bot, (made, margin) in points.items()}
    assert {bot: cells["Points"] for bot, cells in page.items()} == shown
    print_ladder(ParseDict(told, ratings_pb2.ListRatingsResponse()))
    assert [" ±".join(line.split()[-2:]) for line in capsys.readouterr().out.splitlines()[1:6]] == [
        shown[row["bot"]].replace("−", "-") for row in by_mu
    ]


async def test_what_fits_and_predictions_were_worth_is_published(site: Site) -> None:
    await site.here.register(*FIVE)
    await rate(site, (30.0, 1.0, 50), (32.0, 2.0, 20), (26.0, 1.0, 50), (25.0, 1.0, 50), (20.0, 1.0, 50))
    made = datetime(2030, 1, 1, tzinfo=UTC)
    strengths = [(1.0, 0.5, 1.5), (2.5, 2.0, 3.0), (-1.5, -2.0, -1.0), (0.5, -0.5, 1.5), (-2.5, -4.0, -1.0)]
    await site.here.store.fitted_ratings.replace(
        "chinkway",
        [
            FittedRating("chinkway", bot, "1", 25.0, 20.0, 30.0, 50, made, *strength)
            for bot, strength in enumerate(strengths, start=1)
        ],
    )
    bins = [ReliabilityBin(0.5, 0.55, 1200, 0.524, 0.531), ReliabilityBin(0.95, 1.0, 40, 0.98, 0.925)]
    pairs = [PairBin(0.8, 0.9, 1900, 0.848, 0.667, 0.66), PairBin(0.99, 1.0, 1, 0.998, 0.84, 1.0)]
    await site.here.store.reliability.replace("chinkway", LadderBins(bins, pairs))
    await site.here.register("frog")
    await site.here.store.ratings.replace(
        0, [*await site.here.store.ratings.all(), LadderRating("chinkway", 6, 9.0, 1.0, 50)]
    )
    table = list(csv.DictReader((await site.get("/api/ratings?format=csv")).text.splitlines()))
    fits = [[row[name] for name in row if name.startswith("fit.")] for row in table]
    assert [all(row) for row in fits] == [True] * 5 + [False]
    assert not any(fits[-1]), "what the JSON leaves out is empty"
    text = await site.text("/ladders/chinkway")
    assert "Did predictions come true?" in text
    assert "50 to 55 % 1,200 52.4 % 53.1 % 95 to 100 % 40 98.0 % 92.5 %" in text
    assert (await site.json("/api/ratings"))["reliability"][1]["happened"] == 0.925
    assert "80 to 90 % 1,900 84.8 % 66.7 % 66.0 % 99 to 100 % 1 99.8 % 84.0 % 100.0 %" in text
    assert (await site.json("/api/ratings"))["pairs"][0]["said"] == 0.667
    page = rows_of((await site.get("/ladders/chinkway")).text)
    assert all("Strength" not in row for row in page.values()), "the page has one order"
    rows = {row["bot"]: row["fit"] for row in (await site.json("/api/ratings"))["bots"] if "fit" in row}
    assert (rows["dog"]["strength"], rows["dog"]["strengthLow"], rows["dog"]["strengthHigh"]) == (0.5, -0.5, 1.5)


async def test_a_ladder_is_searched_filtered_and_sorted_by_links(site: Site) -> None:
    await site.here.register(*FIVE)
    await site.here.store.bots.register("Karl", owner="Ana & co")
    await rate(
        site, (20.0, 1.0, 11), (21.0, 1.0, 13), (22.0, 1.0, 12), (23.0, 1.0, 14), (24.0, 1.0, 10), (25.0, 1.0, 99)
    )
    html = (await site.get("/ladders/chinkway")).text
    assert bots_of(html) == ["Karl", "eel", "dog", "cat", "bee", "ant"]
    assert bots_of((await site.get("/ladders/chinkway?search=kar")).text) == ["Karl"]
    (owner,) = re.findall(r'href="(/ladders/chinkway\?owner=[^"]*)"', html)
    assert bots_of((await site.get(unescape(owner))).text) == ["Karl"]
    for order, expected in {"name": "ant", "matches": "Karl", "last": "Karl", "skill": "Karl"}.items():
        assert f'href="/ladders/chinkway?order={order}"' in html or order == "last"  # nobody has a last match here
        assert bots_of((await site.get(f"/ladders/chinkway?order={order}")).text)[0] == expected
    for asked in ("search=kar", "owner=Ana+%26+co", "order=matches&limit=1"):
        assert [row["bot"] for row in (await site.json(f"/api/ratings?{asked}"))["bots"]] == ["Karl"]
    assert "No bot on this ladder fits that" in await site.text("/ladders/chinkway?search=zebra")
    assert "Order is 'size'" in await site.text("/ladders/chinkway?order=size", 400)
    assert "Skip is '-1'" in await site.text("/ladders/chinkway?skip=-1", 400)


async def test_a_long_ladder_is_shown_page_by_page_and_each_page_is_small(season: Site) -> None:
    store, names = season.here.store, [f"a-bot-with-a-name-of-forty-characters-{number}" for number in range(10, 70)]
    for name in names:
        await store.bots.register(name, owner=f"the team of {name}")
    bots = [(await store.bots.by_name(name)).id for name in names]
    changes = [
        RatingChange("chinkway", match, bot, 25.0, 8.0, 25.0 + match / 7, 7.0, match, "1")
        for match in (1, 2, 3)
        for bot in bots
    ]
    await store.ratings.replace(0, [LadderRating("chinkway", bot, 90 - bot / 7, 2.0, 1000) for bot in bots], changes)
    first = await season.get("/ladders/chinkway")
    assert bots_of(first.text) == [*names[:50], "house-greedy-1"], "one for all its copies"
    assert "1 to 50 of 60" in first.text
    assert len(first.content) < 90_000
    assert _Elements(first.text).number < 1300
    (following,) = re.findall(r'href="([^"]*)" rel="next"', first.text)
    last = (await season.get(unescape(following))).text
    assert bots_of(last) == names[50:]
    assert 'rel="next"' not in last
    assert 'href="/ladders/chinkway" rel="prev"' in last


async def test_when_a_bot_played_last_is_the_end_of_its_last_rated_match(season: Site) -> None:
    unrated = await season.here.store.ratings.unrated(1)
    (match,) = unrated.matches
    change = RatingChange("chinkway", match.id, 1, 25.0, 8.0, 26.0, 7.0, 1, "1")
    rating = LadderRating("chinkway", 1, 26.0, 7.0, 1, seq=1)
    await season.here.store.ratings.apply(unrated, [RatedMatch(match, 1, (change,), b"")], [rating], "trueskill")
    row = next(row for row in (await season.json("/api/ratings"))["bots"] if row["bot"] == "ant")
    assert datetime.fromisoformat(row["lastMatch"]).astimezone(UTC) == match.finished


async def test_a_chain_and_the_records_of_a_ladder_come_as_lines(season: Site) -> None:
    await Rater(season.here.store).rate_all()
    html = (await season.get("/ladders/chinkway")).text
    for address in ("/api/ladders/chinkway/chain", "/api/records?ladder=chinkway"):
        assert f'href="{address}"' in html
    answer = await season.get("/api/ladders/chinkway/chain")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"] == 'attachment; filename="chinkway-chain.ndjson"'
    kept = [one.line for one in await season.here.store.rating_chain.page("chinkway", 0, 100)]
    assert answer.text.splitlines() == kept
    assert [json.loads(line)["entry"] for line in kept] == list(range(1, len(kept) + 1))
    rest = await season.get("/api/ladders/chinkway/chain?after=1")
    assert rest.text.splitlines() == kept[1:] != []
    records = await season.get("/api/records?ladder=chinkway")
    assert records.headers["content-disposition"] == 'attachment; filename="chinkway-records.ndjson"'
    found = [ParseDict(json.loads(line), record_pb2.Record()) for line in records.text.splitlines()]
    assert {record.match for record in found} == {json.loads(line)["match"] for line in kept}
    for record in found:
        assert record == await season.here.store.records.get(record.match)
    assert (await season.get("/api/records?ladder=two")).text == ""
    assert (await season.get("/api/ladders/two/chain")).text == ""


async def test_what_a_form_leaves_empty_counts_as_left_out_of_a_download(season: Site) -> None:
    assert (await season.get("/api/ladders/two/chain?after=")).text == ""
    whole = (await season.get("/api/records?ladder=chinkway")).text
    assert (await season.get("/api/records?ladder=chinkway&tournament=")).text == whole
    assert "neither" in (await season.json("/api/records?tournament=", 400))["detail"]


async def test_a_download_of_what_there_is_not_is_refused_by_name(season: Site) -> None:
    assert "there is no ladder 'poker'" in (await season.json("/api/ladders/poker/chain", 404))["detail"]
    assert "there is no ladder 'poker'" in (await season.json("/api/records?ladder=poker", 404))["detail"]
    unknown = await season.json("/api/ladders/two/chain?before=1", 400)
    assert unknown["detail"] == "there is no parameter 'before' at this address; expected after"
    assert "after is 'x'; expected a number" in (await season.json("/api/ladders/two/chain?after=x", 400))["detail"]


async def test_a_ladder_of_another_name_than_its_game_leads_to_its_rules(site: Site) -> None:
    await site.here.store.ladders.ensure("cup-two", "two", "arena", CONTROL)
    html = (await site.get("/ladders/cup-two")).text
    (rules,) = re.findall(r'A ladder of <a href="([^"]+)">two</a>', html)
    await site.get(rules)
    assert "<h1>Ladder of cup-two</h1>" in html


async def test_the_front_page_reads_the_ladder_that_it_shows_and_no_other(
    season: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await season.here.store.ratings.replace(0, [LadderRating(game, 1, 25.0, 3.0, 20) for game in ("two", "four")])
    read = []

    async def noted(store: Any, presence: Any, scales: Any, asked: ratings_pb2.ListRatingsRequest) -> Any:
        read.append(asked.ladder)
        return await ladder_table(store, presence, scales, asked)

    monkeypatch.setattr("farfalia_server.arena.reading.ladder_table", noted)
    assert '<a href="/ladders/four">' in (await season.get("/")).text
    assert read == ["four"]
