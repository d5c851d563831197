"""The event loop in virtual time."""

import asyncio
from contextvars import Context
from typing import Any

import pytest

from farfalia_tools.testing import VIRTUAL_TIME, VirtualTimeLoop


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


async def test_hours_pass_in_a_moment_and_exactly() -> None:
    loop, woken = asyncio.get_running_loop(), []

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append(loop.time())

    assert loop.time() == 1000
    await asyncio.gather(sleep(7200), sleep(0.5), sleep(3600))
    assert woken == [1000.5, 4600, 8200]


def test_waiting_for_what_cannot_happen_any_more_is_an_error() -> None:
    with (
        asyncio.Runner(loop_factory=VirtualTimeLoop) as runner,
        pytest.raises(AssertionError, match="nothing will ever happen again"),
    ):
        runner.run(asyncio.Event().wait())


async def test_a_call_may_freeze_a_process_whose_calls_are_next_in_the_same_turn() -> None:
    loop, process, made = asyncio.get_running_loop(), Context(), []
    assert isinstance(loop, VirtualTimeLoop)
    loop.call_soon(loop.freeze, lambda context: context is process, 5.0)
    for _ in range(3):
        loop.call_soon(lambda: made.append(loop.time()), context=process)
    await asyncio.sleep(1)
    assert made == []
    await asyncio.sleep(5)
    assert made == [1005, 1005, 1005]
