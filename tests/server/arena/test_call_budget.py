"""What callers who are refused may cost, and what is paid after a call has ended."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.cpu_burning import burn

from farfalia.v1 import nodes_pb2
from farfalia_server.arena.call_budget import CallBudget
from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.contract.said import in_english
from farfalia_server.net.cpu_time import charged
from farfalia_server.play import limits
from farfalia_tools.testing import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


async def nothing() -> nodes_pb2.GetQueueResponse:
    return nodes_pb2.GetQueueResponse()


async def test_a_flood_of_calls_at_once_is_refused_little_by_little() -> None:
    now = asyncio.get_running_loop().time
    budget, refused = CallBudget(in_english("callers"), 0.1, 0.0001, now=now), []
    budget.spend(1000.0)

    async def call() -> None:
        with pytest.raises(ResourceExhausted):
            await budget.answer(nothing)
        refused.append(now())

    began = now()
    await asyncio.gather(*(call() for _ in range(5 * limits.REFUSALS_RATE)))
    assert refused[0] - began >= 1.0
    for first, last in zip(refused, refused[limits.REFUSALS_RATE :], strict=False):
        assert last - first >= 0.999
    await call()
    assert refused[-1] - refused[-2] == pytest.approx(1.0)


async def test_the_last_of_a_large_flood_waits_a_bounded_time() -> None:
    now = asyncio.get_running_loop().time
    budget = CallBudget(in_english("callers"), 0.1, 0.0001, now=now)
    budget.spend(1000.0)
    began = now()
    calls = [budget.answer(nothing) for _ in range(50 * limits.REFUSALS_RATE)]
    assert all(isinstance(told, ResourceExhausted) for told in await asyncio.gather(*calls, return_exceptions=True))
    assert now() - began <= limits.REFUSED_WITHIN + 0.001


async def test_what_a_call_has_begun_is_paid_when_the_call_has_ended() -> None:
    budget, more, begun = CallBudget(in_english("callers"), 0.1, 0.0001), asyncio.Event(), []

    async def goes_on() -> None:
        await more.wait()
        burn(0.2)

    async def call() -> nodes_pb2.GetQueueResponse:
        begun.append(asyncio.create_task(charged(goes_on())))
        return nodes_pb2.GetQueueResponse()

    await budget.answer(call)
    await budget.answer(nothing)
    more.set()
    await begun[0]
    with pytest.raises(ResourceExhausted):
        await budget.answer(nothing)
