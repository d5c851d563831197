"""The page of a bot: how its rating came about, and against whom it does well."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from statistics import NormalDist

import pytest
from tests.server.store_world import claim, five_bots, match_ids, play, record_of, seats, started
from tests.server.web_site import FIVE, Site, words

from farfalia.v1 import bots_pb2, record_pb2
from farfalia.v1.matches_pb2 import ListMatchesRequest
from farfalia_engine import ruleset
from farfalia_server.arena.bot_history import mark_those_that_stand_out
from farfalia_server.contract.conduct import ASKED
from farfalia_server.rating.rater import Rater
from farfalia_server.store import LadderRating, NewMatch, RatingChange, Store
from farfalia_server.web.charts import Axis, line, round_steps
from farfalia_server.wording.bots import expectation
from farfalia_server.wording.phrases import signed


async def test_a_rating_is_drawn_over_time_with_its_versions_and_told_in_a_table(season: Site) -> None:
    changes = [
        RatingChange("chinkway", match, 1, 25.0, 8.0, 25.0 + match, 4.0, match, version)
        for match, version in ((1, "1"), (2, "1"), (3, "2"))
    ]
    await season.here.store.ratings.replace(0, [LadderRating("chinkway", 1, 28.0, 4.0, 3)], changes)
    html = (await season.get("/bots/ant")).text
    (chart,) = re.findall(r'<svg class="history".*?</svg>', html, re.DOTALL)
    assert "Skill on the ladder of chinkway, from 26.0 to 28.0" in chart
    assert chart.count("<polygon") == chart.count('class="break"') == 2
    assert "a line marks each new version. 3 ratings, the latest " in words(html)
    (history,) = (await season.json("/api/bots/ant"))["histories"]
    assert [(point["match"], point["version"], point["mu"]) for point in history["points"]] == [
        ("1", "1", 26.0),
        ("2", "1", 27.0),
        ("3", "2", 28.0),
    ]
    rows = re.findall(
        r'<a href="/matches/(\d)">\d</a></th><td[^>]*><time[^>]*>[^<]*</time></td><td[^>]*>(\d)</td>', html
    )
    assert rows == [("3", "2"), ("2", "1"), ("1", "1")]


def test_beyond_chance_is_what_hardly_any_of_all_opponents_would_show() -> None:
    def met(better: int, worse: int) -> bots_pb2.Opponent:
        number = better + worse
        low, high = (0.6, 1.0) if better > worse else (0.3, 0.7)
        return bots_pb2.Opponent(
            ruleset="two", better=better, worse=worse, share=better / number, low=low, high=high, expected=0.5
        )

    rows = [met(38, 2), met(9, 2), *[met(10, 10)] * 18]
    mark_those_that_stand_out(rows)
    assert [row.stands_out for row in rows] == [True] + [False] * 19
    assert [expectation(row) for row in rows[:3]] == ["beyond chance, more", "more than expected", "as expected"]
    one_match = [met(1, 0)]
    mark_those_that_stand_out(one_match)
    assert not one_match[0].stands_out


async def test_a_bot_shows_how_it_did_against_whom_it_met(season: Site) -> None:
    finished = [await season.here.store.matches.get(number) for number in (1, 2, 3)]
    ant, better = 1, 0
    for match in finished:
        assert match.result is not None
        own = match.bot_ids.index(ant)
        bee = [seat.name for seat in match.seats].index("bee")
        better += match.result.places[own] < match.result.places[bee]
    (row,) = (one for one in (await season.json("/api/bots/ant"))["opponents"] if one["bot"] == "bee")
    assert row["better"] == better
    assert row["better"] + row["worse"] + row["equal"] == 3
    assert "Against each opponent" in await season.text("/bots/ant")


async def test_opponents_that_the_page_has_no_room_for_are_on_pages_of_their_own(site: Site) -> None:
    store = site.here.store
    names = [f"bot-{number:02}" for number in range(52)]
    ant, *others = [(await store.bots.register(name))[0] for name in ("ant", *names)]
    tables = [NewMatch(at, f"board-{at}", seats([ant, *others[at : at + 4]])) for at in range(0, 52, 4)]
    for number in await match_ids(store, await started(store, [ant, *others], tables)):
        await play(store, number)
    page = await site.get("/bots/ant")
    assert pairs(page.text) == names[:20]
    assert '<a href="/bots/ant/opponents?game=chinkway">All 52 opponents</a>' in page.text
    first = (await site.get("/bots/ant/opponents")).text
    (following,) = re.findall(r'<a href="([^"]*)" rel="next"', first)
    assert pairs(first) + pairs((await site.get(unescape(following))).text) == names
    assert [row["bot"] for row in (await site.json("/api/bots/ant"))["opponents"]] == names
    assert "There are only 52 opponents." in await site.text("/bots/ant/opponents?skip=99")


async def played_with(store: Store, causes: Iterable[record_pb2.Cause]) -> int:
    """A match in which the bot at seat 0 was struck for these causes."""
    (number,) = await match_ids(store, await started(store, await five_bots(store)))
    record = record_of(number)
    for at, cause in enumerate(causes):
        record.incidents.add(seat=0, action_index=at, cause=cause, strikes=at + 1, text=f"the server saw {at}")
    claimed = await claim(store, number)
    assert await store.claims.finish(number, claimed.match.epoch, record)
    return number


async def test_incidents_are_counted_by_cause_and_each_cause_leads_to_its_decisions(site: Site) -> None:
    causes = [record_pb2.CAUSE_ILLEGAL, record_pb2.CAUSE_TIMEOUT, *[record_pb2.CAUSE_ILLEGAL] * 10]
    number = await played_with(site.here.store, causes)

    def decisions(html: str) -> list[int]:
        return [int(at) for at in re.findall(rf'href="/matches/{number}/actions/(\d+)"', html)]

    page = (await site.get("/bots/bot-0")).text
    assert "All of them by cause; follow a cause to all its decisions: illegal answer 11 out of time 1" in words(page)
    assert decisions(page) == [11, 1], "the newest of each kind"
    late, illegal = (f"/bots/bot-0/incidents?game=chinkway&cause={cause}" for cause in ("timeout", "illegal"))
    assert f'href="{late}"' in unescape(page)
    assert f'href="{illegal}"' in unescape(page)
    assert decisions((await site.get(late)).text) == [1, 1]
    assert decisions((await site.get(illegal)).text) == [11, *range(11, 1, -1), 0]
    everything = (await site.get("/bots/bot-0/incidents")).text
    assert decisions(everything) == [11, 1, *range(11, -1, -1)]
    assert re.findall(r'<td [^>]*data-label="Incidents">(\d+)</td>', everything) == ["11", "1"]
    assert "All 12 illegal answer 11 out of time 1" in words(everything)
    assert "older ones" not in words(everything)
    assert "None." in await site.text("/bots/bot-1/incidents")
    expected = "expected timeout, illegal, failure or absent"
    assert f"Cause is 'slow'; {expected}" in await site.text("/bots/bot-0/incidents?cause=slow", 400)


async def test_the_page_of_incidents_says_when_there_are_older_ones(site: Site) -> None:
    await played_with(site.here.store, [record_pb2.CAUSE_TIMEOUT] * 101)
    assert "These are its newest 100 incidents; older ones are in" in await site.text("/bots/bot-0/incidents")
    assert "The newest ones by cause; follow a cause" in await site.text("/bots/bot-0")


async def test_a_bot_shows_one_game_and_where_the_others_are(season: Site) -> None:
    rated = [LadderRating(ladder, 1, 28.0, 4.0, 3) for ladder in ("chinkway", "three")]
    await season.here.store.ratings.replace(0, rated, [])
    offered = re.findall(r'<option value="([^"]+)"( selected)?>([^<]*)<', (await season.get("/bots/ant")).text)
    assert offered == [("chinkway", " selected", "Chinkway"), ("three", "", "Three-handed")]
    assert "Places in its last 3 matches" in await season.text("/bots/ant?game=chinkway&version=&since=")
    assert "on the ladder of Three-handed" in (shown := await season.text("/bots/ant?game=three"))
    assert "No finished match yet." in shown
    refused = await season.text("/bots/ant?game=four", 400)
    assert "Game is 'four'; expected chinkway or three" in refused
    assert "There is no parameter 'gam' at this address" in await season.text("/bots/ant?gam=three", 400)


async def test_every_figure_of_a_bot_is_of_one_game_and_version_and_leads_to_its_matches(site: Site) -> None:
    here = site.here
    await here.register(*FIVE)
    await here.play_all(await here.plan("old", FIVE, rounds=5))
    await here.store.bots.renew("ant", "2")
    await here.play_all(await here.plan("new", FIVE, rounds=3))
    for players in ("3", "4"):
        options = {"players": players}
        await here.play_all(await here.plan("other", FIVE[: int(players)], 3, "farrago", options))
    late = await here.store.tournaments.start((await here.plan("late", FIVE[:2], 4, "two")).id)
    for match in await here.store.matches.of_tournament(late.id):
        await here.play(match.id, slow=[seat.name for seat in match.seats].index("ant"))
    await Rater(here.store).rate_all()
    finished = (await here.reader.matches(ListMatchesRequest(limit=1000))).matches
    for game, version in [
        ("chinkway", ""),
        ("chinkway", "1"),
        ("chinkway", "2"),
        ("farrago", ""),
        ("two", "2"),
        ("two", "1"),
    ]:
        asked = f"game={game}&version={version}"
        answer, page = await site.json(f"/api/bots/ant?{asked}"), unescape((await site.get(f"/bots/ant?{asked}")).text)
        own = [one for one in finished if one.ruleset == game and version in ("", "1" if one.tournament == 1 else "2")]
        place = [one.outcome.places[list(one.entrants).index("ant")] for one in own]
        counted = Counter(zip(map(len, (one.entrants for one in own)), place, strict=True))
        assert {(row["seats"], row["place"]): row["matches"] for row in answer["places"] if row["matches"]} == counted
        links = re.findall(r'href="(/matches\?[^"]*&place=\d)">(\d+)</a>', page)
        assert [int(number) for _, number in links] == [row["matches"] for row in answer["places"]]
        met = Counter(name for one in own for name in one.entrants if name != "ant")
        assert {row["bot"]: row["better"] + row["worse"] + row["equal"] for row in answer["opponents"]} == met
        for row in answer["opponents"]:
            margins = [
                one.outcome.points[list(one.entrants).index("ant")]
                - one.outcome.points[list(one.entrants).index(row["bot"])]
                for one in own
                if row["bot"] in one.entrants
            ]
            assert row["ruleset"] == game
            assert row["margin"] == pytest.approx(sum(margins) / len(margins))
            assert f"{row['margin']:+.1f}".replace("-", "−") in words(page)
        links += re.findall(r'href="(/matches\?[^"]*&newest=\d+)"[^>]*>(\d+)</a>', page)
        assert len(links) == len(answer["places"]) + len(met)
        for address, number in links:
            assert len((await site.json(f"/api{address}&state=finished"))["matches"]) == int(number), address
        assert {row["match"] for row in answer["incidents"]} == {str(one.id) for one in own if game == "two"}
        assert ("illegal answer" in page, "out of time" in page) == (False, (game, version) == ("two", "2"))
        records = [await here.store.records.get(one.id) for one in own]
        assert answer.get("times", {}).get("decisions", 0) == sum(map(decisions_of_ant, records))
        assert {int(match) for match in re.findall(r'scope="row"><a href="/matches/(\d+)"', page)} <= {
            one.id for one in own
        }
        assert [point["version"] for one in answer["histories"] for point in one["points"]] == [
            "1" if one.tournament == 1 else "2" for one in reversed(own)
        ]
        shown = words((await site.get(f"/bots/ant/opponents?{asked}")).text)
        assert ("No finished match" in shown) == (not own)
    assert "Version is '3'; expected one of the bot's" in await site.text("/bots/ant?version=3", 400)


async def test_versions_stand_side_by_side_with_what_each_made_and_a_verdict(site: Site) -> None:
    here = site.here
    await here.register(*FIVE)
    await here.play_all(await here.plan("old", FIVE, rounds=5))
    await here.store.bots.renew("ant", "2")
    await here.play_all(await here.plan("new", FIVE, rounds=3))
    rated = [LadderRating("chinkway", 1, mu, 3.0, 10, version=version) for mu, version in ((25.0, "1"), (28.0, "2"))]
    rated += [LadderRating("chinkway", bot, 20.0, 3.0, 10) for bot in range(2, 6)]
    await here.store.ratings.replace(0, rated, [])
    answer = await site.json("/api/bots/ant?game=chinkway&version=2")
    newer, older = answer["results"]
    assert (newer["version"], newer["matches"], newer["before"]) == ("2", 3, "1")
    assert (older["version"], older["matches"], older["before"]) == ("1", 5, "")
    assert "stronger" not in older
    assert newer["stronger"] == pytest.approx(NormalDist().cdf(3 / math.hypot(3, 3)))
    own = [one for one in (await here.reader.matches(ListMatchesRequest(limit=1000))).matches if one.tournament == 2]
    made = [one.outcome.points[list(one.entrants).index("ant")] for one in own]
    assert newer["points"] == pytest.approx(sum(made) / 3)
    page = await site.text("/bots/ant")
    assert "ant 2: 1st of 5 at Chinkway; stronger than 1 with 76 %." in page
    assert f"{sum(made) / 3:.1f}" in page
    assert f" {signed(newer['luck'], 1)} " in page
    page = await site.text("/bots/ant?version=2")
    for part in answer["profile"]:
        interval = f" ± {part['high'] - part['points']:.1f}" if "high" in part else ""
        assert f" {part['deals']} {part['points']:.1f}{interval} " in page
    for row in answer["opponents"]:
        assert 0 <= row["low"] < row["share"] < row["high"] or row["share"] in (0, 1)
        assert row["share"] == pytest.approx((row["better"] + row["equal"] / 2) / 3)
        assert 0.5 < row["expected"] < 0.7, "8 points ahead, of which luck hides most"
        assert f"{100 * row['share']:.0f} %, {100 * row['expected']:.0f} % expected" in page
    assert sum(one["decisions"] for one in answer["times"]["buckets"]) == answer["times"]["decisions"]
    assert answer["times"]["limitMs"] == 1000
    assert "The dashed line is the limit, 1 s." in page


async def test_an_event_and_a_day_rule_the_page_and_the_lists_behind_its_numbers(site: Site) -> None:
    here = site.here
    await here.register(*FIVE)
    await here.play_all(await here.plan("old", FIVE, rounds=3))
    for asked, number in (("since=2020-01-01", 3), ("since=2031-01-01", 0), ("event=arena", 3)):
        address = f"game=chinkway&{asked}"
        answer, page = await site.json(f"/api/bots/ant?{address}"), (await site.get(f"/bots/ant?{address}")).text
        assert sum(row["matches"] for row in answer.get("places", [])) == number
        assert len((await site.json(f"/api/matches?bot=ant&{address}"))["matches"]) == number
        links = re.findall(r'href="(/matches\?[^"]*&amp;place=\d)">(\d+)</a>', page)
        assert sum(int(count) for _, count in links) == number
        for link, count in links:
            assert len((await site.json(f"/api{unescape(link)}"))["matches"]) == int(count)
        assert len(re.findall(r'scope="row"><a href="/matches/(\d+)"', page)) == number
    assert 'value="2031-01-01"' in page or 'name="since" value=""' in page
    assert "Since is 'May'; expected a day such as 2026-11-20" in await site.text("/bots/ant?since=May", 400)
    assert "there is no event 'moon'" in (await site.json("/api/bots/ant?event=moon", 404))["detail"]
    assert "There is no event 'Moon!'" in await site.text("/matches?event=Moon!", 404)


async def test_opponents_are_sorted_by_whom_it_loses_most_to(site: Site) -> None:
    here = site.here
    await here.register(*FIVE)
    await here.play_all(await here.plan("old", FIVE, rounds=5))
    rows = (await site.json("/api/bots/ant"))["opponents"]
    for path in ("/bots/ant", "/bots/ant/opponents"):
        shown = pairs((await site.get(f"{path}?sort=losses")).text)
        balance = {row["bot"]: row["better"] - row["worse"] for row in rows}
        assert [balance[name] for name in shown] == sorted(balance.values())
    assert "Sort is 'name'; expected met, losses, wins or surprise" in await site.text("/bots/ant?sort=name", 400)


@pytest.mark.parametrize(("game", "players"), [("chinkway", FIVE), ("farrago", FIVE[:3])])
async def test_an_incident_says_at_which_card_it_was_and_what_was_done_instead(
    site: Site, game: str, players: tuple[str, ...]
) -> None:
    here = site.here
    await here.register(*players)
    options = {"players": "3"} if game == "farrago" else {}
    cup = await here.store.tournaments.start((await here.plan("cup", players, 2, game, options)).id)
    for match in await here.store.matches.of_tournament(cup.id):
        await here.play(match.id, slow=[seat.name for seat in match.seats].index("ant"))
    incidents = (await site.json("/api/bots/ant"))["incidents"]
    assert len(incidents) == 2
    page = await site.text("/bots/ant/incidents")
    for one in incidents:
        number, index = one["match"], one["incident"]["actionIndex"]
        record = await here.store.records.get(int(number))
        action = record.actions[index]
        assert one["instead"] == ruleset(game, options).text(action.action).rpartition("=")[2]
        if one["card"]:
            answer = await site.client.get(f"/matches/{number}/actions/{index}", follow_redirects=False)
            assert answer.headers["location"] == f"/matches/{number}/{one['deal']}/{one['trick']}.{one['card']}"
            assert f"match {number}, deal {one['deal']}, card {one['trick']}.{one['card']}" in page


def decisions_of_ant(record: record_pb2.Record) -> int:
    seat = [one.name for one in record.seats].index("ant")
    return sum(action.seat == seat and action.cause in ASKED for action in record.actions)


async def test_house_bots_that_fill_a_table_are_opponents_like_others(site: Site) -> None:
    here = site.here
    await here.register("ant")
    await here.play_all(await here.plan("alone", ["ant"], rounds=4))
    rows = (await site.json("/api/bots/ant"))["opponents"]
    assert [(row["bot"], row["better"] + row["worse"] + row["equal"]) for row in rows] == [
        (f"house-greedy-{number}", 4) for number in range(1, 5)
    ]
    assert "house-greedy-4" in await site.text("/bots/ant/opponents")
    assert "Against each opponent" in await site.text("/bots/ant")
    mirrored = next(row for row in (await site.json("/api/bots/house-greedy-1"))["opponents"] if row["bot"] == "ant")
    assert (mirrored["better"], mirrored["margin"]) == (rows[0]["worse"], -rows[0]["margin"])


def pairs(html: str) -> list[str]:
    return re.findall(r'href="/bots/ant/vs/([^"]*)"', html)


def test_round_numbers_mark_an_axis_and_a_line_has_its_ends_on_the_edges() -> None:
    assert round_steps(-3.2, 14.1) == [0.0, 5.0, 10.0]
    assert round_steps(19.9, 20.4) == [19.9, 20.0, 20.1, 20.2, 20.3, 20.4]
    assert line([1.0, 3.0, 2.0], 60, 16) == "0,14.5 30,1.5 60,8"
    assert line([5.0], 60, 16) == ""
    assert [Axis(0, 10).at(value) for value in (-1, 5, 11)] == [0.0, 50.0, 100.0]
