"""Pictures for links that are shared: what they show, and that they show nothing before its page does."""

from __future__ import annotations

import re
import struct
from xml.etree import ElementTree

import pytest
from tests.engine.games import PAIRWISE
from tests.server.web_site import Site

from farfalia_engine import ruleset
from farfalia_server.web.drawing import Drawing, png

_SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """The lines of a picture."""
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(f"{_SVG}text")]


def size(picture: bytes) -> tuple[int, int]:
    """Width and height that a PNG file says it has."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@pytest.mark.parametrize("kind", ["matches/1", "bots/ant", "tournaments/1", "tournaments/3"])
async def test_the_picture_of_a_page_has_the_size_that_sites_show(season: Site, kind: str) -> None:
    answer = await season.get(f"/pictures/{kind}.png")
    assert answer.headers["content-type"] == "image/png"
    assert size(answer.content) == (1200, 630)
    drawn = await season.get(f"/pictures/{kind}.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "Farfalia" in texts(drawn.text)


async def test_the_picture_of_a_card_shows_its_trick_up_to_it_and_says_which_card_it_is(season: Site) -> None:
    page = (await season.get("/matches/1/3/5.2")).text
    answer = await season.get("/matches/1/3/5.2.svg")
    assert "immutable" in answer.headers["cache-control"]
    lines = texts(answer.text)
    said = next(line for line in lines if " plays " in line)
    name, _, card = said.removesuffix(".").partition(" plays ")
    assert name in lines
    assert card.split(",")[0] in page
    assert answer.text.count('stroke-width="3"') == 2, "two cards lie on the table"
    assert not any("★" in line for line in lines), "nobody has won the trick yet"
    whole = texts((await season.get("/matches/1/3/5.5.svg")).text)
    assert sum("★" in line for line in whole) == 1
    assert size((await season.get("/matches/1/3/5.2.png")).content) == (1200, 630)


async def test_links_to_pages_come_with_their_pictures(season: Site) -> None:
    for path, picture in {
        "/matches/1": "pictures/matches/1.png",
        "/matches/1/3": "matches/1/3/1.5.png",
        "/matches/1/3/4.2": "matches/1/3/4.2.png",
        "/bots/ant": "pictures/bots/ant.png",
        "/tournaments/1": "pictures/tournaments/1.png",
    }.items():
        head = (await season.get(path)).text.split("</head>")[0]
        told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', head))
        assert told["image"] == f"http://arena.example:7601/{picture}"
        assert told["title"]
        assert told["description"]
        assert (await season.get(f"/{picture}")).headers["content-type"] == "image/png"


async def test_no_picture_shows_a_card_or_a_result_before_its_page(site: Site) -> None:
    """Two tables have the same cards, and one of them still plays."""
    names = [f"bot-{number}" for number in range(4)]
    spring = await site.here.spring(names, ruleset="two")
    await site.here.store.tournaments.start(spring.id)
    await site.here.play(1)
    assert "1 of round 1 is not over yet" in await site.text("/matches/1/1/1.1.png", 409)
    drawn = texts((await site.get("/pictures/matches/1.svg")).text)
    assert not [line for line in drawn if line.isdigit() or line.endswith(("1st", "2nd"))]
    assert not [line for line in texts((await site.get("/pictures/tournaments/1.svg")).text) if line.isdigit()]


async def test_an_address_without_a_picture_says_why(season: Site) -> None:
    for path, why in {
        "/matches/1/12/1.1.png": "Match 1 has no deal 12; expected 1 to 11.",
        "/matches/1/1/1.6.svg": "Deal 1 of match 1 has no card 1.6.",
        "/matches/1/1/four.png": "There is no card 'four'; expected its trick and its place in it, such as 4.2.",
        "/pictures/bots/nobody.png": "There is no bot 'nobody'",
        "/pictures/tournaments/99.svg": "There is no tournament 99.",
    }.items():
        assert why in await season.text(path, 404), path


@pytest.mark.parametrize(("game", "options"), PAIRWISE, ids=str)
def test_every_card_of_every_game_can_be_drawn(game: str, options: dict[str, str]) -> None:
    drawing = Drawing()
    faces = ruleset(game, options).game.wording.faces
    for number, face in enumerate(faces):
        drawing.card(face, 10 * number, 10, 60)
    assert len(texts(drawing.svg)) == len(faces)
    assert not re.search(r"var\(|currentcolor", drawing.svg)


def test_names_that_are_too_long_and_text_that_looks_like_markup_stay_in_the_picture() -> None:
    drawing = Drawing()
    drawing.text(0, 50, "</text><image href='file:///etc/passwd'/>", 40)
    drawing.text(0, 90, "n" * 200, 40, room=300)
    drawing.text(0, 130, "a\x00b\x1b\ud800", 40)
    markup, long, odd = texts(drawing.svg)
    assert markup == "</text><image href='file:///etc/passwd'/>"
    assert len(long) < 30
    assert long.endswith("…")
    assert odd == "ab"
    assert size(png(drawing.svg)) == (1200, 630)
