"""How long a match waits for a bot that is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.connection_world import next_turn

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.attendance import Attendance, Players
from farfalia_server.play.lobby import Lobby
from farfalia_server.queue.free_seats import FreeSeats, absent_of
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
        schedule_flush=next_turn,
        changed=lambda: None,
        measures=Measures(),
    )


async def waits(free_seats: FreeSeats) -> float:
    """Return how many seconds a match waits for the bot, which is absent then."""
    began = asyncio.get_running_loop().time()
    while True:
        seats, missing = free_seats.of(Players((BOT,), house=(Attendance.PLAYS, Attendance.PLAYS)), {})
        if missing is None:
            assert absent_of(seats) == [BOT]
            return asyncio.get_running_loop().time() - began
        await asyncio.sleep(3)


async def test_a_match_waits_for_a_bot_and_then_begins_without_it_as_those_after_it_do() -> None:
    free_seats = FreeSeats(a_lobby(), ABSENCE)
    assert await waits(free_seats) == ABSENCE
    assert await waits(free_seats) == 0


async def test_a_bot_that_was_missed_yesterday_is_waited_for_again_today() -> None:
    free_seats = FreeSeats(a_lobby(), ABSENCE)
    assert await waits(free_seats) == ABSENCE
    await asyncio.sleep(DAY)
    assert await waits(free_seats) == ABSENCE


async def test_a_bot_that_has_been_there_since_it_was_missed_is_waited_for_again() -> None:
    lobby = a_lobby()
    free_seats = FreeSeats(lobby, ABSENCE)
    assert await waits(free_seats) == ABSENCE
    connection = lobby.connection(BOT)
    connection.attach(RecordingStream())
    connection.set_capacity(play_pb2.Capacity(matches=1, questions=1))
    connection.detach()
    assert await waits(free_seats) == ABSENCE
