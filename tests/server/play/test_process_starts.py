"""A bot for which a host plays: its questions wait for the process of their match, and that costs it nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.connection_world import EASY, Connected, asked, soon

from farfalia_engine import Cause
from farfalia_server.play.process_starts import START_SECONDS
from farfalia_tools.testing import VIRTUAL_TIME, RecordingStream


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


@pytest.fixture(autouse=True)
async def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.play.connection.monotonic", asyncio.get_running_loop().time)


def hosted() -> Connected:
    """A connection whose stream is a host's."""
    table = Connected(EASY)
    table.connection.starts.by_host = True
    table.connection.attach(table.stream)
    return table


async def test_a_question_waits_for_the_process_of_its_match() -> None:
    table = hosted()
    await table.put(1, 2)
    assert asked(table.stream) == []
    assert table.connection.starts.ready([2]) == 1
    await soon()
    assert asked(table.stream) == [[2]]


async def test_what_a_start_takes_is_not_charged() -> None:
    table = hosted()
    await table.put(1)
    await asyncio.sleep(30)
    table.connection.starts.ready([1])
    await soon()
    await asyncio.sleep(1)
    table.receive(1)
    assert table.answers[1].cause is Cause.BOT
    assert table.answers[1].took_ms == pytest.approx(1000, abs=20)


async def test_a_process_that_never_comes_is_waited_for_a_while_and_then_costs_its_bot_the_time() -> None:
    table = hosted()
    await table.put(1)
    await asyncio.sleep(START_SECONDS - 1)
    assert not table.answers
    await asyncio.sleep(1 + EASY.limit_ms / 1000 + 1)
    assert table.answers[1].cause is Cause.TIMEOUT


async def test_the_clock_stands_still_until_another_host_has_a_process_for_the_match() -> None:
    table = hosted()
    table.connection.starts.ready([1])
    await table.put(1)
    await asyncio.sleep(2)
    table.connection.detach()
    await asyncio.sleep(20)
    other = RecordingStream()
    table.connection.attach(other)
    await soon()
    assert asked(other) == []
    table.connection.starts.ready([1])
    await soon()
    assert asked(other) == [[1]]
    await asyncio.sleep(1)
    table.receive(1)
    assert table.answers[1].took_ms == pytest.approx(3000, abs=30)


async def test_a_host_that_comes_back_still_has_the_processes() -> None:
    table = hosted()
    table.connection.starts.ready([1])
    await table.put(1)
    table.connection.detach()
    again = RecordingStream()
    table.connection.attach(again, resumed=True)
    await soon()
    assert asked(again) == [[1]]


async def test_a_host_that_takes_the_stream_over_is_asked_nothing_before_it_has_a_process() -> None:
    table = hosted()
    table.connection.starts.ready([1])
    await table.put(1)
    other = RecordingStream()
    table.connection.attach(other)
    await asyncio.sleep(20)
    assert asked(other) == []
    table.connection.starts.ready([1])
    await soon()
    assert asked(other) == [[1]]
    table.receive(1)
    assert table.answers[1].took_ms < 100


async def test_a_round_trip_is_taken_off_once_however_often_a_clock_stands_still() -> None:
    table = hosted()
    table.connection.starts.ready([1])
    await table.put(1)
    await asyncio.sleep(1)
    for _ in range(20):
        table.connection.detach()
        again = RecordingStream()
        again.round_trip = 0.1
        table.connection.attach(again)
    table.connection.starts.ready([1])
    await soon()
    table.receive(1)
    assert table.answers[1].took_ms == pytest.approx(900, abs=20)


async def test_without_any_host_the_seat_is_given_up_after_the_bounded_wait() -> None:
    table = hosted()
    await table.put(1)
    table.connection.detach()
    await asyncio.sleep(START_SECONDS - 1)
    assert not table.answers
    await asyncio.sleep(2)
    assert table.answers[1].cause is Cause.ABSENT


async def test_a_match_that_ends_leaves_nothing_waiting() -> None:
    table = hosted()
    await table.put(1)
    table.connection.withdraw(1)
    table.connection.leave(1)
    assert table.connection.starts.ready([1]) == 0
    await asyncio.sleep(START_SECONDS + 10)
    assert asked(table.stream) == []
    assert not table.answers


async def test_a_bot_that_connects_by_itself_is_asked_what_waited_for_a_process() -> None:
    table = hosted()
    await table.put(1)
    table.connection.detach()
    table.connection.starts.by_host = False
    own = RecordingStream()
    table.connection.attach(own)
    await soon()
    assert asked(own) == [[1]]


async def test_a_bot_handed_to_a_host_again_is_waited_for_as_long_as_at_first() -> None:
    table = hosted()
    await table.put(1)
    table.connection.starts.by_host = False
    table.connection.attach(RecordingStream())
    table.receive(1)
    await asyncio.sleep(START_SECONDS + 10)
    table.connection.starts.by_host = True
    host = RecordingStream()
    table.connection.attach(host)
    await table.put(1)
    await asyncio.sleep(START_SECONDS / 2)
    assert asked(host) == []
    await asyncio.sleep(START_SECONDS / 2 + 1)
    assert asked(host) == [[1]]


async def test_only_a_host_can_hold_questions_back() -> None:
    table = Connected(EASY)
    assert table.connection.starts.ready([1]) == 0
    await table.put(1)
    assert asked(table.stream) == [[1]]
