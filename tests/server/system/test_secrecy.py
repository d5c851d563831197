"""No card of a board can be seen while a table plays it, nor what another table made of it: every call, every address
and both streams are tried.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import pytest
from tests.server.every_place import OWNER, REQUESTS, SERVICE, leaks
from tests.server.held_board import CLUMSY, SLOW, Scene, held_board
from tests.server.invented_prices import give_prices_in
from tests.server.live import ADMIN, PATIENCE

from farfalia.v1 import accounts_pb2, tournaments_pb2
from farfalia_server.web import PageRequest


@pytest.fixture(params=["datum", "rotations"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    with held_board(tmp_path, rotations=request.param == "rotations") as scene:
        yield scene


def test_every_call_is_tried() -> None:
    assert set(REQUESTS) == {method.name for method in SERVICE.methods}


def test_a_page_is_not_told_who_asks_for_it() -> None:
    known = {field.name for field in fields(PageRequest)} - {"language"}
    assert known == {"method", "path", "raw_path", "query", "gzip"}, "ask for pages as an entrant and as the admin, too"


def account(scene: Scene, name: str, role: accounts_pb2.Role) -> str:
    """The token of a new account; an owner's owns the bots of the table, as far as the server can tell."""
    request = accounts_pb2.CreateAccountRequest(name=name, role=role)
    token: str = scene.server.call("CreateAccount", request).token
    if role == accounts_pb2.ROLE_OWNER:
        with sqlite3.connect(scene.server.folder / "data/farfalia.db", timeout=PATIENCE) as connection:
            connection.execute("UPDATE bot SET account_id = (SELECT id FROM account WHERE name = ?)", (name,))
        connection.close()
    return token


@pytest.mark.slow
def test_nothing_shows_a_card_or_a_result_of_a_board_that_is_still_played(scene: Scene) -> None:
    everyone = {"nobody": "", "an entrant": scene.tokens[CLUMSY[0]], "the admin": ADMIN}
    everyone |= {"an owner": account(scene, OWNER, accounts_pb2.ROLE_OWNER)}
    everyone |= {"a viewer": account(scene, "vera", accounts_pb2.ROLE_VIEWER)}
    everyone |= {"an organiser": account(scene, "otto", accounts_pb2.ROLE_ORGANISER)}
    # As if the prices of its decisions were there too early.
    asyncio.run(give_prices_in(scene.server.folder / "data" / "farfalia.db", scene.over))
    assert leaks(scene, everyone) == {}
    assert scene.server.show(scene.tournament).state == tournaments_pb2.TOURNAMENT_STATE_RUNNING

    scene.slow.play_on(scene.bots[SLOW])
    scene.server.wait_for(scene.tournament)
    wanted = {
        "GetRecord by nobody": {"key", "secret", "actions", "incidents"},
        "/api/records/{id}": {"key", "secret", "actions", "incidents"},
        "/records/{id}.json": {"key", "secret", "actions", "incidents"},
        "/matches/{id}": {"key", "incidents", "points"},
        "/matches/{id}/{deal}": {"cards on a page"},
        "/bots/{name}": {"incidents"},
        "/api/bots/{name}": {"incidents"},
        "GetBot by nobody": {"incidents"},
        "ListVoidAttempts by nobody": {"key", "secret", "incidents"},
        "/api/void-attempts": {"key", "secret", "incidents"},
        "/tournaments/{id}": {"key", "secret", "incidents"},
        "records fetch": {"key", "secret", "actions", "incidents"},
        "/api/matches/{id}/events": {"cards in events"},
        # Not the secret: with two bots struck at the last table the tournament ends a little later.
        f"Play of {SLOW}": {"key", "what follows from a result"},
        "ListMatches by nobody": {"points"},
        "/api/matches/{id}": {"points"},
        "GetTournament by nobody": {"what follows from a result"},
        "/api/matches/events": {"points"},
        "/api/tournaments/{id}/events": {"points", "what follows from a result"},
        "ListRatings by nobody": {"what follows from a result"},
        "ListRatingChain by nobody": {"what follows from a result"},
        "/api/ladders/{ladder}/chain": {"what follows from a result"},
    }
    began = time.monotonic()
    while wanted:  # a page is shown as it was until its standings have been computed
        late = time.monotonic() > began + PATIENCE
        open_now = leaks(scene, {"nobody": ""}, wanted)
        wanted = {place: shown for place, shown in wanted.items() if shown - open_now.get(place, set())}
        assert not (late and wanted), wanted
        time.sleep(0.2)


class _Address:
    """Finds an e-mail address in bytes and in text, in place of a board."""

    def __init__(self, address: str, board: str) -> None:
        self._address, self.board = address, board

    def found_in(self, data: bytes, text: str) -> set[str]:
        return {"address"} if self._address.encode() in data or self._address in text else set()


@pytest.mark.slow
def test_only_the_account_and_who_manages_it_see_its_email_address(scene: Scene) -> None:
    everyone = {"nobody": "", "an entrant": scene.tokens[CLUMSY[0]], "the admin": ADMIN}
    everyone |= {"an owner": account(scene, OWNER, accounts_pb2.ROLE_OWNER)}
    everyone |= {"a viewer": account(scene, "vera", accounts_pb2.ROLE_VIEWER)}
    everyone |= {"an organiser": account(scene, "otto", accounts_pb2.ROLE_ORGANISER)}
    with sqlite3.connect(scene.server.folder / "data/farfalia.db", timeout=PATIENCE) as connection:
        connection.execute("UPDATE account SET email = 'olga@mail.example' WHERE name = ?", (OWNER,))
    connection.close()
    scene.slow.play_on(scene.bots[SLOW])
    scene.server.wait_for(scene.tournament)
    seen = leaks(replace(scene, traces=cast(Any, _Address("olga@mail.example", scene.traces.board))), everyone)
    assert seen.keys() == {f"GetAccount by {who}" for who in ("an owner", "an organiser", "the admin")}


@pytest.mark.slow
def test_a_result_that_is_taken_out_shows_no_card_while_its_board_is_played(scene: Scene) -> None:
    request = tournaments_pb2.VoidMatchesRequest(id=scene.tournament, matches=[scene.over], reason="why")
    answer = scene.server.call("VoidMatches", request)
    assert answer.matches == [scene.over]
    assert scene.traces.found_in(answer.SerializeToString(), str(answer)) == set()
    calls = {f"{name} by the admin" for name in ("GetRecord", "GetBot", "ListMatches", "ListVoidAttempts")}
    pages = {"/api/records", "/api/records/{id}", "/matches/{id}", "/bots/{name}", "/api/void-attempts"}
    told = {"/tournaments/{id}", "records fetch", *(f"Play of {name}" for name in scene.bots)}
    assert leaks(scene, {"the admin": ADMIN}, calls | pages | told) == {}
