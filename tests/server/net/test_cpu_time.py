"""The CPU time of one piece of work, beside others on the same event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.server.cpu_burning import burn

from farfalia_server.net.cpu_time import CpuMeter, in_thread, metered


async def test_steps_are_metered_and_what_runs_between_them_is_not() -> None:
    meter, others = CpuMeter(), asyncio.Event()

    async def work() -> str:
        burn(0.01)
        others.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        burn(0.01)
        return "done"

    async def other() -> None:
        await others.wait()
        burn(0.3)

    beside = asyncio.create_task(other())
    assert await metered(meter, work()) == "done"
    await beside
    assert 0.02 <= meter.seconds < 0.3


async def test_what_a_thread_does_for_the_work_is_metered_too() -> None:
    meter = CpuMeter()
    with ThreadPoolExecutor(1) as threads:

        async def work() -> None:
            await asyncio.get_running_loop().run_in_executor(threads, in_thread(burn), 0.02)

        await metered(meter, work())
        assert meter.seconds >= 0.02
        assert in_thread(burn) is burn  # nobody meters any more


async def test_work_that_fails_or_is_cancelled_ends_as_without_a_meter_and_is_paid() -> None:
    meter, cleaned = CpuMeter(), []

    async def fails() -> None:
        burn(0.01)
        await asyncio.sleep(0)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await metered(meter, fails())
    assert meter.seconds >= 0.01

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)

    task = asyncio.create_task(metered(meter, waits()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned == [True]
