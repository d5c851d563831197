"""Records that were damaged: each page that needs one says so in a sentence, and all others go on."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, text
from tests.server.web_site import Site

from farfalia.v1 import record_pb2
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.database import Database


def no_compressed_bytes(_: bytes) -> bytes:
    return b"nonsense"


def no_message(_: bytes) -> bytes:
    return zlib.compress(b"\xff\xff\xff")


def an_empty_message(_: bytes) -> bytes:
    return zlib.compress(b"")


def a_card_that_nobody_has(data: bytes) -> bytes:
    record = record_pb2.Record.FromString(zlib.decompress(data))
    record.actions[5].action = 9999
    return zlib.compress(record.SerializeToString())


def actions_are_missing(data: bytes) -> bytes:
    record = record_pb2.Record.FromString(zlib.decompress(data))
    del record.actions[10:20]
    return zlib.compress(record.SerializeToString())


async def damage(site: Site, match: int, change: Callable[[bytes], bytes]) -> None:
    """Change a record behind the server's back."""

    def work(connection: Connection) -> None:
        record = schema.record
        data = connection.scalar(text("SELECT data FROM record WHERE match_id = :match"), {"match": match})
        connection.execute(record.update().where(record.c.match_id == match).values(data=change(data)))

    database = await Database.open(site.here.store.address)
    await database.write(work)
    await database.close()


@pytest.mark.parametrize(
    "change", [no_compressed_bytes, no_message, an_empty_message, a_card_that_nobody_has, actions_are_missing]
)
async def test_a_page_that_needs_a_damaged_record_names_its_match_and_how_to_find_others(
    season: Site, change: Callable[[bytes], bytes]
) -> None:
    await damage(season, 1, change)
    board = (await season.here.store.matches.get(1)).board
    for path in ("/matches/1", "/matches/1/2", f"/tournaments/1/boards/{board}?deal=1"):
        shown = await season.text(path, 500)
        assert "The record of match 1 in the database is damaged; `farfalia ratings rebuild` lists all such" in shown
    for path in ("/", "/matches", "/tournaments/1", "/bots/ant", "/matches/2"):
        await season.get(path)


async def test_the_json_of_a_damaged_record_has_a_reason_and_a_download_has_the_others(season: Site) -> None:
    others = [json.loads(line)["match"] for line in (await season.get("/api/records?tournament=1")).text.splitlines()]
    await damage(season, 1, no_message)
    assert (await season.json("/api/records/1", 500))["reason"] == "RECORD_DAMAGED"
    left = [json.loads(line)["match"] for line in (await season.get("/api/records?tournament=1")).text.splitlines()]
    others.remove("1")
    assert left == others
