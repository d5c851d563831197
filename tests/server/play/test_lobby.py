"""The lobby: how long a match waits for a bot that is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.connection_world import next_turn

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.attendance import Players, Presence
from farfalia_server.play.lobby import Lobby
from farfalia_tools.testing import VIRTUAL_TIME, RecordingStream, virtual_monotonic

BOT, ABSENCE, DAY = 7, 60.0, 86_400.0


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with virtual_monotonic():
        yield


def a_lobby() -> Lobby:
    return Lobby(
        linger=0.001,
        reconnect_grace=30,
        absence=ABSENCE,
        schedule_flush=next_turn,
        changed=lambda: None,
        measures=Measures(),
    )


async def waits(lobby: Lobby, match: int) -> float:
    """Return how many seconds a match waits for the bot."""
    began = asyncio.get_running_loop().time()
    while lobby.try_reserve(match, Players((BOT,), house=(Presence.PLAYS, Presence.PLAYS))) is not None:
        await asyncio.sleep(3)
    return asyncio.get_running_loop().time() - began


async def test_a_match_waits_for_a_bot_and_then_begins_without_it_as_those_after_it_do() -> None:
    lobby = a_lobby()
    assert await waits(lobby, 1) == ABSENCE
    assert lobby.absent(1) == {BOT}
    assert await waits(lobby, 2) == 0


async def test_a_bot_that_was_missed_yesterday_is_waited_for_again_today() -> None:
    lobby = a_lobby()
    assert await waits(lobby, 1) == ABSENCE
    await asyncio.sleep(DAY)
    assert await waits(lobby, 2) == ABSENCE


async def test_a_bot_that_has_been_there_since_it_was_missed_is_waited_for_again() -> None:
    lobby = a_lobby()
    assert await waits(lobby, 1) == ABSENCE
    connection = lobby.connection(BOT)
    connection.attach(RecordingStream())
    connection.set_capacity(play_pb2.Capacity(matches=1, questions=1))
    connection.detach()
    assert await waits(lobby, 2) == ABSENCE
