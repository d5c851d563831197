"""The clock that stands still while the loop is late; its time is the test's."""

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest

from farfalia_server.net.measures import Measures
from farfalia_server.play.loop_clock import LoopClock

#: From the last tick: one more, and what a timer may be late.
STILL_FROM = pytest.approx(0.022)


class Time:
    """Seconds, as the test says."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def tick(measures: Measures) -> None:
    """Return when another tick has come."""
    measures.lateness.clear()
    while not measures.lateness:
        await asyncio.sleep(0.001)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def measures() -> Measures:
    return Measures()


@pytest.fixture
def cpu() -> Time:
    return Time()


@pytest.fixture
async def clock(time: Time, measures: Measures, cpu: Time) -> AsyncIterator[LoopClock]:
    async with LoopClock(measures, time, cpu) as clock:
        yield clock


async def test_a_stall_is_left_out_while_it_lasts_and_afterwards(
    time: Time, measures: Measures, clock: LoopClock
) -> None:
    time.now = 0.01
    assert clock.now() == 0.01
    time.now = 5
    assert clock.now() == STILL_FROM
    await tick(measures)
    assert clock.now() == STILL_FROM
    assert measures.stalled == pytest.approx(5 - 0.022)
    time.now = 5.01
    assert clock.now() == pytest.approx(0.032)


async def test_a_loop_in_good_time_has_the_clock_of_the_wall(time: Time, measures: Measures, clock: LoopClock) -> None:
    for seconds in (0.02, 0.041, 0.062):
        time.now = seconds
        await tick(measures)
        assert clock.now() == pytest.approx(seconds)
    assert measures.stalled == 0


async def test_a_message_arrived_when_grpc_handed_it_over_however_late_it_is_read(
    time: Time, measures: Measures, clock: LoopClock
) -> None:
    time.now = 0.01
    clock.woken()
    time.now = 5
    assert clock.arrived() == 0.01
    await tick(measures)
    assert clock.arrived() == 0.01
    assert list(measures.answer_age) == [pytest.approx(4.99)] * 2


async def test_the_load_follows_what_the_loop_works_within_a_few_ticks(
    time: Time, cpu: Time, measures: Measures, clock: LoopClock
) -> None:
    assert clock.load == 1
    for _ in range(15):
        time.now, cpu.now = time.now + 0.02, cpu.now + 0.005
        await tick(measures)
    assert clock.load == pytest.approx(0.25, abs=0.01)
    for _ in range(15):
        time.now, cpu.now = time.now + 0.02, cpu.now + 0.02
        await tick(measures)
    assert clock.load == pytest.approx(1, abs=0.01)


async def test_a_loop_that_gets_no_processor_is_a_busy_one(time: Time, measures: Measures, clock: LoopClock) -> None:
    for _ in range(15):
        time.now += 2
        await tick(measures)
    assert clock.load == pytest.approx(1, abs=0.02)


async def test_a_timer_waits_for_the_seconds_of_the_clock(time: Time, measures: Measures, clock: LoopClock) -> None:
    called: list[float] = []
    clock.call_later(0.03, lambda: called.append(clock.now()))
    clock.call_later(0.03, lambda: called.append(-1)).cancel()
    time.now = 5  # far beyond, but stalled
    await tick(measures)
    await tick(measures)
    await asyncio.sleep(0.1)
    assert called == []
    time.now = 5.01
    await tick(measures)
    while not called:
        await asyncio.sleep(0.001)
    assert called == [pytest.approx(0.032)]


async def test_a_timer_that_has_fired_is_not_left_to_the_garbage_collector() -> None:
    fired: list[None] = []
    gc.disable()
    try:
        async with LoopClock(Measures()) as clock:
            gc.collect()
            timers = [clock.call_later(0.001, lambda: fired.append(None)) for _ in range(20)]
            while len(fired) < len(timers):
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.01)
            timers.clear()
            assert gc.collect() == 0
    finally:
        gc.enable()
