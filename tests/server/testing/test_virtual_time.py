"""The event loop in virtual time."""

import asyncio
from typing import Any

import pytest

from farfalia_server.testing import VIRTUAL_TIME, VirtualTimeLoop


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
