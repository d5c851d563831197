"""Services that look again and again, and their end."""

import asyncio
from itertools import islice

import pytest
import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.backoff import backoff
from farfalia_server.net.service import PeriodicService
from farfalia_server.net.supervision import may_end


class Counter(PeriodicService):
    """Counts its looks; fails with the errors that it is given, one per look."""

    def __init__(self, *errors: Exception, every: float | None = None) -> None:
        super().__init__("counter", every=every, pause=0.0)
        self.looks = 0
        self.errors = list(errors)
        self.under_way = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def _tick(self) -> None:
        self.under_way.set()
        await self.may_end.wait()
        self.looks += 1
        if self.errors:
            raise self.errors.pop(0)


class Breakable(Counter):
    """One whose look may be broken off."""

    cancelled_to_stop = True


async def until(service: Counter, looks: int) -> None:
    async with asyncio.timeout(60):
        while service.looks < looks:
            await asyncio.sleep(0)


async def test_a_service_looks_at_the_start_and_whenever_it_is_woken() -> None:
    async with Counter() as service:
        await until(service, 1)
        await asyncio.sleep(0.01)
        assert service.looks == 1
        service.wake()
        await until(service, 2)


@pytest.mark.parametrize("turns", range(4))
async def test_a_service_that_is_woken_and_cancelled_at_the_same_time_is_cancelled(turns: int) -> None:
    service = Counter(every=60)
    await service.__aenter__()
    await until(service, 1)
    task = service._task
    assert task is not None
    await asyncio.sleep(0.01)  # it waits to be woken
    may_end(task)
    service.wake()
    for _ in range(turns):  # of the loop, on the way from the event to the service
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task}, timeout=5)
    assert task.cancelled()


async def test_a_service_looks_every_so_often_by_itself() -> None:
    async with Counter(every=0.001) as service:
        await until(service, 3)


@pytest.mark.parametrize("every", [None, 0.001])
async def test_a_service_that_failed_says_so_and_looks_again(every: float | None) -> None:
    with structlog.testing.capture_logs() as logged:
        async with Counter(StoreUnavailable("no database"), ValueError("a fault"), every=every) as service:
            await until(service, 3)
    assert [(line["event"], line["service"]) for line in logged] == [
        ("service_paused", "counter"),
        ("service_failed", "counter"),
    ]
    assert logged[0]["error"] == "no database"
    assert logged[1]["exc_info"]


async def test_a_service_finishes_its_look_before_it_stops() -> None:
    async with Counter() as service:
        service.may_end.clear()
        await service.under_way.wait()
        asyncio.get_running_loop().call_later(0.01, service.may_end.set)
    assert service.looks == 1


async def test_a_look_that_may_be_broken_off_is_not_waited_for() -> None:
    async with Breakable() as service:
        service.may_end.clear()
        await service.under_way.wait()
    assert service.looks == 0


def test_pauses_double_up_to_the_longest_and_differ_from_one_caller_to_the_next() -> None:
    wholes = (0.1, 0.2, 0.4, 0.8, 1.0, 1.0)
    for _ in range(100):
        for pause, whole in zip(backoff(0.1, 1.0), wholes, strict=False):
            assert whole / 2 <= pause <= whole
    assert len({tuple(islice(backoff(0.1, 1.0), 3)) for _ in range(100)}) > 1
