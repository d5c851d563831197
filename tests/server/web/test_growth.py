"""What a page reads does not grow with the number of matches that were ever played."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from tests.server.arena_world import Crowd
from tests.server.migrated import sqlite_url
from tests.server.web_site import addresses

from farfalia_server.arena.reading import Reader
from farfalia_server.store import Store
from farfalia_server.web import PageRequest, create_web, fetch
from farfalia_tools.bench.web.large_arena import Size, fill

#: Tables that have rows for each match that was played.
_GROWING = ("match", "match_bot", "seat_result", "rating_event", "record", "incident", "baseline", "void_attempt")
#: The first rows of an index or a table, in its order: however many follow, they are not read.
_NEWEST = re.compile(r'FROM "?\w+"? ORDER BY [^()]*LIMIT')
#: A list of matches by when they ended.
_BY_END = re.compile(r'ORDER BY ("match".finished|seat_result.ended) DESC')
#: An index that has strikes alone.
_FEW = "USING INDEX ix_seat_result_struck"
#: Lists, as pages and as JSON.
LISTS = (
    "/",
    "/ladders/chinkway",
    "/ladders/chinkway?search=bot-7",
    "/tournaments",
    "/tournaments?before=3",
    "/tournaments/2",
    "/matches",
    "/matches?before=20",
    "/matches?bot=bot-7",
    "/matches?tournament=2",
    "/matches?game=chinkway",
    "/matches?game=chinkway&before=20",
    "/matches?strikes=true",
    "/matches?strikes=true&game=chinkway&tournament=2",
    "/matches?bot=bot-7&against=bot-8&version=1&place=1&strikes=true",
    "/bots/bot-7/vs/bot-8",
    "/matches?state=finished",
    "/matches?state=waiting&game=chinkway",
    "/matches?state=all&game=chinkway",
    "/matches?state=all&game=chinkway&tournament=2",
    "/matches?state=all&game=chinkway&bot=bot-7",
    "/matches?bot=bot-7&against=bot-8",
    "/matches?bot=bot-7&place=1",
    "/matches?bot=bot-7&version=1&strikes=true",
    "/bots/bot-7",
    "/bots/bot-7/opponents",
    "/bots/bot-7/vs/bot-8",
    "/api/ratings",
    "/api/bots",
    "/api/tournaments",
    "/api/matches",
    "/api/matches?game=two",
    "/api/matches?game=two&before=20",
    "/api/matches?state=running",
    "/api/matches?state=finished",
    "/api/matches?bot=bot-7&state=finished",
    "/api/queue",
)


@pytest.mark.slow
async def test_no_list_reads_all_matches_from_first_to_last(tmp_path: Path) -> None:
    file = tmp_path / "large.db"
    url = sqlite_url(file)
    await asyncio.to_thread(fill, url, Size(bots=30, tournaments=4, matches=80))
    asked: list[tuple[str, Any]] = []

    def noted(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        if statement.startswith(("SELECT", "WITH")):
            asked.append((statement, parameters))

    scans: list[str] = []
    async with await Store.open(url) as store:
        web = create_web(Reader(store, Crowd()), addresses, server_name="large", server_version="1")
        event.listen(Engine, "before_cursor_execute", noted)
        try:
            for path in LISTS:
                asked.clear()
                page, _, query = path.partition("?")
                answer = await fetch(web, PageRequest("GET", page, page.encode(), query.encode(), False))
                assert answer.status == 200, f"{path}: {answer.body.decode()}"
                scans += [f"{path}: {scan}" for scan in _scans(file, asked)]
        finally:
            event.remove(Engine, "before_cursor_execute", noted)
    assert scans == [], "\n".join(scans)


def _scans(file: Path, statements: Iterable[tuple[str, Any]]) -> list[str]:
    """Steps of SQLite's plans that go through a whole table, or a whole index."""
    found = []
    with closing(sqlite3.connect(file)) as connection:
        for statement, parameters in statements:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            scans = [(step, re.match(r"SCAN (\w+)", step)) for step in plan]
            if _BY_END.search(statement):  # what is to be put in order first is read to its end
                found += [f"{step} of {statement}" for step in plan if step.endswith("B-TREE FOR ORDER BY")]
            growing = [step for step, scan in scans if scan and scan[1] in _GROWING and not step.endswith(_FEW)]
            if growing and not _NEWEST.search(statement):
                found.append(f"{growing} of {statement}")
    return found
