"""Tables that wait for ever end: others have played their matches."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from farfalia_server.queue.table_sweep import TableSweep
from farfalia_server.store import RunningMatch


async def test_a_table_whose_match_is_played_elsewhere_or_over_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.queue.table_sweep._SECONDS", 0.01)
    looks = 0

    async def running() -> list[RunningMatch]:
        nonlocal looks
        looks += 1
        return [RunningMatch(1, 1, 1, "here"), RunningMatch(2, 2, 1, "there")]

    store: Any = SimpleNamespace(matches=SimpleNamespace(running=running))
    runner: Any = SimpleNamespace(node="here")
    playing = {match: asyncio.create_task(asyncio.sleep(600)) for match in (1, 2, 3)}
    async with TableSweep(store, runner, playing), asyncio.timeout(30):
        await asyncio.wait([playing[2], playing[3]])
        before = looks
        while looks < before + 3:
            await asyncio.sleep(0.01)
        assert not playing[1].done()
    playing[1].cancel()
