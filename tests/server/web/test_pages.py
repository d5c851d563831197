"""The pages over real HTTP."""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.server.arena_world import played
from tests.server.organising.staged import play_out
from tests.server.store_world import claim, match_ids, planned
from tests.server.web_site import FIVE, Site, words

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.said import in_english
from farfalia_server.organising.director import Director
from farfalia_server.store import NewLogLine, NonceReceipt
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.crosstable import CAPTION, Lean

# What every page has in common ---------------------------------------------------------------------------------


@pytest.mark.slow
async def test_every_link_of_every_page_leads_somewhere(season: Site) -> None:
    seen, todo, anchors = set[str](), ["/", "/ladders/chinkway"], set[str]()
    names = dict[str, set[str]]()
    while todo:
        path = todo.pop()
        answer = await season.get(path)
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        assert re.search(r"<title>[^<]+ · Farfalia</title>", answer.text), path
        assert answer.text.count("<h1>") == 1, path
        whole = {link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*)"', answer.text)}
        if path.startswith("/docs/"):  # only documents name other sites
            whole = {link for link in whole if not re.match(r"https?://", link)}
        links = {link.partition("#")[0] for link in whole}
        names[path] = set(re.findall(r' id="([^"]*)"', answer.text))
        anchors |= {link for link in whole if link.partition("#")[0] and "#" in link}
        assert {link[1:] for link in whole if link.startswith("#")} <= names[path], path
        assert all(link.startswith("/") for link in links - {""}), path
        # The deals of one match are enough; what belongs to an account leads to where one signs in.
        todo += (one for one in links - seen - {""} if not re.match(r"/matches/([2-9]|\d\d+)/|/account/", one))
        seen |= links
    assert any(anchor.endswith("#pairs") for anchor in anchors)
    assert [one for one in anchors if one.partition("#")[2] not in names.get(one.partition("#")[0], set())] == []
    assert {"/tournaments/1", "/matches/1", "/bots/ant", "/records/1.json", "/api/openapi.json"} <= seen


async def test_nothing_foreign_is_loaded_and_no_page_has_a_script_of_its_own(season: Site) -> None:
    for path in (
        "/ladders/chinkway",
        "/tournaments/1",
        "/matches/1",
        "/matches/1/2",
        "/bots/ant",
        "/nowhere",
        StaticAddresses()("style.css"),
    ):
        answer = await season.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        loaded = r'<script type="module"(?: blocking="render")? src="/static/|<script type="application/json" '
        # Links that are shared name the server itself.
        text = re.sub(loaded, "", answer.text).replace("http://arena.example:7601/", "/")
        assert not re.search(r"<script|style=|https?://|@import", text), path


async def test_what_users_write_is_never_markup(site: Site) -> None:
    await site.here.register(*FIVE)
    await site.here.store.bots.register("fox", owner="<b>bold</b> & co")
    await site.here.plan("<script>alert(1)</script>", FIVE, rounds=1)
    for path in ("/", "/tournaments", "/tournaments/1", "/bots/fox", "/bots/<i>x</i>", "/ladders/<i>y<i>"):
        text = (await site.client.get(path)).text
        assert "<script>" not in text
        assert "<b>" not in text
        assert "<i>" not in text
    assert "<b>bold</b> & co" in await site.text("/bots/fox")
    assert "<script>alert(1)</script>" in await site.text("/tournaments/1")


async def test_what_is_not_there_is_named(site: Site) -> None:
    for path, status, sentence in (
        ("/nowhere", 404, "there is no such page"),
        ("/bots/nobody", 404, "there is no bot 'nobody'"),
        ("/bots/%00", 404, r"there is no bot '\x00'"),
        ("/tournaments/7", 404, "there is no tournament 7"),
        ("/tournaments/seven", 404, "there is no tournament 'seven'"),
        ("/matches/99999999999999999999", 404, "there is no match '99999999999999999999'"),
        ("/matches?before=-1", 400, "before is '-1'"),
        ("/matches?limit=1001", 400, "limit is '1001'"),
        ("/matches?bot=nobody", 404, "there is no bot 'nobody'"),
        ("/matches?against=ant", 400, "against is given without a bot; expected both"),
        ("/matches?bot=ant&place=6", 400, "place is '6'"),
        ("/matches?place=1", 400, "place is given without a bot"),
        ("/matches?strikes=perhaps", 400, "strikes is 'perhaps'"),
        ("/matches?game=chess", 400, "game is 'chess'; expected one of basic"),
        ("/matches?state=running&strikes=true", 400, "strikes is that of a finished match; expected no other state"),
        ("/matches?befor=3", 400, "there is no parameter 'befor' at this address"),
        ("/bots/ant/vs/ant", 404, "'ant' has not met itself; expected two bots"),
        ("/ladders/poker", 404, "there is no ladder 'poker'"),
    ):
        assert f"{sentence[0].upper()}{sentence[1:]}" in await site.text(path, status)
        if not path.startswith(("/nowhere", "/ladders")):
            answer = await site.json(f"/api{path}", status)
            assert sentence in answer["detail"]
            assert answer["reason"].isupper()


async def test_a_bot_that_is_not_there_is_answered_with_the_name_that_was_meant(site: Site) -> None:
    for name in ("ada", "Karl", "ad_hoc"):
        await site.here.store.bots.register(name)
    for asked, meant in {"Ada": "ada", "karl": "Karl", "adaa": "ada", "Ad_hok": "ad_hoc"}.items():
        assert f"There is no bot '{asked}' (did you mean {meant}?)" in await site.text(f"/bots/{asked}", 404)
        assert f"(did you mean {meant}?)" in (await site.json(f"/api/bots/{asked}", 404))["detail"]
    assert "did you mean" not in await site.text("/bots/zebra", 404)


async def test_an_error_has_its_http_name_and_is_a_sentence(site: Site) -> None:
    for method, path, status, heading in (
        ("GET", "/nowhere", 404, "Not found"),
        ("GET", "/matches?limit=1001", 400, "Bad request"),
        ("DELETE", "/tournaments", 405, "Method not allowed"),
    ):
        answer = await site.client.request(method, path)
        assert answer.status_code == status
        assert f"<h1>{heading}</h1>" in answer.text
        assert re.search(r"<p>[A-Z/].*\.</p>", answer.text)


async def test_an_empty_server_has_pages_too(site: Site) -> None:
    front = await site.text("/")
    for nothing in ("No match has been played", "No match of chinkway has been rated", "There is no tournament"):
        assert f"{nothing} yet" in front
    assert "No match of chinkway has been rated yet" in await site.text("/ladders/chinkway")
    assert "There is no tournament yet" in await site.text("/tournaments")
    assert "No matches" in await site.text("/matches")


# Single pages --------------------------------------------------------------------------------------------------


async def test_the_nodes_are_shown_with_what_they_play(site: Site) -> None:
    text = await site.text("/nodes")
    assert "node-a 2 of 8 0 0.50 2 ms" in text
    assert "plays 0.1.0 node-b 0 0 0.00 0 ms" in text


async def test_the_front_page_shows_what_is_on_and_how_to_take_part(season: Site) -> None:
    text = await season.text("/")
    assert re.search(r"At the tables now chinkway, match 4 started (just now|\d+ minutes? ago)", text)
    assert "Top of the ladder" in text
    assert "summer chinkway, running 1 of 3 1 of 3 matches" in text
    assert text.index("summer chinkway") < text.index("autumn chinkway") < text.index("spring chinkway")
    assert "pip install http://arena.example:7601/downloads/farfalia-9.8.7-py3-none-any.whl" in text
    assert "The rules in 60 seconds" in text


async def test_a_tournament_shows_its_tables_and_keeps_its_secret_until_it_is_over(season: Site) -> None:
    over, running = await season.text("/tournaments/1"), await season.text("/tournaments/2")
    spring = await season.here.store.tournaments.get(1)
    assert spring.secret.hex() in over
    assert spring.commitment.hex() in over
    assert "2 of 2 matches finished" in over
    assert "1 of 3 matches finished, 1 being played" in running
    assert "published when the tournament is over" in running
    assert "Waiting for bee to connect." in running
    for text in (over, running):
        assert "Standings" in text
        assert "Against each other" in text


async def test_a_tournament_with_stages_shows_how_each_stands_and_who_qualified(site: Site) -> None:
    names = ("ant", "bee", "cat", "dog")
    stages = "swiss:rounds=1,qualifiers=2 knockout:advance=1,boards=fresh"
    await site.here.register(*names)
    staged = await site.here.plan("staged", names, stages=stages, ruleset="two")
    page = await site.text(f"/tournaments/{staged.id}")
    assert "Stage 2: Knock-out, 1 of each table advances, fresh boards It has not started." in page
    await site.here.store.tournaments.start(staged.id)
    await Director(site.here.store, filler="greedy").look()
    await play_out(site.here, staged)
    page = await site.text(f"/tournaments/{staged.id}")
    assert "3 of 3 matches finished" in page
    assert len(re.findall(r"(?:ant|bee|cat|dog) wins", page)) == 1
    assert "Stage 1, Swiss: Paired by score" in page
    assert "Stage 2, Knock-out: 2 at 1 table." in page
    assert "all tables of a round play the same board, unless a stage" in page
    assert re.search(r"Matches Most recently finished .*? 2\.1 (ant|bee|cat|dog) ", page)
    first, second = (await site.json(f"/api/tournaments/{staged.id}"))["stages"]
    assert [row["qualified"] for row in first["standings"]] == [True, True, False, False]
    assert [row["reachedRound"] for row in second["standings"]] == [1, 1]


async def test_only_what_is_still_going_on_is_shown_again_and_no_page_reloads_itself(season: Site) -> None:
    page = await season.get("/tournaments/1")
    assert "2 boards have no baseline yet" in page.text
    assert "/tournament.js" in page.text
    assert 'data-events="/api/tournaments/1/events"' in page.text
    points = (50, 40, 30, 20, 10)
    missing = await season.here.store.baselines.missing()
    await season.here.store.baselines.keep({(one.tournament_id, one.board): points for one in missing})
    assert "baseline follows" not in await season.text("/tournaments/1")
    for path, live in (
        ("/tournaments/1", 0),
        ("/tournaments/2", 1),
        ("/matches/1", 0),
        ("/", 1),
        ("/ladders/chinkway", 1),
    ):
        html = (await season.get(path)).text
        assert 'http-equiv="refresh"' not in html
        assert (html.count('type="module"') > 0) == live, path
        refreshing = rf'<noscript( data-server)?><p><a href="{re.escape(path)}">Refresh this page</a></p></noscript>'
        assert len(re.findall(refreshing, html)) == live, path
    assert "/live.js" in (await season.get("/matches/4")).text
    assert "live.js" not in (await season.get("/matches/1")).text


async def test_a_page_whose_standings_take_long_is_shown_without_them(
    season: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_ready(*_: object, **__: object) -> tournaments_pb2.Tournament:
        raise NotReady(in_english("the standings of tournament 2 are being computed"))

    monkeypatch.setattr(season.here.reader, "tournament", not_ready)
    page = (await season.get("/tournaments/2")).text
    assert "The standings are being computed; <a href=" in page
    assert "match 4" in page
    unready = re.findall(r'<div id="(\w+)" data-live data-unready>', page)
    assert unready == ["story", "brackets", "standings", "stages", "pairs", "schedule"], (
        "who has them sees them until there are new ones"
    )


async def test_points_of_more_deals_than_a_phone_has_columns_are_numbered_by_deal(season: Site) -> None:
    store = season.here.store
    bots = [(await store.bots.register(f"four-{seat}"))[0] for seat in range(4)]
    spring = await planned(store, bots, ruleset="four", options={"hands": "12"})
    (number,) = await match_ids(store, await store.tournaments.start(spring.id))
    claimed = await claim(store, number)
    assert await store.claims.finish(number, claimed.match.epoch, played(claimed))
    page = (await season.get(f"/matches/{number}")).text
    numbered = re.findall(r'class="n of-deal" data-label="(\d+)"', page)
    assert numbered == [f"{deal}" for _ in range(4) for deal in range(1, 13)]
    assert 'class="n of-deal" data-label' not in (await season.get("/matches/1")).text


async def test_a_match_is_shown_deal_by_deal(season: Site) -> None:
    deals = re.findall(
        r'<th role="rowheader" scope="row"><a href="(/matches/1/\d+)">', (await season.get("/matches/1")).text
    )
    html = "".join([(await season.get(path)).text for path in deals])
    assert [int(number) for number in re.findall(r'id="deal-(\d+)"', html)] == list(range(1, 12))
    assert html.count('title="won the trick"') == html.count('title="led"') == 110
    assert html.count(", who discards ") == html.count("<dt>Trumps</dt>") == html.count('<dl class="facts">') == 11
    record = await season.here.store.records.get(1)
    # 52 cards as dealt, 50 as they were played, two discarded; beside them what was collected.
    assert html.count('class="card ') >= 11 * 104
    match = (await season.get("/matches/1")).text
    assert record.source.board_key.hex() in match
    for points in record.outcome.points:
        assert f'data-label="Points">{points}</td>' in match


async def test_a_match_names_its_tournament_and_says_times_as_people_do(season: Site) -> None:
    match = await season.text("/matches/1")
    assert "Tournament spring , round 1" in match
    assert "spring , round 1" in await season.text("/matches/1/2")
    assert re.search(r"Time .* ant \d+ \d+ m?s \d+ m?s \d+(\.\d)? m?s", match)


async def test_a_card_has_its_name_beside_its_picture(season: Site) -> None:
    html = "".join([(await season.get(f"/matches/1/{deal}")).text for deal in range(1, 12)])
    (card, *_) = re.findall(r'<span class="card F" title="10 of fishes, a butterfly">(.*?)</span>', html, re.DOTALL)
    assert words(card) == "F10"
    assert card.count('aria-hidden="true"') == card.count("<svg") == 2


async def test_the_time_of_house_bots_is_nobodys_business(season: Site) -> None:
    (time,) = re.findall(r"<h2>Time</h2>(.*?)</table>", (await season.get("/matches/3")).text, re.DOTALL)
    assert "ant" in words(time)
    assert "house-greedy" not in words(time)


async def test_a_tournament_says_who_added_what_to_its_deals_once_that_is_settled(site: Site) -> None:
    await site.here.register(*FIVE)
    request = tournaments_pb2.CreateTournamentRequest(
        name="fair", bots=FIVE, rounds=1, beacon_source="<b>", beacon_round="Friday"
    )
    made = await site.here.planner.plan(request)
    ant = (await site.here.store.bots.by_name("ant")).id
    nonce = b"drawn by an ant"
    assert await site.here.store.nonces.give(made.id, ant, nonce) is NonceReceipt.KEPT
    before = await site.text("/tournaments/1")
    assert "A nonce has come from 1 of 5 bots." in before
    assert "Beacon <b>, Friday, announced" in before
    assert "its value is published at the start" in before
    assert nonce.hex() not in before
    await site.here.store.tournaments.start(made.id, beacon_value="rain until <noon>")
    after = await site.text("/tournaments/1")
    assert "rain until <noon>" in after
    assert f"ant {nonce.hex()} bee none" in after
    assert "farfalia records fetch 1 records farfalia verify records" in after


async def test_a_match_whose_board_is_still_played_shows_times_and_no_card_and_no_result(site: Site) -> None:
    await site.here.two_tables()
    await site.here.play(1, slow=0)
    html = (await site.get("/matches/1")).text
    text = words(html)
    why = "The cards and the result of match 1 are shown once every match on its board is over"
    assert f"{why}: 1 of round 1 is not over yet." in text
    assert 'data-label="Points"' not in html
    assert "Results withheld while their boards are played: 1" in await site.text("/tournaments/1")
    assert "By a house bot" in text
    assert "out of time 1 shown with the cards" in text
    assert 'class="card ' not in html
    assert "/records/1.json" not in html
    assert (await site.json("/api/records/1", 409))["reason"] == "BOARD_IN_PLAY"
    assert (await site.json("/api/matches/1"))["recordOpen"] is False
    entrant = (await site.json("/api/matches/1"))["entrants"][0]
    assert "shown with the cards" in await site.text(f"/bots/{entrant}")
    assert (await site.json(f"/api/bots/{entrant}"))["incidents"][0]["textOpen"] is False
    await site.here.play(2)
    assert 'class="card ' in (await site.get("/matches/1/1")).text
    html = (await site.get("/matches/1")).text
    assert all(
        f'data-label="Points">{one}</td>' in html for one in (await site.here.store.records.get(1)).outcome.points
    )
    assert "withheld" not in await site.text("/tournaments/1")
    assert (await site.json("/api/matches?tournament=1"))["matches"][1]["recordOpen"] is True
    assert "no answer within 6000 ms" in await site.text(f"/bots/{entrant}")


async def test_a_match_that_is_being_played_hides_everything(season: Site) -> None:
    claimed = await claim(season.here.store, 4, "node-b")
    text = (await season.get("/matches/4")).text
    assert "Its record opens when every match on its board is over." in words(text)
    assert 'class="card ' not in text
    for path in ("/matches/4", "/tournaments/2", "/api/matches/4", "/api/tournaments/2", "/records/4.json"):
        shown = (await season.client.get(path)).text
        assert claimed.source.secret.hex() not in shown
    assert "it has a record once it is finished" in await season.text("/records/4.json", 409)
    assert (await season.json("/api/records/4", 409))["reason"] == "MATCH_NOT_OVER"


async def test_the_page_of_a_bot_says_why_it_lost_time(site: Site) -> None:
    spring = await site.here.spring()
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1, slow=2)
    (match,) = await site.here.store.matches.of_tournament(spring.id)
    name = match.seats[2].name
    await site.here.store.logs.add(match.seats[2].bot_id, [NewLogLine(1, "a private line")])
    page = await site.text(f"/bots/{name}")
    # Of the first trick, unless it had one card of the suit only: then it had nothing to decide there.
    assert re.search(r"out of time 1 Following 1 match 1, deal 1, card \d\.\d ", page)
    assert "instead; no answer within 6000 ms" in page
    assert "a private line" not in page
    assert "no answer within 6000 ms" in await site.text("/matches/1")
    assert "a private line" not in (await site.get(f"/api/bots/{name}")).text


async def test_a_page_emphasises_a_pair_by_the_percentage_that_it_shows(season: Site) -> None:
    page = (await season.get("/tournaments/1")).text
    assert CAPTION in page
    cell = r'<td class="heat-(\d+)"><span class="([a-z-]+)">(\S+?)(?: %)?</span>'
    pairs = re.findall(cell + r" <small>\S+ ± \S+</small> <small>\d+–\d+</small>", page)
    assert len(pairs) == len(FIVE) * (len(FIVE) - 1)
    for heat, lean, shown in pairs:
        if shown == "?":
            assert (heat, lean) == ("5", Lean.UNDECIDED)
            continue
        percent = int(unescape(shown).strip("<>"))
        assert lean == Lean.of(percent / 100)
        assert abs(10 * int(heat) - percent) <= 5
