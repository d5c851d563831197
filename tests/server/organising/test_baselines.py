"""The house bots' points on boards that one table alone has played: each board once, and never for a reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.arena_world import FIVE, World, world
from tests.server.store_world import SECRET, claim, five_bots, match_ids, play, seats, started

import farfalia_engine as engine
import farfalia_server.organising.house_points
from farfalia_server.arena import Reader, standings, standings_cache
from farfalia_server.arena.watching import Watching
from farfalia_server.contract.errors import FarfaliaServerError, NotReady
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising.baseliner import BATCH, Baseliner
from farfalia_server.organising.entering import Entering
from farfalia_server.organising.house_points import house_points
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.store import NewMatch, Store, VoidReason


class Counted(WorkerProcess):
    """A worker process that counts the boards it is given; its first calls fail as if it had died."""

    def __init__(self, fail: int = 0) -> None:
        super().__init__()
        self.boards = 0
        self.fail = fail

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self.fail:
            self.fail -= 1
            raise FarfaliaServerError("the process has ended")
        self.boards += len(arguments[0])
        return await super().run(function, *arguments)


def never() -> bool:
    return False


# In the store --------------------------------------------------------------------------------------------------


async def test_a_board_that_one_table_alone_has_played_to_the_end_has_no_baseline_at_first(store: Store) -> None:
    five = await five_bots(store)
    alone = await started(store, five, 3, "datum")
    first, second, _ = await match_ids(store, alone)
    await play(store, first)
    await play(store, second)
    (one, other) = await store.baselines.missing()
    assert (one.match_id, one.tournament_id, one.board) == (first, alone.id, "board-1")
    assert (one.ruleset, one.options, one.secret) == ("chinkway", {"double_you": "on"}, SECRET)
    assert one.nonces == alone.nonces
    assert (await store.baselines.missing(after=first)) == [other]
    assert (await store.baselines.missing(limit=1)) == [one]
    assert (await store.baselines.missing_of([second])) == [other]
    await store.baselines.keep({(alone.id, "board-1"): (5, 4, 3, 2, 1)})
    await store.baselines.keep({(alone.id, "board-1"): (9, 9, 9, 9, 9)})
    assert (await store.baselines.missing()) == [other]
    assert await store.baselines.of(alone.id) == {"board-1": (5, 4, 3, 2, 1)}
    assert await store.baselines.count(alone.id) == 1


async def test_a_board_that_two_tables_play_or_that_is_never_compared_needs_no_baseline(store: Store) -> None:
    five = await five_bots(store)
    shared = [NewMatch(1, "board-1", seats(five)), NewMatch(1, "board-1", seats(five[::-1]))]
    for tournament in (await started(store, five, 1, "fresh"), await started(store, five, shared, "datum")):
        for match_id in await match_ids(store, tournament):
            await play(store, match_id)
    assert await store.baselines.missing() == []


async def test_a_table_that_was_voided_leaves_its_board_to_the_other_one(store: Store) -> None:
    five = await five_bots(store)
    shared = [NewMatch(1, "board-1", seats(five)), NewMatch(1, "board-1", seats(five[::-1]))]
    tournament = await started(store, five, shared, "datum")
    first, second = await match_ids(store, tournament)
    await play(store, first)
    claimed = await claim(store, second)
    assert await store.baselines.missing() == []
    assert await store.claims.void(second, claimed.match.epoch, VoidReason.SERVER_FAILED, "the disk was full")
    assert [one.board for one in await store.baselines.missing(tournament_id=tournament.id)] == ["board-1"]
    await play(store, second)
    assert [one.board for one in await store.baselines.missing()] == ["board-1", "board-1.2.2"]


# Computed ----------------------------------------------------------------------------------------------------


async def a_tournament(here: World, rounds: int) -> int:
    made = await here.spring(rounds=rounds)
    await here.play_all(made)
    return made.id


async def test_each_board_is_played_by_house_bots_once_also_after_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path) as here, Counted() as worker:
        number = await a_tournament(here, BATCH + 1)
        await Baseliner(here.store, worker, never).work_off()
        assert worker.boards == BATCH + 1
        source = await here.store.claims.source(number)
        for board, points in (await here.store.baselines.of(number)).items():
            key = engine.board_key(source.secret, source.nonces, board)
            assert points == house_points(engine.ruleset("chinkway"), key)
    async with world(tmp_path) as here, Counted() as worker:
        await Baseliner(here.store, worker, never).work_off()
        assert worker.boards == 0


async def test_a_match_that_ends_gets_its_baseline_even_if_the_worker_process_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.organising.baseliner._GATHER_SECONDS", 0)
    monkeypatch.setattr("farfalia_server.organising.baseliner._PAUSE_SECONDS", 0)

    async with world(tmp_path) as here, Counted(fail=2) as worker, Baseliner(here.store, worker, never):
        number = await a_tournament(here, 2)
        while await here.store.baselines.count(number) < 2:
            await asyncio.sleep(0.01)
        assert worker.boards == 2


# Seen ----------------------------------------------------------------------------------------------------------


async def test_readers_play_no_board_and_share_the_standings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = {"tables": 0, "boards": 0}
    made, played = standings.make_standings, farfalia_server.organising.house_points.house_points

    def count_table(*arguments: Any) -> Any:
        counted["tables"] += 1
        return made(*arguments)

    def count_board(*arguments: Any) -> Any:
        counted["boards"] += 1
        return played(*arguments)

    monkeypatch.setattr(standings_cache, "make_standings", count_table)
    monkeypatch.setattr(farfalia_server.organising.house_points, "house_points", count_board)

    async with world(tmp_path) as here:
        number = await a_tournament(here, 20)
        shown = await asyncio.gather(*(here.reader.tournament(number) for _ in range(8)))
        assert counted == {"tables": 1, "boards": 0}
        assert {one.baselines_missing for one in shown} == {20}
        await here.reader.tournament(number)
        assert counted == {"tables": 1, "boards": 0}
        (one,) = await here.store.baselines.missing(limit=1)
        await here.store.baselines.keep({(number, one.board): (50, 40, 30, 20, 10)})
        assert (await here.reader.tournament(number)).baselines_missing == 19
        assert counted == {"tables": 2, "boards": 0}


async def test_who_watches_a_tournament_to_its_end_is_shown_its_last_baseline(tmp_path: Path) -> None:
    async with world(tmp_path) as here, WorkerProcess() as worker, Baseliner(here.store, worker, never):
        number = await a_tournament(here, 2)
        watching = Watching(here.reader, here.news, interval=0, settling=60)
        shown = [one.baselines_missing async for one in watching.follow(number)]
        assert shown[-1] == 0


async def test_standings_that_take_long_are_shown_as_they_were_until_there_are_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_cache, "LONG", -1)
    monkeypatch.setattr(standings_cache, "PATIENCE", 0)

    async with world(tmp_path) as here:
        made = await here.spring(rounds=3)
        await here.play_all(made, leave=2)
        reader = Reader(here.store, here.crowd)
        with pytest.raises(NotReady, match="standings of tournament 1 are being computed"):
            await reader.tournament(made.id, wait=0)
        assert (await reader.tournament(made.id)).standings[0].matches == 1
        await here.play(2)
        before = await reader.tournament(made.id)
        assert (before.finished, before.standings[0].matches) == (1, 1), "headline and rows are of the same moment"
        while (await reader.tournament(made.id)).standings[0].matches == 1:
            await asyncio.sleep(0.01)
        await here.play(3)
        assert (await reader.tournament(made.id)).standings[0].matches == 3  # over, so exact


async def test_who_enters_shows_at_once_however_long_standings_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_cache, "LONG", -1)
    monkeypatch.setattr(standings_cache, "PATIENCE", 10**6)
    async with world(tmp_path) as here:
        await here.register(*FIVE)
        made = await here.plan("spring", FIVE[:4], rounds=3, ruleset="two")
        reader = Reader(here.store, here.crowd)
        assert [row.entrant for row in (await reader.tournament(made.id)).standings] == list(FIVE[:4])
        await Entering(here.store, here.planner, LadderKnowing(here.store).of_late).enter(made.id, FIVE[4])
        assert [row.entrant for row in (await reader.tournament(made.id)).standings] == list(FIVE)
