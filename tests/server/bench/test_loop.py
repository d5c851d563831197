"""The benchmark of the event loop: what its ticker finds, and a short real run."""

import asyncio
import json
from dataclasses import asdict
from time import thread_time

import pytest

from farfalia_server.bench.loop import Scale, run, table
from farfalia_server.bench.loop_ticker import Gaps, Ticker


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
        assert "test_loop.block" in found.worst[0].ran
        ticker.begin()
        assert ticker.end() == Gaps(0, 0, 0, 0, 0, 0, ())
    assert Gaps.of(json.loads(json.dumps(asdict(found)))) == found


@pytest.mark.slow
def test_every_scene_has_its_rows_with_figures() -> None:
    rows = asyncio.run(run(0.5, Scale(bots=6, archive=200, tables=2)))
    assert [row.scene for row in rows] == [
        "6 bots connect",
        "6 bots wait for a seat",
        "200 matches, its pages and JSON",
        "200 matches, calls of a client",
        "2 tables of house bots",
    ]
    assert all(row.gaps.longest >= row.gaps.p999 > 0 for row in rows)
    shown = table(rows)
    assert f"{rows[-1].gaps.longest * 1000:.1f}" in shown
