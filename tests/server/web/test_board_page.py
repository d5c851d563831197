"""The page of a board: the same cards at every table."""

from __future__ import annotations

import re

from tests.server.void_attempts import void
from tests.server.web_site import Site


async def test_a_board_compares_its_tables_when_it_is_no_longer_in_play(site: Site) -> None:
    spring = await site.here.two_tables()
    await site.here.play(1)
    first, second = await site.here.store.matches.of_tournament(spring.id)
    assert first.board == second.board
    path = f"/tournaments/1/boards/{first.board}"
    assert "are compared once every match on it is over" in await site.text(path, 409)
    assert (await site.json(f"/api{path}", 409))["reason"] == "BOARD_IN_PLAY"
    for address in ("/matches", "/matches/1"):
        assert f'href="{path}"' not in (await site.get(address)).text
    await site.here.play(2)
    assert f'href="{path}"' in (await site.get("/matches")).text
    for number in (1, 2):
        page = (await site.get(f"/matches/{number}")).text
        assert f'<a href="{path}">The same cards at 2 tables</a>' in page
        for address in (f"/matches/{number}", f"/matches/{number}/1", "/bots/ant"):
            assert '<a href="/rules/chinkway">Chinkway</a>' in (await site.get(address)).text
    html = (await site.get(path)).text
    assert f'href="{path}?deal=11"' in html
    last = (await site.get(f"{path}?deal=11")).text
    assert set(re.findall(r'href="/matches/(\d/11)"', last)) == {"1/11", "2/11"}
    assert len(re.findall(r'<a href="/matches/1/11" aria-label="\d+ points, match 1, seat', last)) == 5
    assert last.count("Trumps: ") == 2
    assert last.count("Proposal: ") == last.count('<span class="mark">dealer</span>') == 1, "it is the same deal"
    assert last.count('class="card ') > 5 * 10, "each hand is shown once, and what was collected"
    assert "collected " in last
    assert "has no deal 12; expected 1 to 11" in await site.text(f"{path}?deal=12", 404)
    assert "There is no parameter 'trick'" in await site.text(f"{path}?trick=1", 400)
    records = [await site.here.store.records.get(number) for number in (1, 2)]
    one, other = (record.outcome.points[0] for record in records)
    assert f'<b>{one}</b></a> <span class="faint">({(one - other) / 2:+.1f})'.replace("-", "−") in html
    told = (await site.json(f"/api{path}"))["matches"]
    assert [match["outcome"]["points"] for match in told] == [list(record.outcome.points) for record in records]
    assert [len(match["outcome"]["deals"]) for match in told] == [11, 11]
    elsewhere = zip(told[1]["entrants"], told[1]["outcome"]["deals"][2]["points"], strict=True)
    deal = await site.text("/matches/1/3")
    assert f"Match 2 : {', '.join(f'{name} {points}' for name, points in elsewhere)}".replace(",", " ,") in deal
    assert f'href="{path}">All 2 tables side by side' in (await site.get("/matches/1/3")).text


async def test_a_match_that_was_played_again_has_a_page_and_a_board(site: Site) -> None:
    spring = await site.here.two_tables()
    await void(site.here.store, 1)
    for number in (1, 2):
        await site.here.play(number)
    again, other = await site.here.store.matches.of_tournament(spring.id)
    assert again.board == f"{other.board}.1.2"
    for match in (again, other):
        assert await site.text(f"/matches/{match.id}")
        assert await site.text(f"/matches/{match.id}/1")
        path = f"/tournaments/1/boards/{match.board}"
        assert "The same cards at 1 table" in await site.text(path)
        assert [one["id"] for one in (await site.json(f"/api{path}"))["matches"]] == [str(match.id)]
    for name in (f"{other.board}.1.1", f"{other.board}.2.2", f"{other.board}.1.{'9' * 30}"):
        assert "has no board" in await site.text(f"/tournaments/1/boards/{name}", 404)


async def test_a_board_that_is_not_there_is_named(season: Site) -> None:
    for name in ("board-99", "%00"):
        assert "has no board" in await season.text(f"/tournaments/1/boards/{name}", 404)
    assert (await season.json("/api/tournaments/1/boards/nothing", 404))["reason"] == "BOARD_UNKNOWN"
    assert "there is no tournament 99" in (await season.json("/api/tournaments/99/boards/board-1", 404))["detail"]
