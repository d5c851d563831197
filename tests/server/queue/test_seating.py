"""One seater, on a server that is alone: what waits is played, once, when its bots are there."""

import asyncio
from pathlib import Path

import structlog
from tests.server.migrated import sqlite_url
from tests.server.queue_world import PATIENCE, Node, never, on_one_node, played_by, states, until, until_over
from tests.server.store_world import CONTROL, SECRET, five_bots, match_ids, planned, seats, started
from tests.server.turns import Turns

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.queue.match_queue import Job
from farfalia_server.store import MOST_ATTEMPTS, ClaimedMatch, MatchState, NewLadderMatch, NewMatch, Store, VoidReason


async def test_every_match_of_a_started_tournament_is_played_once(node: Node) -> None:
    tournament = await started(node.store, await five_bots(node.store), 60)
    await until_over(node.store, tournament)
    assert sorted(await played_by(node.runner)) == await match_ids(node.store, tournament)
    assert {match.epoch for match in await node.store.matches.of_tournament(tournament.id)} == {1}
    assert node.runner.refused == []
    reservations = node.matches.taker._reservations
    async with asyncio.timeout(PATIENCE):
        while await reservations.nodes() or await reservations.taken():
            await asyncio.sleep(0.01)


async def test_a_planned_tournament_waits_for_its_start(node: Node) -> None:
    bots = await five_bots(node.store)
    tournament = await planned(node.store, bots)
    other = await started(node.store, bots)
    await until_over(node.store, other)
    assert await states(node.store, tournament) == {MatchState.PLANNED: 1}


async def test_no_more_matches_are_played_at_once_than_fit(tmp_path: Path) -> None:
    async with on_one_node(tmp_path, most=4) as node:

        async def for_a_while(_: ClaimedMatch) -> None:
            await until(lambda: node.runner.most >= 4)
            await asyncio.sleep(0.01)

        node.runner.playing = for_a_while
        tournament = await started(node.store, await five_bots(node.store), 40)
        await until_over(node.store, tournament)
        assert node.runner.most == 4


async def test_no_bot_has_more_tables_than_it_offers_seats(node: Node) -> None:
    node.doors.seats = 2
    two = asyncio.Barrier(2)

    async def for_a_while(_: ClaimedMatch) -> None:
        await two.wait()

    node.runner.playing = for_a_while
    await until_over(node.store, await started(node.store, await five_bots(node.store), 12))
    assert node.runner.most == 2


async def test_a_match_begins_as_soon_as_its_bots_are_there(node: Node) -> None:
    bots = await five_bots(node.store)
    node.doors.away = {bots[2].id}
    tournament = await started(node.store, bots)
    await until(lambda: bots[2].id in node.doors.asked)
    assert await states(node.store, tournament) == {MatchState.QUEUED: 1}
    node.doors.away = set()
    node.matches.wake()
    await until_over(node.store, tournament)


async def test_house_bots_are_always_there(node: Node) -> None:
    bots = await five_bots(node.store)
    house = await node.store.bots.ensure_house("house-greedy-1", "greedy")
    node.doors.away = {house.id}
    await until_over(node.store, await started(node.store, [*bots[:4], house]))
    assert node.doors.asked == {bot.id for bot in bots[:4]}


async def test_a_match_outside_tournaments_is_played_too(node: Node) -> None:
    (match,) = await node.store.matches.plan(
        [NewLadderMatch(NewMatch(0, "board-1", seats(await five_bots(node.store))), SECRET, b"")],
        ruleset="chinkway",
        options={},
        time_control=CONTROL,
        ladder="chinkway",
    )
    await until(lambda: node.runner.played == [match.id])


async def test_older_matches_are_tried_first(tmp_path: Path) -> None:
    async with on_one_node(tmp_path, most=1) as node:
        tournament = await started(node.store, await five_bots(node.store), 20)
        await until_over(node.store, tournament)
        assert await played_by(node.runner) == await match_ids(node.store, tournament)


async def test_a_tournament_that_cannot_go_on_does_not_hide_the_one_behind_it(node: Node) -> None:
    bots = await five_bots(node.store)
    slow, _ = await node.store.bots.register("slow")
    node.doors.away = {slow.id}
    stuck = await started(node.store, [*bots[:4], slow], 3000)
    tournament = await started(node.store, bots, 3)
    await until_over(node.store, tournament)
    assert await states(node.store, stuck) == {MatchState.QUEUED: 3000}


async def test_tournaments_take_turns_for_free_tables(tmp_path: Path) -> None:
    async with on_one_node(tmp_path, most=2) as node:
        begun: list[int] = []

        async def note(claimed: ClaimedMatch) -> None:
            begun.append(claimed.match.tournament_id or 0)

        bots = await five_bots(node.store)
        node.runner.playing = note
        long = await started(node.store, bots, 300)
        await until(lambda: bool(begun))
        short = await started(node.store, bots, 10)
        await until_over(node.store, short)
        first = begun.index(short.id)
        # From the first to the last match of the short one, every other table is its own.
        between = begun[first : len(begun) - begun[::-1].index(short.id)]
        assert between.count(long.id) <= between.count(short.id) + 2
        assert long.id in between


async def test_as_many_matches_are_played_at_once_as_there_are_tables(node: Node) -> None:
    go = asyncio.Event()

    async def wait(_: ClaimedMatch) -> None:
        await go.wait()

    node.runner.playing = wait
    tournament = await started(node.store, await five_bots(node.store), 150)
    with structlog.testing.capture_logs() as logged:
        await until(lambda: len(node.runner.begun) == 150)
        assert node.runner.most == 150
        go.set()
        await until_over(node.store, tournament)
    assert [line for line in logged if line["log_level"] != "info"] == []


async def test_many_matches_that_can_begin_at_once_begin_a_few_in_each_turn_of_the_loop(node: Node) -> None:
    begun, go = Turns(), asyncio.Event()
    handed, take = Turns(), node.matches.taker.take

    def counted(job: Job) -> None:
        handed.count()
        take(job)

    async def wait(_: ClaimedMatch) -> None:
        begun.count()
        await go.wait()

    node.runner.playing = wait
    node.matches.taker.queue._take = counted
    with handed.counting():
        tournament = await started(node.store, await five_bots(node.store), 150)
        await until(lambda: begun.total == 150)
    go.set()
    await until_over(node.store, tournament)
    assert handed.total == 150
    assert handed.most <= 24, "of 150: what is read at once, new or redelivered, may meet in a turn"


async def test_matches_far_down_a_schedule_are_found_when_those_before_them_cannot_be_played(node: Node) -> None:
    bots = await five_bots(node.store)
    slow, _ = await node.store.bots.register("slow")
    node.doors.away = {slow.id}
    waiting = [NewMatch(1, f"board-{number}", seats([*bots[:4], slow])) for number in range(700)]
    tournament = await planned(node.store, bots, matches=[*waiting, NewMatch(2, "board-700", seats(bots))])
    await node.store.tournaments.start(tournament.id)
    await until(lambda: bool(node.runner.played))
    assert node.runner.played == (await match_ids(node.store, tournament))[-1:]


async def test_a_cancelled_tournament_is_left_alone(node: Node) -> None:
    bots = await five_bots(node.store)
    node.doors.away = {bots[0].id}
    tournament = await started(node.store, bots, 5)
    await until(lambda: bool(node.doors.asked))
    await node.store.tournaments.cancel(tournament.id)
    node.doors.away = set()
    other = await started(node.store, bots)
    await until_over(node.store, other)
    assert await played_by(node.runner) == await match_ids(node.store, other)
    assert await states(node.store, tournament) == {MatchState.CANCELLED: 5}


async def test_a_void_match_is_played_again_at_once(node: Node) -> None:
    async def fault(claimed: ClaimedMatch) -> None:
        if claimed.match.attempt == 1:
            await node.store.claims.void(claimed.match.id, claimed.match.epoch, VoidReason.SERVER_FAILED, "a fault")

    node.runner.playing = fault
    tournament = await started(node.store, await five_bots(node.store))
    await until_over(node.store, tournament)
    (match,) = await node.store.matches.of_tournament(tournament.id)
    assert (match.state, match.attempt, match.board) == (MatchState.FINISHED, 2, "board-1.1.2")


async def test_a_match_that_makes_the_host_fail_is_tried_again_and_then_given_up(node: Node) -> None:
    async def fail(_: ClaimedMatch) -> None:
        raise ZeroDivisionError

    node.runner.playing = fail
    tournament = await started(node.store, await five_bots(node.store))
    with structlog.testing.capture_logs() as logged:
        await until_over(node.store, tournament)
    (match,) = await node.store.matches.of_tournament(tournament.id)
    assert (match.state, match.attempt) == (MatchState.VOID, MOST_ATTEMPTS)
    assert [line["event"] for line in logged].count("match_failed") == MOST_ATTEMPTS
    attempts = await node.store.void_attempts.newest()
    assert [attempt.reason for attempt in attempts] == [VoidReason.SERVER_FAILED] * MOST_ATTEMPTS


async def test_a_match_that_the_host_left_is_taken_again(node: Node) -> None:
    left: list[int] = []

    async def leave(claimed: ClaimedMatch) -> None:
        if not left:
            left.append(claimed.match.id)
            raise StoreUnavailable("the database does not answer")

    node.runner.playing = leave
    tournament = await started(node.store, await five_bots(node.store), 3)
    await until_over(node.store, tournament)
    assert left[0] in await played_by(node.runner)
    assert (await node.store.matches.get(left[0])).epoch == 2


async def test_a_paused_queue_begins_nothing_and_ends_what_it_has(tmp_path: Path) -> None:
    async with on_one_node(tmp_path, most=2) as node:
        go = asyncio.Event()

        async def wait(_: ClaimedMatch) -> None:
            await go.wait()

        node.runner.playing = wait
        tournament = await started(node.store, await five_bots(node.store), 5)
        await until(lambda: len(node.runner.begun) == 2)
        node.matches.taker.pause()
        go.set()
        await until(lambda: node.matches.taker.playing == 0)
        assert len(node.runner.played) == 2
        assert await states(node.store, tournament) == {MatchState.FINISHED: 2, MatchState.QUEUED: 3}


async def test_stopping_breaks_off_what_is_played_and_waits_for_nothing(tmp_path: Path) -> None:
    async with on_one_node(tmp_path) as node:
        node.runner.playing = never
        await started(node.store, await five_bots(node.store), 3)
        await until(lambda: len(node.runner.begun) == 3)
    async with await Store.open(sqlite_url(tmp_path / "store.db")) as store:
        assert await store.matches.counts() == {MatchState.RUNNING: 3}
    async with on_one_node(tmp_path) as after:
        await until(lambda: len(after.runner.played) == 3)
        assert {(await after.store.matches.get(match_id)).epoch for match_id in after.runner.played} == {2}
