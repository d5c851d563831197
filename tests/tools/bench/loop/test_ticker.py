"""What a ticker finds in an event loop that is blocked."""

import asyncio
import json
from dataclasses import asdict
from time import thread_time

from farfalia_tools.bench.loop.ticker import Gaps, Ticker


def block(seconds: float) -> None:
    until = thread_time() + seconds  # of its own, however much others take
    while thread_time() < until:
        pass


async def test_a_ticker_finds_what_blocks_the_loop_and_for_how_long() -> None:
    async with Ticker() as ticker:
        await asyncio.sleep(0.05)
        ticker.begin()
        block(0.1)
        await asyncio.sleep(0.01)
        found = ticker.end()
        assert found.longest >= 0.09
        assert found.long >= 1
        assert found.worst[0].seconds == found.longest
        assert "test_ticker.block" in found.worst[0].ran
        ticker.begin()
        assert ticker.end() == Gaps(0, 0, 0, 0, 0, 0, ())
    assert Gaps.of(json.loads(json.dumps(asdict(found)))) == found
