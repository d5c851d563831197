"""Streams end whose token is no longer good, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.play.stream import StreamStatus
from farfalia_server.play.token_watch import TokenWatch
from farfalia_tools.testing import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> object:
    return VIRTUAL_TIME


class Stream:
    """Keeps the status that it ended with."""

    def __init__(self) -> None:
        self.reason = ""

    def end(self, status: StreamStatus) -> None:
        self.reason = status.reason


class Tokens:
    """The hashes that are good; fails as often as it is told to."""

    def __init__(self) -> None:
        self.good = {b"ant", b"bee"}
        self.asked = self.failures = 0

    async def hashes(self) -> frozenset[bytes]:
        self.asked += 1
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("the database does not answer")
        return frozenset(self.good)


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


async def test_the_streams_of_a_token_that_is_gone_end_and_no_others() -> None:
    tokens, ant, bee = Tokens(), Stream(), Stream()
    async with TokenWatch(tokens.hashes) as watch:
        watch.add(ant, 1, b"ant", watch.changes)
        watch.add(bee, 2, b"bee", watch.changes)
        tokens.good = {b"bee", b"new"}
        watch.changed(2)
        await until(lambda: tokens.asked == 1)
        assert (ant.reason, bee.reason) == ("", "")
        watch.changed(1)
        await until(lambda: ant.reason != "")
        assert (ant.reason, bee.reason) == ("TOKEN_REPLACED", "")


async def test_a_change_that_came_while_a_token_was_looked_up_is_not_missed() -> None:
    tokens, ant = Tokens(), Stream()
    async with TokenWatch(tokens.hashes) as watch:
        since = watch.changes
        tokens.good = set()
        watch.changed(1)
        watch.add(ant, 1, b"ant", since)
        await until(lambda: ant.reason != "")


async def test_after_news_that_were_missed_all_tokens_are_looked_up() -> None:
    tokens, ant, bee = Tokens(), Stream(), Stream()
    async with TokenWatch(tokens.hashes) as watch:
        watch.add(ant, 1, b"ant", watch.changes)
        watch.add(bee, 2, b"bee", watch.changes)
        tokens.good = {b"ant"}
        watch.changed_all()
        await until(lambda: bee.reason != "")
        assert ant.reason == ""


async def test_a_token_is_looked_up_until_the_database_answers() -> None:
    tokens, ant = Tokens(), Stream()
    async with TokenWatch(tokens.hashes) as watch:
        watch.add(ant, 1, b"ant", watch.changes)
        tokens.good, tokens.failures = set(), 3
        watch.changed(1)
        await until(lambda: ant.reason != "")
        assert tokens.asked == 4


async def test_bots_without_a_stream_cost_nothing() -> None:
    tokens, ant = Tokens(), Stream()
    async with TokenWatch(tokens.hashes) as watch:
        watch.add(ant, 1, b"ant", watch.changes)
        watch.discard(ant)
        watch.changed(1)
        watch.changed_all()
        await asyncio.sleep(10)
        assert tokens.asked == 0
