"""Who follows a tournament sees its end, however long its table takes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from farfalia.v1 import tournaments_pb2
from farfalia_server.arena.watching import News, Watching
from farfalia_server.store import Change, MatchState, Topic
from farfalia_tools.testing import VIRTUAL_TIME

#: Seconds that the standings take to be computed.
TAKES = 10.0


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


class SlowReader:
    """A tournament whose table takes long."""

    def __init__(self) -> None:
        self.state = tournaments_pb2.TOURNAMENT_STATE_RUNNING

    async def tournament(self, number: int) -> tournaments_pb2.Tournament:
        shown = tournaments_pb2.Tournament(id=number, state=self.state)
        await asyncio.sleep(TAKES)
        return shown


async def test_the_end_of_a_tournament_is_shown_without_the_pause_that_slow_standings_need() -> None:
    news, reader = News(), SlowReader()
    began = asyncio.get_running_loop().time()

    async def cancel() -> None:
        await asyncio.sleep(TAKES + 1)
        reader.state = tournaments_pb2.TOURNAMENT_STATE_CANCELLED
        news.heard(Change(Topic.TOURNAMENT, 7, 7, MatchState.CANCELLED))

    cancelling = asyncio.create_task(cancel())
    states = [one.state async for one in Watching(reader, news).follow(7)]
    await cancelling
    assert states == [tournaments_pb2.TOURNAMENT_STATE_RUNNING, tournaments_pb2.TOURNAMENT_STATE_CANCELLED]
    assert asyncio.get_running_loop().time() - began == pytest.approx(2 * TAKES + 1)


async def test_matches_are_shown_now_and_then_only_if_standings_are_slow() -> None:
    news, reader = News(), SlowReader()
    looks = []

    async def play() -> None:
        for _ in range(300):
            await asyncio.sleep(1)
            news.heard(Change(Topic.MATCH, 1, 7, MatchState.FINISHED))
        reader.state = tournaments_pb2.TOURNAMENT_STATE_FINISHED
        news.heard(Change(Topic.TOURNAMENT, 7, 7))

    read = reader.tournament

    async def counted(number: int) -> tournaments_pb2.Tournament:
        looks.append(asyncio.get_running_loop().time())
        return await read(number)

    reader.tournament = counted  # type: ignore[method-assign]
    playing = asyncio.create_task(play())
    async for _ in Watching(reader, news).follow(7):
        pass
    await playing
    assert len(looks) == 4  # every 110 s, and at the end
