"""mu, sigma and points of a bot, of its history and of two bots: the same on page, JSON, CSV and terminal."""

from __future__ import annotations

import csv
import math
import re
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from tests.server.web_site import Site, words

from farfalia.v1 import bots_pb2
from farfalia_server.cli.bot_ratings import print_histories, print_pair, print_ratings
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.store import LadderRating, RatingChange
from farfalia_server.wording.phrases import decimal, signed
from farfalia_server.wording.points import apart_words, no_points
from farfalia_tournaments import PointsScale, TrueSkill

SCALE = PointsScale(15.0, TrueSkill())
#: mu and sigma of ant after each of three matches.
PAST = [(26.0, 6.0), (29.0, 5.0), (28.0, 4.0)]
UNKNOWN = no_points([bots_pb2.RatingPoint()])


@pytest.fixture
async def rated(season: Site) -> Site:
    """A season in which ant and bee are rated at Chinkway."""
    changes = [
        RatingChange("chinkway", match, 1, 25.0, 8.0, mu, sigma, match, "1")
        for match, (mu, sigma) in enumerate(PAST, 1)
    ]
    ratings = [LadderRating("chinkway", 1, 28.0, 4.0, 3), LadderRating("chinkway", 2, 31.0, 2.0, 40)]
    await season.here.store.ratings.replace(0, ratings, changes)
    return season


@pytest.fixture
def scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit of mu is worth 15 / 25 points."""

    async def scale(scales: PointsScales, ladder: str) -> PointsScale:
        return SCALE

    monkeypatch.setattr(PointsScales, "of", scale)


def figures(mu: float, sigma: float) -> list[str]:
    """What page and terminal print of a rating, side by side."""
    made = SCALE.of(mu, sigma)
    return [decimal(mu, 2), decimal(sigma, 2), f"{signed(made.points, 1)} ±{decimal(made.margin, 1)}"]


def told(row: dict[str, Any], prefix: str = "") -> tuple[float, ...]:
    """mu, sigma and points of a row of JSON or of CSV."""
    margin = "points_margin" if prefix + "points_margin" in row else "pointsMargin"
    return tuple(float(row[prefix + name]) for name in ("mu", "sigma", "points", margin))


async def table(site: Site, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader((await site.get(f"{address}?format=csv")).text.splitlines()))


def cells(html: str, label: str) -> list[str]:
    return [words(one) for one in re.findall(rf'data-label="{label}">(.*?)</td>', html)]


@pytest.mark.usefixtures("scaled")
async def test_a_bot(rated: Site, capsys: pytest.CaptureFixture[str]) -> None:
    asked = await rated.json("/api/bots/ant")
    (rating,) = asked["bot"]["ratings"]
    assert told(rating) == pytest.approx((28.0, 4.0, 1.8, 4.704))
    for shown in (asked["versions"][0]["ratings"], (await rated.json("/api/bots/ant/ratings"))["ratings"]):
        assert [told(one) for one in shown] == [told(rating)]
    assert [told(row) for row in await table(rated, "/api/bots/ant/ratings")] == [told(rating)]
    (listed,) = (one for one in (await rated.json("/api/bots"))["bots"] if one["name"] == "ant")
    assert [told(one) for one in listed["ratings"]] == [told(rating)]
    (row,) = (one for one in (await rated.json("/api/ratings"))["bots"] if one["bot"] == "ant")
    assert told(row["rating"]) == told(rating)
    assert (row["points"], row["pointsMargin"]) == told(rating)[2:]
    print_ratings(ParseDict(asked, bots_pb2.GetBotResponse()))
    seen = " ".join(figures(28.0, 4.0))
    assert seen in " ".join(capsys.readouterr().out.split())
    assert seen in words((await rated.get("/bots/ant")).text)


@pytest.mark.usefixtures("scaled")
async def test_a_history(rated: Site, capsys: pytest.CaptureFixture[str]) -> None:
    expected = [(mu, sigma, SCALE.of(mu, sigma).points, SCALE.of(mu, sigma).margin) for mu, sigma in PAST]
    asked = await rated.json("/api/bots/ant")
    assert [told(one) for one in asked["histories"][0]["points"]] == expected
    assert [told(one) for one in (await rated.json("/api/bots/ant/history/chinkway"))["points"]] == expected
    assert [told(one) for one in await table(rated, "/api/bots/ant/history/chinkway")] == expected
    html = (await rated.get("/bots/ant")).text
    behind = html[html.index("<details>") :]
    shown = [figures(*one)[2] for one in reversed(PAST)]
    assert cells(behind, "Points")[: len(shown)] == shown
    print_histories(ParseDict(asked, bots_pb2.GetBotResponse()).histories)
    printed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()[2:]]
    for one, line in zip(reversed(PAST), printed[: len(PAST)], strict=True):
        assert " ".join(figures(*one)).replace("−", "-") in line
    (chart,) = re.findall(r'<svg class="history".*?</svg>', html, re.DOTALL)
    marks = re.findall(r'<text x="718" y="([\d.-]+)" text-anchor="end">([^<]+)</text>', chart)
    skills = re.findall(r'<text x="30" y="([\d.-]+)" text-anchor="end">([^<]+)</text>', chart)
    (high, top), (low, bottom) = [(float(y), float(value)) for y, value in (skills[-1], skills[0])]
    for y, value in marks:
        mu = bottom + (float(y) - low) / (high - low) * (top - bottom)
        assert SCALE.of(mu, 1).points == pytest.approx(float(value.replace("−", "-")), abs=0.1), "one line for both"
    assert marks


@pytest.mark.usefixtures("scaled")
async def test_two_bots(rated: Site, capsys: pytest.CaptureFixture[str]) -> None:
    asked = await rated.json("/api/bots/ant/vs/bee")
    (pair,) = asked["ratings"]
    assert told(pair["rating"]) == told((await rated.json("/api/bots/ant"))["bot"]["ratings"][0])
    assert pair["points"] == pytest.approx(-1.8), "3 units of mu"
    assert pair["pointsMargin"] == pytest.approx(1.96 * 0.6 * math.hypot(4, 2))
    (row,) = await table(rated, "/api/bots/ant/vs/bee/ratings")
    assert (float(row["points"]), float(row["points_margin"])) == (pair["points"], pair["pointsMargin"])
    assert told(row, "rating.") == told(pair["rating"])
    assert told(row, "against_rating.") == told(pair["againstRating"])
    back = (await rated.json("/api/bots/bee/vs/ant"))["ratings"][0]
    assert (back["points"], back["stronger"]) == (-pair["points"], pytest.approx(1 - pair["stronger"]))
    message = ParseDict(asked, bots_pb2.BotPair())
    sentence = apart_words(message.ratings[0], message)
    assert sentence == "ant makes −1.8 ±5.3 points per match more than bee; it is stronger with 25 %."
    text = words((await rated.get("/bots/ant/vs/bee")).text)
    print_pair(message)
    printed = " ".join(capsys.readouterr().out.split())
    for seen in (sentence, " ".join(figures(28.0, 4.0)), " ".join(figures(31.0, 2.0))):
        assert seen in text
        assert seen.replace("−", "-") in printed


async def test_as_long_as_no_scale_is_known_all_places_say_so_in_one_sentence(
    rated: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    for address in ("/ladders/chinkway", "/bots/ant", "/bots/ant/vs/bee"):
        assert UNKNOWN in await rated.text(address), address
    asked = await rated.json("/api/bots/ant")
    pair = await rated.json("/api/bots/ant/vs/bee")
    for one in (asked["bot"]["ratings"][0], asked["histories"][0]["points"][0], pair["ratings"][0]):
        assert "points" not in one
    answer = ParseDict(asked, bots_pb2.GetBotResponse())
    print_ratings(answer)
    print_histories(answer.histories)
    print_pair(ParseDict(pair, bots_pb2.BotPair()))
    assert " ".join(capsys.readouterr().out.split()).count(UNKNOWN) == 3
    assert "it is stronger" not in await rated.text("/bots/ant/vs/bee")
