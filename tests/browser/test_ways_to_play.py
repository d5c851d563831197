"""People play by mouse, by touch, by keyboard alone and without script, and are told all that they need.

Each way meets each kind of decision. Each game is played to its end in each way; most of these matches with `--prove`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import grpc
import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import visiting
from tests.browser.guests import Person, guest, table_with
from tests.browser.ways import WAYS, Mouse
from tests.server.live import LiveServer, live_server

from farfalia.v1 import matches_pb2
from farfalia_engine import GAMES

#: Tables at which the first decisions are of these kinds; the person sits where the first deal is dealt.
TABLES: tuple[tuple[str, dict[str, str], frozenset[str]], ...] = (
    ("chinkway", {"double_you": "on"}, frozenset({"double", "discard", "declare", "lead", "follow", "collect"})),
    ("two", {}, frozenset({"dummy"})),
    ("farrago", {"players": "3"}, frozenset({"type", "show"})),
    ("farrago", {"players": "3"}, frozenset({"bar", "name"})),
)
#: Whole matches that are always played: the shortest, each way among them.
_ALWAYS = {
    ("basic", "touch"),
    ("five-hand", "mouse"),
    ("three-short", "keyboard"),
    ("three", "forms"),
    ("two", "forms"),
}
#: Whole matches: each game in each way.
WHOLE = [
    pytest.param(game, way, marks=() if (game, way) in _ALWAYS else pytest.mark.prove) for game in GAMES for way in WAYS
]
#: What the person prefers, so that such decisions come: the type of a deal, and cards that win little.
_PREFERRED = {"show": "majority", "bar": "barred"}
#: Tables at which the person may be, for each row, until all kinds have come: who has fewest points names trumps.
_TRIES = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("ways")) as server:
        yield server


def window_for(way: Mouse, browser: Browser, server: LiveServer) -> Any:
    """A window of this way, as `visiting` opens it."""
    return visiting(browser, f"http://{server.http_address}", **way.device)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(sorted(table[2])))
@pytest.mark.parametrize("way", WAYS)
def test_each_kind_of_decision_is_met_in_each_way(
    browser: Browser, server: LiveServer, way: str, table: tuple[str, dict[str, str], frozenset[str]]
) -> None:
    game, options, kinds = table
    met: set[str] = set()
    for _ in range(_TRIES):
        with window_for(WAYS[way], browser, server) as window:
            person = Person(WAYS[way], window, next((_PREFERRED[kind] for kind in kinds if kind in _PREFERRED), ""))
            match = table_with(server, [guest(server, window)], game, options)
            window.go(f"/play/{match}")
            try:
                if person.play(kinds - met):
                    return
            finally:
                with suppress(grpc.RpcError):  # the match may be over
                    server.call("CancelChallenge", matches_pb2.CancelChallengeRequest(match=match))
            met |= person.met
    raise AssertionError(f"never asked: {kinds - met}")


@pytest.mark.parametrize(("game", "way"), WHOLE)
def test_a_whole_match_is_played_and_told(browser: Browser, server: LiveServer, game: str, way: str) -> None:
    with window_for(WAYS[way], browser, server) as window:
        person = Person(WAYS[way], window)
        page = window.go("/play")
        person.way.begin(page, game.replace("-", " ").capitalize())
        assert not person.play()
        expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
        assert page.get_by_role("row").filter(has_text="you").count() == 1
        record = server.record(int(page.url.rpartition("/")[2].partition("?")[0]))
        assert record.outcome.places
        assert not record.incidents
        if way != "forms":
            told = window.run("globalThis.heard")
            tricks = sum("wins trick" in one for one in told)
            assert tricks, told[:20]
