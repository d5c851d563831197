"""Log lines on their way to the store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.play import bot_logs
from farfalia_server.play.bot_logs import BotLogWriter
from farfalia_server.play.limits import LOG_LINES_KEPT
from farfalia_server.store import NewLogLine


class Logs:
    """A store that fails when it is told to: an outage, or a value that its database does not take."""

    def __init__(self) -> None:
        self.logs = self
        self.away = False
        self.kept: list[tuple[int, int, str]] = []

    async def add(self, bot: int, lines: Sequence[NewLogLine]) -> None:
        if self.away:
            raise StoreUnavailable("the database does not answer")
        if any("\0" in line.text or line.match_id >= 2**63 for line in lines):
            raise OverflowError("Python int too large to convert to SQLite INTEGER")
        self.kept += [(bot, line.match_id, line.text) for line in lines]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Logs:
    monkeypatch.setattr(bot_logs, "_INTERVAL", 0.001)
    return Logs()


def writing(store: Logs) -> BotLogWriter:
    fake: Any = store
    return BotLogWriter(fake)


async def test_what_cannot_be_stored_is_stored_without_its_text_and_other_lines_follow(store: Logs) -> None:
    async with writing(store) as book:
        book.write(1, NewLogLine(2**63, "a number that no column holds"))
        await asyncio.sleep(0.01)
        book.write(2, NewLogLine(5, "after it"))
    assert store.kept == [(1, 0, "(a line that could not be stored)"), (2, 5, "after it")]


async def test_lines_that_cannot_be_stored_at_all_are_lost_and_other_lines_follow(
    store: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = store.add

    async def add_but_of_one(bot: int, lines: Sequence[NewLogLine]) -> None:
        if bot == 1:
            raise OverflowError("nothing of this bot can be stored")
        await add(bot, lines)

    monkeypatch.setattr(store, "add", add_but_of_one)
    with structlog.testing.capture_logs() as logged:
        async with writing(store) as book:
            book.write(1, NewLogLine(0, "lost"))
            book.write(2, NewLogLine(0, "kept"))
    assert store.kept == [(2, 0, "kept")]
    assert [(line["event"], line["bot_id"]) for line in logged] == [("bot_logs_unstorable", 1), ("bot_logs_lost", 1)]


async def test_lines_wait_for_a_database_that_cannot_be_reached_but_not_without_bound(store: Logs) -> None:
    async with writing(store) as book:
        store.away = True
        for at in range(3 * LOG_LINES_KEPT):
            book.write(1, NewLogLine(0, str(at)))
            if at % 1000 == 0:
                await asyncio.sleep(0.01)
        store.away = False
        while not store.kept:
            await asyncio.sleep(0.001)
    assert [text for _, _, text in store.kept] == [str(at) for at in range(2 * LOG_LINES_KEPT, 3 * LOG_LINES_KEPT)]


async def test_lines_of_the_last_moment_are_written(store: Logs) -> None:
    async with writing(store) as book:
        book.write(1, NewLogLine(0, "first"))
        while not store.kept:
            await asyncio.sleep(0.001)
        book.write(1, NewLogLine(0, "last"))
    assert [text for _, _, text in store.kept] == ["first", "last"]
