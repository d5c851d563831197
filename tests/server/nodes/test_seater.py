"""One seater for several nodes, with a real database and a real Redis."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.server.migrated import sqlite_url
from tests.server.nodes.seater_world import World, lost
from tests.server.queue_world import never, played_by, states, until, until_over
from tests.server.shared_redis import empty_redis
from tests.server.store_world import five_bots, started

from farfalia_server.net.redis_connection import connect
from farfalia_server.queue import seater as seaters
from farfalia_server.queue.reservations import OutdatedSeater, ReservationsLost, Table
from farfalia_server.store import ClaimedMatch, MatchState, Store


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(seaters, "PASS_SECONDS", 0.1)
    async with (
        empty_redis() as url,
        connect(url) as redis,
        await Store.open(sqlite_url(tmp_path / "store.db")) as store,
        AsyncExitStack() as stack,
    ):
        world = World(store, redis, url)
        await world.open(stack)
        yield world


async def test_nodes_play_what_the_seater_gives_them_and_free_the_seats(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 4 for bot in bots}
    tournament = await started(world.store, bots, 30)
    await until_over(world.store, tournament)
    played = await played_by(*world.nodes)
    assert len(played) == len(set(played)) == 30
    assert [node.refused for node in world.nodes] == [[], []]
    async with asyncio.timeout(60):
        while await world.reservations.nodes() or await world.reservations.taken():
            await asyncio.sleep(0.01)


async def test_no_bot_has_more_tables_on_all_nodes_together_than_it_offers_seats(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 2 for bot in bots}
    now, most, two = Counter[int](), Counter[int](), asyncio.Barrier(2)

    async def playing(claimed: ClaimedMatch) -> None:
        now.update(claimed.match.bot_ids)
        for bot, tables in now.items():
            most[bot] = max(most[bot], tables)
        await two.wait()
        now.subtract(claimed.match.bot_ids)

    for node in world.nodes:
        node.playing = playing
    await until_over(world.store, await started(world.store, bots, 12))
    assert most == {bot.id: 2 for bot in bots}


async def test_what_a_node_cannot_play_is_given_to_another_and_holds_nothing_up(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 9 for bot in bots}
    learned = await world.store.bots.ensure_house("house-learned-1", "learned")
    world.lacking = {"A": {"learned"}, "B": {"learned"}}
    stuck = await started(world.store, [*bots[:4], learned], 8)
    await until_over(world.store, await started(world.store, bots, 8))
    assert await states(world.store, stuck) == {MatchState.QUEUED: 8}
    world.lacking = {"A": {"learned"}}
    world.seater.reload()
    await until_over(world.store, stuck)
    played = [match.node for match in await world.store.matches.of_tournament(stuck.id)]
    assert set(played) == {"B@1"}


async def test_what_a_dead_node_played_waits_for_one_that_can_play_it(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 9 for bot in bots}
    learned = await world.store.bots.ensure_house("house-learned-1", "learned")
    world.lacking, (other, able) = {"A": {"learned"}}, world.nodes
    able.playing = never
    tournament = await started(world.store, [*bots[:4], learned], 2)
    await until(lambda: len(able.begun) == 2)
    able.taker.abandon()
    world.living.remove("B@1")
    world.tables = {"A": 4}
    world.seater.repair(died=True)
    await until_over(world.store, await started(world.store, bots, 2))
    assert await states(world.store, tournament) == {MatchState.RUNNING: 2}
    able.node, able.playing = "B@2", able._nothing
    world.living.add("B@2")
    world.tables = {"A": 4, "B": 4}
    world.seater.repair()
    await until_over(world.store, tournament)
    assert len(other.begun) == 2


async def test_what_a_dead_node_played_is_is_played_on_by_another_without_waiting(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 9 for bot in bots}
    for node in world.nodes:
        node.playing = never
    tournament = await started(world.store, bots, 8)
    await until(lambda: sum(len(node.begun) for node in world.nodes) == 8)
    dead, alive = world.nodes
    assert dead.begun
    dead.taker.abandon()
    alive.taker.abandon()
    for node in world.nodes:
        node.node = f"{node.node} again"
        node.playing = node._nothing
    world.living = {"A@1 again", "B@1 again"}
    world.seater.repair()
    await until_over(world.store, tournament)
    matches = await world.store.matches.of_tournament(tournament.id)
    assert [(match.epoch, match.attempt) for match in matches] == [(2, 1)] * 8


async def test_a_bot_that_stays_away_is_waited_for_and_then_played_for(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots[1:]}
    tournament = await started(world.store, bots, 1)
    await until_over(world.store, tournament)
    (absent,) = [set(bots) for node in world.nodes for bots in node.absent.values() if bots]
    assert absent == {bots[0].id}


async def test_a_job_that_was_lost_is_put_into_the_queue_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seaters, "LOST_SECONDS", 0.3)
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    queue, lost = world.nodes[0].taker.queue, list[object]()
    add = queue.add

    async def lose(jobs: object) -> None:
        if not jobs:
            return
        lost.append(jobs)
        monkeypatch.setattr(queue, "add", add)

    monkeypatch.setattr(queue, "add", lose)
    tournament = await started(world.store, bots, 1)
    await until_over(world.store, tournament)
    assert len(lost) == 1


async def test_a_node_that_is_not_the_seater_seats_nobody_and_an_older_one_is_refused(world: World) -> None:
    world.number = None
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    tournament = await started(world.store, bots, 1)
    await asyncio.sleep(0.3)
    assert await states(world.store, tournament) == {MatchState.QUEUED: 1}
    limits = {bot.id: 1 for bot in bots}
    first, second, third = (Table(match, "A", limits) for match in (99, 100, 101))
    await world.name_seater("instance 5 B")
    await world.reservations.hold(5, [])
    assert await world.reservations.reserve(5, [first]) == [True]
    assert await world.reservations.reserve(5, [first, second]) == [True, False]
    with pytest.raises(OutdatedSeater):
        await world.reservations.reserve(4, [third])
    await world.reservations.release(99, waits=False)
    await world.become(6)
    world.seater.wake()
    await until_over(world.store, tournament)


async def test_in_an_emptied_redis_only_the_seater_that_the_roles_name_reserves_seats(world: World) -> None:
    world.number, table = None, Table(99, "A", {1: 1})
    await asyncio.sleep(0.3)
    await world.redis.flushall()
    with pytest.raises(OutdatedSeater):
        await world.reservations.hold(3, [])
    for role in ("instance 4 B", "instance 30 B", "- 3 B"):
        await world.name_seater(role)
        with pytest.raises(OutdatedSeater):
            await world.reservations.hold(3, [])
    with pytest.raises(ReservationsLost):
        await world.reservations.reserve(3, [table])
    await world.name_seater("instance 3 B")
    await world.reservations.hold(3, [])
    assert await world.reservations.reserve(3, [table]) == [True]


async def test_a_match_is_played_where_its_bots_are(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 3 for bot in bots}
    world.only = "B"
    await until_over(world.store, await started(world.store, bots, 10))
    assert len(await played_by(world.nodes[0])) == 0
    assert len(await played_by(world.nodes[1])) == 10


async def test_what_comes_to_a_node_that_takes_no_matches_is_played_by_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.queue.match_taker._PAUSED_SECONDS", 0.01)
    bots = await five_bots(world.store)
    world.seats = {bot.id: 3 for bot in bots}
    world.nodes[0].taker.pause()
    world.only = "A"
    tournament = await started(world.store, bots, 10)
    await world.until_given("A", 3)
    world.only = None
    del world.tables["A"]  # as it says itself from its next heartbeat on
    await until_over(world.store, tournament)
    assert len(await played_by(world.nodes[0])) == 0
    assert len(await played_by(world.nodes[1])) == 10


async def test_a_seater_takes_over_the_jobs_of_one_that_has_died(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seaters, "LOST_SECONDS", 600.0)
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    world.only, world.tables["C"] = "C", 9
    tournament = await started(world.store, bots, 3)
    await world.until_given("C", 1)
    world.only = None
    del world.tables["C"]
    await world.become(2)
    world.seater.wake()
    await until_over(world.store, tournament)


async def test_a_match_that_was_on_its_way_to_a_node_that_dies_is_played_by_another_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seaters, "LOST_SECONDS", 600.0)
    bots = await five_bots(world.store)
    world.seats = {bot.id: 2 for bot in bots}
    world.only, world.tables["C"] = "C", 9
    tournament = await started(world.store, bots, 6)
    await world.until_given("C", 2)
    world.only = None
    del world.tables["C"]
    world.seater.repair(died=True)
    await until_over(world.store, tournament)
    matches = await world.store.matches.of_tournament(tournament.id)
    assert [(match.epoch, match.attempt) for match in matches] == [(1, 1)] * 6


async def test_no_node_gets_more_matches_than_it_has_tables(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 99 for bot in bots}
    world.tables = {"A": 3, "B": 1}
    for node in world.nodes:
        node.playing = never
    await started(world.store, bots, 9)
    await until(lambda: len(world.begun()) == 4)
    await asyncio.sleep(0.3)
    assert [len(node.begun) for node in world.nodes] == [3, 1]


async def test_matches_of_a_dead_node_wait_for_a_table(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 99 for bot in bots}
    world.tables = {"A": 4}
    world.nodes[0].playing = never
    tournament = await started(world.store, bots, 4)
    await until(lambda: len(world.begun()) == 4)
    world.living, world.tables = {"B@1"}, {"B": 1}
    world.seater.repair(died=True)
    await until_over(world.store, tournament)
    assert world.nodes[1].most == 1


async def test_what_a_database_says_that_a_node_plays_and_it_does_not_is_played_by_this_node(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    world.only = "B"
    tournament = await started(world.store, bots, 1)
    (match,) = await world.store.matches.of_tournament(tournament.id)
    # As if the database had lost the end of the match, after which its seats were freed.
    for node in world.nodes:
        node.playing = never
    await until(lambda: match.id in world.begun())
    for node in world.nodes:
        node.taker.abandon()
        node.playing = node._nothing
    await world.reservations.release(match.id, waits=False)
    world.seater.repair()
    await until_over(world.store, tournament)
    assert await played_by(world.nodes[1]) == [match.id]


async def test_seats_of_a_lost_job_become_free_however_often_the_role_moves(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seaters, "LOST_SECONDS", 0.5)
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    tournament = await started(world.store, bots, 1)
    monkeypatch.setattr(world.nodes[0].taker.queue, "add", lost)
    (match,) = await world.store.matches.of_tournament(tournament.id)
    with capture_logs() as said:
        async with asyncio.timeout(60):
            while {"event": "job_lost", "log_level": "warning", "match": match.id} not in said:
                await world.become((world.number or 0) + 1)
                world.seater.wake()
                await asyncio.sleep(0.05)


async def test_an_emptied_redis_gives_no_bot_more_tables_than_it_offers_seats(world: World) -> None:
    bots = await five_bots(world.store)
    world.seats = {bot.id: 1 for bot in bots}
    for node in world.nodes:
        node.playing = never
    await started(world.store, bots, 4)
    await until(lambda: len(world.begun()) == 1)
    await world.redis.flushall()
    await world.become(1)
    world.seater.reload()
    async with asyncio.timeout(60):
        while await world.reservations.taken() != {bot.id: 1 for bot in bots}:
            await asyncio.sleep(0.01)
    assert (await world.reservations.nodes()).keys() == world.begun()
    assert len(world.begun()) == 1
