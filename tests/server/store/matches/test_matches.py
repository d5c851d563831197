"""Matches on both databases: who may play one, and what is left of it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, update
from tests.server.store_world import (
    CONTROL,
    SECRET,
    claim,
    five_bots,
    match_ids,
    planned,
    play,
    record_of,
    seats,
    started,
)
from tests.server.void_attempts import ladder_match, void

from farfalia.v1 import record_pb2
from farfalia_engine import commitment
from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.store import (
    MOST_ATTEMPTS,
    BotIncident,
    Change,
    Match,
    MatchStanding,
    MatchState,
    NewLadderMatch,
    NewMatch,
    SeatResults,
    Source,
    Store,
    Topic,
    TournamentState,
    VoidReason,
    WantedMatches,
)
from farfalia_server.store.matches.matches import with_record_open
from farfalia_server.store.matches.values import MOST_WALKOUTS
from farfalia_server.store.sql import schema


async def test_a_claim_gives_all_that_is_needed_to_play(store: Store) -> None:
    bots = await five_bots(store)
    (match_id,) = await match_ids(store, await started(store, bots))
    claimed = await claim(store, match_id)
    assert claimed.bots == tuple(bots)
    assert claimed.source == Source(SECRET, commitment(SECRET), (), {})
    match = claimed.match
    assert (match.epoch, match.attempt, match.state, match.node) == (1, 1, MatchState.RUNNING, "here")
    assert (match.round, match.number, match.board) == (1, 1, "board-1")
    assert (match.ruleset, match.options, match.time_control) == ("chinkway", {"double_you": "on"}, CONTROL)
    assert match.started is not None


async def test_a_claim_after_an_outage_knows_what_a_failover_has_changed(store: Store) -> None:
    bots = await five_bots(store)
    first, second, third = await match_ids(store, await started(store, bots, 3))
    assert await store.claims.claim(first, "here")
    database = store.claims._database

    def fail_over(connection: Connection) -> None:
        connection.execute(update(schema.bot).filter_by(id=bots[0].id).values(name="another"))
        connection.execute(update(schema.tournament).values(nonces=["3132333435363738"]))

    await database.write(fail_over)
    known = await claim(store, second)
    assert (known.bots[0].name, known.source.nonces) == ("another", ())  # nonces change in a failover alone
    database.heard(answer=False)
    claimed = await claim(store, third)
    assert (claimed.bots[0].name, claimed.source.nonces) == ("another", (b"12345678",))


async def test_what_is_forgotten_while_a_claim_reads_does_not_make_it_fail(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = await five_bots(store)
    first, second = await match_ids(store, await started(store, bots, 2))
    assert await store.claims.claim(first, "here")
    claims = store.claims
    del claims._bots[bots[0].id]
    read = claims._database.read

    def forgetting(work: Callable[[Connection], Any]) -> Any:
        claims._bots.clear()  # as another claim does after an outage
        return read(work)

    monkeypatch.setattr(claims._database, "read", forgetting)
    claimed = await claims.claim(second, "here")
    assert claimed is not None
    assert [bot.name for bot in claimed.bots] == [bot.name for bot in bots]


async def test_a_match_cannot_be_claimed_before_its_tournament_is_started(store: Store) -> None:
    (match_id,) = await match_ids(store, await planned(store, await five_bots(store)))
    assert await store.claims.claim(match_id, "here") is None


async def test_every_claim_raises_the_epoch_and_refuses_the_owner_before(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    first = await store.claims.claim(match_id, "one")
    second = await store.claims.claim(match_id, "two")
    assert first is not None
    assert second is not None
    assert (first.match.epoch, second.match.epoch) == (1, 2)
    assert not await store.claims.finish(match_id, 1, record_of(match_id))
    assert not await store.claims.void(match_id, 1, VoidReason.SERVER_FAILED, "too late")
    assert (await store.matches.get(match_id)).state is MatchState.RUNNING
    assert await store.claims.finish(match_id, 2, record_of(match_id))


async def test_of_many_claims_at_one_epoch_one_succeeds(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    claims = await asyncio.gather(*(store.claims.claim(match_id, str(node), epoch=0) for node in range(10)))
    assert len([claim for claim in claims if claim is not None]) == 1


async def test_of_many_who_finish_one_succeeds_and_nothing_is_written_twice(store: Store) -> None:
    bots = await five_bots(store)
    (match_id,) = await match_ids(store, await started(store, bots))
    epochs = [1, 2, 3, 4]
    for epoch in epochs:
        claimed = await claim(store, match_id)
        assert claimed.match.epoch == epoch
    record = record_of(match_id)
    record.incidents.add(seat=2, strikes=1, cause=record_pb2.CAUSE_TIMEOUT, text="slow")
    finished = await asyncio.gather(*(store.claims.finish(match_id, epoch, record) for epoch in epochs))
    assert finished == [False, False, False, True]
    assert len(await store.logs.incidents(bots[2].id)) == 1


async def test_finishing_again_after_success_is_a_success_that_changes_nothing(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    await play(store, match_id)
    heard: list[Change] = []
    store.changes.on(tuple(Topic), heard.append)
    assert await store.claims.finish(match_id, 1, record_of(match_id, (1, 2, 3, 4, 5)))
    assert (await store.records.get(match_id)).outcome.points == [50, 40, 30, 20, 10]
    # Whoever could not learn that the first call succeeded has told nobody.
    assert [(one.topic, one.id, one.state) for one in heard] == [(Topic.MATCH, match_id, MatchState.FINISHED)]


async def test_a_finished_match_has_its_result_and_its_incidents(store: Store) -> None:
    bots = await five_bots(store)
    (match_id,) = await match_ids(store, await started(store, bots))
    record = record_of(match_id)
    record.seats[3].version = "1"
    record.outcome.forfeits.append(3)
    record.incidents.add(seat=3, action_index=7, cause=record_pb2.CAUSE_TIMEOUT, strikes=1, text="slow")
    record.incidents.add(seat=3, action_index=9, cause=record_pb2.CAUSE_ABSENT, strikes=2, taken_over=True, text="gone")
    await store.claims.claim(match_id, "here")
    assert await store.claims.finish(match_id, 1, record)
    match = await store.matches.get(match_id)
    assert match.state is MatchState.FINISHED
    assert match.result == SeatResults((50, 40, 30, 20, 10), (1, 2, 3, 4, 5), (0, 0, 0, 2, 0), (3,))
    assert match.finished is not None
    assert await store.logs.incidents(bots[3].id) == [
        BotIncident(bots[3].id, match_id, 3, 9, record_pb2.CAUSE_ABSENT, 2, True, "gone", True, "1"),
        BotIncident(bots[3].id, match_id, 3, 7, record_pb2.CAUSE_TIMEOUT, 1, False, "slow", True, "1"),
    ]
    assert await store.logs.incidents(bots[0].id) == []


async def test_a_void_match_is_queued_again_on_another_board(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 2)
    first, second = await match_ids(store, tournament)
    await store.claims.claim(second, "here")
    assert await store.claims.void(second, 1, VoidReason.SERVER_FAILED, "the disk was full")
    match = await store.matches.get(second)
    assert (match.state, match.attempt, match.board) == (MatchState.QUEUED, 2, "board-2.2.2")
    assert (match.note, match.started) == ("the disk was full", None)
    assert not await store.claims.finish(second, 1, record_of(second))
    claimed = await claim(store, second, "there")
    assert claimed.match.epoch > 1
    assert claimed.match.board == "board-2.2.2"
    assert (await store.matches.get(first)).board == "board-1"


async def test_tables_that_share_a_board_do_not_share_the_one_that_they_play_again(store: Store) -> None:
    """The record of the first could be public before the second begins."""

    bots = await five_bots(store)
    tournament = await started(store, bots, [NewMatch(1, "board-1-1", seats(bots)) for _ in range(3)])
    ids = await match_ids(store, tournament)
    for match_id in ids[:2]:
        await store.claims.claim(match_id, "here")
        assert await store.claims.void(match_id, 1, VoidReason.SERVER_FAILED, "a fault") is MatchState.QUEUED
    boards = [(await store.matches.get(match_id)).board for match_id in ids]
    assert boards == ["board-1-1.1.2", "board-1-1.2.2", "board-1-1"]


async def test_only_the_first_claim_of_an_attempt_is_called_so(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    first = []
    for fault in (False, True, False):
        claimed = await claim(store, match_id)
        first.append(claimed.first)
        if fault:
            await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, "a fault")
    assert first == [True, False, True]


async def test_a_match_that_is_void_again_and_again_is_given_up_and_ends_its_tournament(store: Store) -> None:
    tournament = await started(store, await five_bots(store))
    (match_id,) = await match_ids(store, tournament)
    for _ in range(MOST_ATTEMPTS):
        await void(store, match_id)
    assert (await store.matches.get(match_id)).state is MatchState.VOID
    assert await store.claims.claim(match_id, "here") is None
    assert (await store.tournaments.get(tournament.id)).state is TournamentState.FINISHED


async def test_the_secret_of_a_tournament_is_in_its_records_only_when_it_is_over(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 2)
    first, second = await match_ids(store, tournament)
    record = record_of(first)
    record.source.secret = SECRET  # the node that played it knew the secret, and must not give it away
    await store.claims.claim(first, "here")
    assert await store.claims.finish(first, 1, record)
    assert (await store.records.get(first)).source.secret == b""
    assert (await store.tournaments.get(tournament.id)).secret == b""
    await play(store, second)
    assert (await store.records.get(first)).source.secret == SECRET
    assert (await store.tournaments.get(tournament.id)).secret == SECRET


async def test_a_record_comes_back_as_it_was_written(store: Store) -> None:
    first, _ = await match_ids(store, await started(store, await five_bots(store), 2))
    await play(store, first)
    assert await store.records.get(first) == record_of(first)


async def test_a_match_that_is_not_over_has_no_record(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    with pytest.raises(FailedPrecondition, match=f"match {match_id} is queued") as refusal:
        await store.records.get(match_id)
    assert refusal.value.reason == "MATCH_NOT_OVER"
    with pytest.raises(NotFound, match="there is no match 999"):
        await store.records.get(999)


async def test_a_match_outside_tournaments_has_a_secret_of_its_own(store: Store) -> None:
    bots = await five_bots(store)
    (match,) = await store.matches.plan(
        [NewLadderMatch(NewMatch(0, "board-1", seats(bots)), b"own" + bytes(29), b"C" * 32)],
        ruleset="chinkway",
        options={},
        time_control=CONTROL,
        ladder="chinkway",
    )
    assert match.state is MatchState.QUEUED
    claimed = await claim(store, match.id)
    assert (claimed.source.secret, claimed.source.commitment) == (b"own" + bytes(29), b"C" * 32)
    assert await store.claims.finish(match.id, 1, record_of(match.id))
    assert (await store.records.get(match.id)).source.secret == b"own" + bytes(29)


async def test_matches_are_listed_newest_first_by_tournament_and_by_bot(store: Store) -> None:
    bots = await five_bots(store)
    other, _ = await store.bots.register("other")
    one = await started(store, bots, 3)
    two = await planned(store, [other, *bots[1:]], 2)
    ones, twos = await match_ids(store, one), await match_ids(store, two)

    async def listed(limit: int = 100, before: int | None = None, **wanted: Any) -> list[int]:
        return [match.id for match in await store.match_search.newest(WantedMatches(**wanted), limit, before)]

    everything = sorted([*ones, *twos], reverse=True)
    assert await listed() == everything
    assert await listed(limit=2, before=everything[1]) == everything[2:4]
    assert await listed(tournament_id=one.id) == sorted(ones, reverse=True)
    assert await listed(bot_id=other.id) == sorted(twos, reverse=True)
    assert await listed(bot_id=bots[0].id, limit=1) == [max(ones)]


async def test_open_matches_are_read_oldest_first_page_by_page(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await started(store, bots, 4)
    lone = await ladder_match(store, bots)
    ids = await match_ids(store, tournament)
    await store.claims.claim(ids[1], "here")
    queued = await store.matches.open(MatchState.QUEUED, 2)
    assert [row.id for row in queued] == [ids[0], ids[2]]
    assert queued[0].bot_ids == tuple(bot.id for bot in bots)
    rest = await store.matches.open(MatchState.QUEUED, 9, after=ids[2])
    assert [row.id for row in rest] == [ids[3], lone]
    assert [row.id for row in await store.matches.open(MatchState.QUEUED, 9, tournament_id=0)] == [lone]
    of_one = await store.matches.open(MatchState.QUEUED, 9, tournament_id=tournament.id)
    assert [row.id for row in of_one] == [ids[0], ids[2], ids[3]]
    assert [(row.id, row.epoch, row.node) for row in await store.matches.running()] == [(ids[1], 1, "here")]
    assert await store.matches.counts() == {MatchState.QUEUED: 4, MatchState.RUNNING: 1}


async def test_who_sits_in_a_match_that_waits_is_known_anew_after_a_change(store: Store) -> None:
    bots = await five_bots(store)
    (match_id,) = await match_ids(store, await started(store, bots))
    (before,) = await store.matches.open(MatchState.QUEUED, 9)
    for epoch in range(1, 2 * MOST_WALKOUTS, 2):
        await store.claims.claim(match_id, "here")
        await store.claims.void(match_id, epoch, VoidReason.ABANDONED, "left", (1,))
    (after,) = await store.matches.open(MatchState.QUEUED, 9)
    assert not before.walked_out
    assert after.walked_out == {bots[1].id}
    assert before.bot_ids == after.bot_ids


async def test_how_far_a_match_is_tells_its_state_its_epoch_and_its_node(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    assert await store.matches.standing(match_id) == MatchStanding(MatchState.QUEUED, 0, "")
    await store.claims.claim(match_id, "here")
    assert await store.matches.standing(match_id) == MatchStanding(MatchState.RUNNING, 1, "here")
    await store.claims.finish(match_id, 1, record_of(match_id))
    assert await store.matches.standing(match_id) == MatchStanding(MatchState.FINISHED, 1, "here")
    with pytest.raises(NotFound, match="there is no match 99"):
        await store.matches.standing(99)


async def test_listeners_hear_what_becomes_of_a_match(store: Store) -> None:
    tournament = await started(store, await five_bots(store))
    (match_id,) = await match_ids(store, tournament)
    heard: list[Change] = []
    stop = store.changes.on(tuple(Topic), heard.append)
    await store.claims.claim(match_id, "here")
    await store.claims.void(match_id, 1, VoidReason.SERVER_FAILED, "fault")
    claimed = await claim(store, match_id)
    await store.claims.finish(match_id, claimed.match.epoch, record_of(match_id))
    stop()
    await store.bots.register("late")
    matches = [change.state for change in heard if change.topic is Topic.MATCH]
    assert matches == [MatchState.RUNNING, MatchState.QUEUED, MatchState.RUNNING, MatchState.FINISHED]
    assert {change.tournament_id for change in heard} == {tournament.id}
    assert heard[-1] == Change(Topic.TOURNAMENT, tournament.id, tournament.id)


async def test_a_long_list_is_made_a_little_in_each_turn_of_the_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(store, await five_bots(store), 200)
    made, turn = Counter[int](), 0

    def counted(row: Any) -> Match:
        made[turn] += 1
        return with_record_open(row)

    async def count_turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    monkeypatch.setattr("farfalia_server.store.matches.search.with_record_open", counted)
    counting = asyncio.create_task(count_turns())
    found = await store.match_search.newest(limit=200)
    counting.cancel()
    assert len(found) == sum(made.values()) == 200
    assert max(made.values()) <= 50
