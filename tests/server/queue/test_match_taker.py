"""What a node takes out of the queue."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from farfalia_server.queue.match_taker import MatchTaker


async def test_a_match_that_is_abandoned_before_it_begins_can_be_taken_again() -> None:
    none: Any = SimpleNamespace(node="here")
    taker = MatchTaker(
        none,
        none,
        none,
        name="queue",
        redis_url="memory://",
        most=1,
        note_absent=lambda match, bots: None,
        better=lambda bots, away: None,
        hand_over=lambda node, match, epoch, absent: None,
    )
    task = taker.take(7, 0, [])
    assert task is not None
    taker.abandon()
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert taker.playing == 0
