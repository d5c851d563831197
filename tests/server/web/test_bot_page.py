"""The page of a bot: how its rating came about, and against whom it does well."""

from __future__ import annotations

import re

from tests.server.web_site import Site, words

from farfalia_server.store import LadderRating, RatingChange
from farfalia_server.web.charts import Axis, line, round_steps


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
    assert "a line marks each new version. 3 points, to " in words(html)
    (history,) = (await season.json("/api/bots/ant"))["histories"]
    assert [(point["match"], point["version"], point["mu"]) for point in history["points"]] == [
        ("1", "1", 26.0),
        ("2", "1", 27.0),
        ("3", "2", 28.0),
    ]
    rows = re.findall(r'<a href="/matches/(\d)">\d</a></th><td><time[^>]*>[^<]*</time></td><td>(\d)</td>', html)
    assert rows == [("3", "2"), ("2", "1"), ("1", "1")]


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
    assert "Against each other bot" in await season.text("/bots/ant")


def test_round_numbers_mark_an_axis_and_a_line_has_its_ends_on_the_edges() -> None:
    assert round_steps(-3.2, 14.1) == [0.0, 5.0, 10.0]
    assert round_steps(19.9, 20.4) == [19.9, 20.0, 20.1, 20.2, 20.3, 20.4]
    assert line([1.0, 3.0, 2.0], 60, 16) == "0,14.5 30,1.5 60,8"
    assert line([5.0], 60, 16) == ""
    assert [Axis(0, 10).at(value) for value in (-1, 5, 11)] == [0.0, 50.0, 100.0]
