"""How long services rest after a look, in virtual time."""

import asyncio
from typing import Any

import pytest

from farfalia_server.net.service import PeriodicService
from farfalia_tools.testing import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


class Slow(PeriodicService):
    """Each of its looks takes this many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__("slow", every=None)
        self.seconds = seconds
        self.began: list[float] = []

    async def _tick(self) -> None:
        self.began.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.seconds)


@pytest.mark.parametrize(("seconds", "apart"), [(0.01, 0.05), (0.1, 0.5), (1.0, 1.5), (10.0, 10.5)])
async def test_changes_that_come_one_after_the_other_cost_a_fifth_of_the_time(seconds: float, apart: float) -> None:
    async with Slow(seconds) as service:
        while len(service.began) < 5:
            service.wake()
            await asyncio.sleep(seconds / 100)
    pauses = [later - earlier for earlier, later in zip(service.began, service.began[1:], strict=False)]
    assert all(pause == pytest.approx(apart, rel=0.05) for pause in pauses)
