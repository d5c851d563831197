"""What a node takes out of the queue."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from structlog.testing import capture_logs
from tests.server.queue_world import Doors

from farfalia_server.queue.match_queue import Job
from farfalia_server.queue.match_taker import MatchTaker
from farfalia_tools.testing import MemoryStore


def taker_of(*, store: Any = None, runner: Any = None, reservations: Any = None) -> MatchTaker:
    return MatchTaker(
        store,
        runner or SimpleNamespace(node="here@1"),
        Doors(),
        reservations,
        redis_url="memory://",
        database="db",
        most=1,
    )


async def test_a_match_that_is_abandoned_before_it_begins_can_be_taken_again() -> None:
    taker = taker_of()
    task = taker.take(Job(7, 0))
    assert task is not None
    taker.abandon()
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert taker.playing == 0


async def test_the_seats_of_a_match_that_the_database_has_lost_are_freed() -> None:
    async def play(match: int, epoch: int) -> None:
        """Find that there is nothing to play."""

    freed: list[int] = []

    async def release(match: int, *, waits: bool) -> None:
        assert not waits
        freed.append(match)

    taker = taker_of(
        store=MemoryStore().client(),
        runner=SimpleNamespace(node="here@1", play=play),
        reservations=SimpleNamespace(release=release),
    )
    task = taker.take(Job(7, 0))
    assert task is not None
    await task
    assert freed == [7]


async def test_a_match_that_cannot_be_settled_is_logged() -> None:
    async def play(match: int, epoch: int) -> None:
        """Play it."""

    async def standing(match: int) -> None:
        raise ZeroDivisionError

    taker = taker_of(
        store=SimpleNamespace(matches=SimpleNamespace(standing=standing)),
        runner=SimpleNamespace(node="here@1", play=play),
    )
    with capture_logs() as logged:
        task = taker.take(Job(7, 0))
        assert task is not None
        await asyncio.wait({task})
        await asyncio.sleep(0)
    assert [(line["event"], line["match"]) for line in logged] == [("job_failed", 7)]
    assert taker.playing == 0
