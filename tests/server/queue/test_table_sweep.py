"""Tables whose matches other nodes play, or have played, end instead of waiting without end."""

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
    async with TableSweep(store, runner, playing, {1: 1, 2: 2, 3: 1}), asyncio.timeout(30):
        await asyncio.wait([playing[2], playing[3]])
        before = looks
        while looks < before + 3:
            await asyncio.sleep(0.01)
        assert not playing[1].done()
    playing[1].cancel()


async def test_a_match_that_has_just_ended_here_may_free_its_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.queue.table_sweep._SECONDS", 0.01)
    over, looked, freed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def running() -> list[RunningMatch]:
        if over.is_set():
            looked.set()
            return []
        over.set()  # from the second look on: what is younger than one look is left alone
        return [RunningMatch(1, 1, 1, "here")]

    async def play() -> None:
        await looked.wait()
        freed.set()

    store: Any = SimpleNamespace(matches=SimpleNamespace(running=running))
    runner: Any = SimpleNamespace(node="here")
    playing = {1: asyncio.create_task(play())}
    playing[1].add_done_callback(lambda _: playing.clear())
    async with TableSweep(store, runner, playing, {1: 1}), asyncio.timeout(30):
        await asyncio.wait([playing[1]])
    assert freed.is_set()


async def test_a_later_claim_of_another_node_ends_a_table_at_the_next_look() -> None:
    claims: list[RunningMatch] = []
    looked = asyncio.Event()

    async def running() -> list[RunningMatch]:
        looked.set()
        return list(claims)

    store: Any = SimpleNamespace(matches=SimpleNamespace(running=running))
    runner: Any = SimpleNamespace(node="here")
    playing = {match: asyncio.create_task(asyncio.sleep(600)) for match in (1, 2, 3, 4)}
    epochs = dict.fromkeys(playing, 5)
    async with TableSweep(store, runner, playing, epochs) as sweep, asyncio.timeout(30):
        await looked.wait()
        looked.clear()
        # Claimed here, by a node that has slept or that this one relieves, by another one since, and over.
        claims += [RunningMatch(1, 6, 1, "here"), RunningMatch(2, 5, 1, "there"), RunningMatch(3, 6, 1, "there")]
        sweep.look_soon()
        await asyncio.wait([playing[3]])
        for _ in range(3):
            looked.clear()
            sweep.look_soon()
            await looked.wait()
        assert [match for match, task in playing.items() if task.done()] == [3]
    for task in playing.values():
        task.cancel()
