"""While others may still play the board of a day, nothing shows a card of it, nor what somebody made of it."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.card_traces import Traces
from tests.server.every_place import leaks
from tests.server.held_board import GAME, held_board, kept_record, mark
from tests.server.invented_prices import give_prices_in
from tests.server.live import ADMIN, PATIENCE, until
from tests.server.system.form_browser import once_in, proof_in
from tests.server.system.person_browser import Person

from farfalia.v1 import bots_pb2


@pytest.mark.slow
def test_nothing_shows_the_board_of_a_day_before_it_opens(tmp_path: Path) -> None:
    with held_board(tmp_path, rotations=False) as scene, Person(scene.server) as person, Person(scene.server) as other:
        form = person.client.get(f"/today/{GAME}").text
        hidden = {"proof": proof_in(form), "once": once_in(form)}
        person.page = person.client.post(f"/today/{GAME}/begin", data=hidden | {"minutes": "10", "name": ""})
        match = int(person.page.url.path.removeprefix("/play/"))
        person.play()
        assert person.state == "over"

        own = [f"/play/{match}/deals/1", f"/play/{match}/deals/1/1.1"]
        looked_at = [person.client.get(path).raise_for_status().text for path in own]

        database = tmp_path / "data/farfalia.db"
        record, secret = kept_record(database, match)
        mark(database, match, record)
        asyncio.run(give_prices_in(database, match))
        daily = replace(scene, over=match, traces=Traces(record, secret))
        guest = scene.server.call("RegisterBot", bots_pb2.RegisterBotRequest(person=True)).token
        callers = {"nobody": "", "another guest": guest, "the admin": ADMIN}
        for page in looked_at:
            assert "cards on a page" in daily.traces.found_in(b"", page), "who has played it sees it"
        assert leaks(daily, callers) == {}, "also after its person has looked"
        for path in (f"/today/{GAME}", f"/play/{match}", f"/play/{match}/table", f"/play/{match}/events", *own):
            answer = other.client.get(path)
            assert daily.traces.found_in(answer.content) == set(), path

        connection = sqlite3.connect(database, timeout=PATIENCE)
        connection.execute("UPDATE match SET daily = '2026-01-02' WHERE id = ?", (match,))
        connection.commit()
        connection.close()
        wanted = {
            "GetRecord by nobody": {"key", "secret", "actions"},
            "/api/records/{id}": {"key", "secret", "actions"},
            "/matches/{id}": {"key", "points"},
            "/matches/{id}/{deal}": {"cards on a page"},
        }

        def opened() -> bool:
            found = leaks(daily, {"nobody": ""}, set(wanted))
            return all(traces <= found.get(place, set()) for place, traces in wanted.items())

        until(opened)  # pages are shown for a moment as they were
