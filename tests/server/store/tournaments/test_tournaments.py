"""Tournaments on both databases: from plan to end."""

import asyncio
from dataclasses import replace

import pytest
from tests.server.store_world import claim, five_bots, match_ids, planned, play, record_of, started

from farfalia_engine import TimeControl
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.store import Entrant, MatchState, NewTournament, Store, TournamentState


async def test_a_planned_tournament_has_its_whole_schedule_and_nothing_in_the_queue(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await planned(store, bots, 3)
    assert tournament.state is TournamentState.PLANNED
    assert (tournament.name, tournament.rounds, tournament.options) == ("Spring", 3, {"double_you": "on"})
    assert await store.tournaments.get(tournament.id) == tournament
    assert await store.tournaments.counts([tournament.id]) == {tournament.id: {MatchState.PLANNED: 3}}
    entrants = await store.tournaments.entrants(tournament.id)
    assert entrants == [Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)]
    matches = await store.matches.of_tournament(tournament.id)
    assert [(match.number, match.round, match.board) for match in matches] == [
        (1, 1, "board-1"),
        (2, 2, "board-2"),
        (3, 3, "board-3"),
    ]


async def test_a_tournament_without_a_match_cannot_be_planned(store: Store) -> None:
    empty = NewTournament("Empty", "chinkway", {}, TimeControl(1, 1, 1), 0, b"s" * 32, b"c" * 32, (), ())
    with pytest.raises(InvalidArgument, match="has no match"):
        await store.tournaments.plan(empty)
    assert await store.tournaments.all() == []


async def test_a_large_schedule_is_numbered_in_its_own_order(store: Store) -> None:
    tournament = await planned(store, await five_bots(store), 2500)
    matches = await store.matches.of_tournament(tournament.id)
    assert [match.board for match in matches] == [f"board-{number}" for number in range(1, 2501)]
    ids = [match.id for match in matches]
    assert ids == sorted(ids)


async def test_starting_queues_all_matches_once(store: Store) -> None:
    tournament = await planned(store, await five_bots(store), 3)
    running = await store.tournaments.start(tournament.id)
    assert running.state is TournamentState.RUNNING
    assert running.started is not None
    assert await store.tournaments.playing() == [tournament.id]
    assert await store.tournaments.counts([tournament.id]) == {tournament.id: {MatchState.QUEUED: 3}}
    with pytest.raises(FailedPrecondition, match="is running; expected planned") as refusal:
        await store.tournaments.start(tournament.id)
    assert refusal.value.reason == "TOURNAMENT_RUNNING"


async def test_what_does_not_exist_cannot_be_started_cancelled_or_read(store: Store) -> None:
    for call in (store.tournaments.start, store.tournaments.cancel, store.tournaments.get):
        with pytest.raises(NotFound, match="there is no tournament 7"):
            await call(7)


async def test_a_tournament_ends_with_its_last_match(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 3)
    first, second, third = await match_ids(store, tournament)
    await play(store, first)
    await play(store, third)
    assert (await store.tournaments.get(tournament.id)).state is TournamentState.RUNNING
    await play(store, second)
    ended = await store.tournaments.get(tournament.id)
    assert ended.state is TournamentState.FINISHED
    assert ended.ended is not None


async def test_a_tournament_ends_when_its_last_matches_finish_at_once(store: Store) -> None:
    bots = await five_bots(store)
    for _ in range(2):
        tournament = await started(store, bots, 8)
        await asyncio.gather(*(play(store, match_id) for match_id in await match_ids(store, tournament)))
        assert (await store.tournaments.get(tournament.id)).state is TournamentState.FINISHED


async def test_cancelling_gives_up_what_is_open_and_keeps_what_is_finished(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 3)
    finished, running, queued = await match_ids(store, tournament)
    await play(store, finished)
    claimed = await claim(store, running)
    cancelled = await store.tournaments.cancel(tournament.id)
    assert cancelled.state is TournamentState.CANCELLED
    assert cancelled.secret
    states = [match.state for match in await store.matches.of_tournament(tournament.id)]
    assert states == [MatchState.FINISHED, MatchState.CANCELLED, MatchState.CANCELLED]
    assert not await store.claims.finish(running, claimed.match.epoch, record_of(running))
    assert await store.claims.claim(queued, "here") is None
    with pytest.raises(FailedPrecondition, match="is cancelled"):
        await store.tournaments.cancel(tournament.id)


async def test_cancelling_and_finishing_at_once_never_wait_for_each_other(store: Store) -> None:
    bots = await five_bots(store)
    for _ in range(2):
        tournament = await started(store, bots, 8)
        matches = await match_ids(store, tournament)
        epochs = {}
        for match_id in matches:
            claimed = await claim(store, match_id)
            epochs[match_id] = claimed.match.epoch
        # All but one, so that there is something left to cancel whichever comes first.
        await asyncio.gather(
            *(store.claims.finish(match_id, epochs[match_id], record_of(match_id)) for match_id in matches[:4]),
            store.tournaments.cancel(tournament.id),
            *(store.claims.finish(match_id, epochs[match_id], record_of(match_id)) for match_id in matches[4:7]),
        )
        states = [match.state for match in await store.matches.of_tournament(tournament.id)]
        assert set(states) <= {MatchState.FINISHED, MatchState.CANCELLED}
        assert states[7] is MatchState.CANCELLED


async def test_tournaments_are_listed_newest_first(store: Store) -> None:
    bots = await five_bots(store)
    plans = [await planned(store, bots) for _ in range(3)]
    assert [tournament.id for tournament in await store.tournaments.all()] == [
        tournament.id for tournament in reversed(plans)
    ]
    assert len(await store.tournaments.all(limit=2)) == 2


async def test_a_filler_may_sit_at_a_table_and_is_marked(store: Store) -> None:
    bots = [*(await five_bots(store))[:4], await store.bots.ensure_house("house-greedy-1", "greedy")]
    tournament = await planned(store, bots)
    (match,) = await store.matches.of_tournament(tournament.id)
    assert [seat.filler for seat in match.seats] == [False, False, False, False, True]
    assert replace(match.seats[4], filler=False) != match.seats[4]
