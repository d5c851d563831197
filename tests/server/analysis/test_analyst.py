"""The service that has matches analysed: in which order, for how long, and what it does when something fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.arena_world import World

from farfalia.v1 import record_pb2
from farfalia_server.analysis import analyst
from farfalia_server.analysis.analyst import Analyst
from farfalia_server.analysis.match_pricing import PricedMatch, give_way, price_match
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.store import AnalysisState, Match
from farfalia_server.store.prices.analyses import MOST_TRIES

PAIR = ("ant", "bee")


class Worker:
    """Stands in for the process: each match takes `cpu` seconds, and what `fails` is called with a match's number."""

    def __init__(self, cpu: float = 1.0, fails: Callable[[int], None] = lambda match: None) -> None:
        self.cpu, self.fails = cpu, fails
        self.analysed: list[int] = []

    async def __aenter__(self) -> Worker:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Nothing was opened."""

    async def run(self, function: object, record: bytes = b"") -> Any:
        if function is give_way:
            return None
        assert function is price_match
        number = record_pb2.Record.FromString(record).match
        self.analysed.append(number)
        self.fails(number)
        return PricedMatch(b"", self.cpu)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    made = Worker()
    monkeypatch.setattr(analyst, "WorkerProcess", lambda: made)
    return made


async def matches(world: World, rounds: int) -> list[Match]:
    """Finished matches of a short game."""
    await world.register(*PAIR)
    tournament = await world.plan("cup", PAIR, rounds, ruleset="two")
    await world.play_all(tournament)
    return await world.store.matches.of_tournament(tournament.id)


async def test_half_of_a_day_is_kept_for_those_who_ask(world: World, worker: Worker) -> None:
    played = await matches(world, 8)
    worker.cpu = 30.0
    service = Analyst(world.store, minutes=3)
    await service.work_off()
    assert worker.analysed == [match.id for match in played[:-4:-1]]  # 90 s of 180
    for match in played[:5]:
        await world.store.analyses.ask(match.id, "account 1", 20)
    await service.work_off()
    assert worker.analysed[3:] == [match.id for match in played[:3]]  # the other 90 s
    spent = await world.store.analyses.spent_today()
    assert (spent.together, spent.unasked) == (180.0, 90.0)


async def test_a_match_that_cannot_be_priced_is_given_up_at_once(world: World, worker: Worker) -> None:
    (match,) = await matches(world, 1)

    async def refused(function: object, record: bytes = b"") -> PricedMatch:
        worker.analysed += [match.id] * (function is price_match)
        return PricedMatch(b"", 2.0, "wild cards are not priced")

    worker.run = refused  # type: ignore[method-assign]
    await Analyst(world.store, minutes=1).work_off()
    assert await world.store.analyses.state(match.id) is AnalysisState.FAILED
    assert len(worker.analysed) == 1
    assert (await world.store.analyses.spent_today()).together == 2.0


async def test_a_process_that_dies_each_time_is_not_tried_again(world: World, worker: Worker) -> None:
    first, second = await matches(world, 2)

    def dies(match: int) -> None:
        if match == second.id:
            raise FarfaliaServerError("a worker process has ended")

    worker.fails = dies
    service = Analyst(world.store, minutes=1)
    for _ in range(MOST_TRIES):
        with pytest.raises(FarfaliaServerError):
            await service.work_off()
    await service.work_off()
    assert worker.analysed == [second.id] * MOST_TRIES + [first.id]
    assert await world.store.analyses.state(second.id) is AnalysisState.FAILED
    assert await world.store.analyses.state(first.id) is AnalysisState.DONE


async def test_what_somebody_asks_for_begins_at_once(world: World, worker: Worker) -> None:
    (match,) = await matches(world, 1)
    async with Analyst(world.store, minutes=1):
        while await world.store.analyses.state(match.id) is not AnalysisState.DONE:
            await asyncio.sleep(0.01)
        tournament = await world.plan("again", PAIR, 1, ruleset="two", unrated=True)
        await world.play_all(tournament)
        (unrated,) = await world.store.matches.of_tournament(tournament.id)
        await world.store.analyses.ask(unrated.id, "account 1", 20)
        while await world.store.analyses.state(unrated.id) is not AnalysisState.DONE:
            await asyncio.sleep(0.01)
    assert worker.analysed == [match.id, unrated.id]


async def test_a_service_that_is_killed_in_the_middle_begins_again(world: World, worker: Worker) -> None:
    (match,) = await matches(world, 1)

    def killed(number: int) -> None:
        raise asyncio.CancelledError

    worker.fails = killed
    with pytest.raises(asyncio.CancelledError):
        await Analyst(world.store, minutes=1).work_off()
    assert await world.store.analyses.state(match.id) is AnalysisState.RUNNING
    worker.fails = lambda number: None
    await Analyst(world.store, minutes=1).work_off()
    assert await world.store.analyses.state(match.id) is AnalysisState.DONE


def test_a_record_that_cannot_be_priced_says_why() -> None:
    found = price_match(record_pb2.Record(ruleset="nothing").SerializeToString())
    assert found.problem
    assert not found.analysis
