"""What two nodes want to write at once, on both databases: the first one does, and the second one is told."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.store_world import five_bots, match_ids, planned, play, seats, started, transaction

from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.store import Bot, Entrant, NewMatch, NonceReceipt, Store, TournamentState


def entrants(bots: list[Bot]) -> list[Entrant]:
    return [Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)]


async def replan(store: Store, tournament: int, before: list[Bot], bots: list[Bot]) -> None:
    matches = [NewMatch(1, "board-1", seats(bots))]
    await store.entrants.replan(
        tournament, [bot.id for bot in before], entrants(bots), matches, rounds=1, expected=1, balances=""
    )


async def test_a_field_that_has_just_changed_is_not_planned_again(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await planned(store, bots)
    with pytest.raises(FailedPrecondition, match="the entrants of tournament 1 have just changed; try again"):
        await replan(store, tournament.id, bots[:4], bots)
    await replan(store, tournament.id, bots, bots)
    await store.tournaments.start(tournament.id)
    with pytest.raises(FailedPrecondition, match="tournament 1 is running; expected planned"):
        await replan(store, tournament.id, bots, bots)
    with pytest.raises(NotFound, match="there is no tournament 7"):
        await replan(store, 7, bots, bots)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # PostgreSQL has many writers
async def test_a_commit_waits_for_that_of_another_process_on_the_same_file(store: Store, store_url: str) -> None:
    async with await Store.open(store_url) as other:
        async with transaction(other.bots._database):
            by_statements = asyncio.create_task(store.meta.put("by", "statements"))
            in_one_go = asyncio.create_task(store.meta.set_admin_token("token"))
            waiting, _ = await asyncio.wait((by_statements, in_one_go), timeout=0.2)
            assert not waiting
        await asyncio.gather(by_statements, in_one_go)
        assert await other.meta.get("by") == "statements"


async def test_a_bot_leaves_once(store: Store) -> None:
    bots = await five_bots(store)
    house = [await store.bots.ensure_house("house-greedy-1", "greedy")]
    tournament = await started(store, bots)
    assert (await store.entrants.withdraw(tournament.id, bots[0].id, seats(house))).filled == 1
    with pytest.raises(FailedPrecondition, match="it has already withdrawn from tournament 1"):
        await store.entrants.withdraw(tournament.id, bots[0].id, seats(house))


async def test_a_round_is_drawn_once_and_for_those_who_are_there(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await started(store, bots)
    field, matches = await store.tournaments.entrants(tournament.id), [NewMatch(2, "board-2", seats(bots))]
    assert not await store.rounds.draw(tournament.id, matches, entrants=field[1:], after=1, void=0)
    assert not await store.rounds.draw(tournament.id, matches, entrants=field, after=0, void=0)
    assert await store.rounds.draw(tournament.id, matches, entrants=field, after=1, void=0)
    assert not await store.rounds.draw(tournament.id, matches, entrants=field, after=1, void=0)
    assert len(await match_ids(store, tournament)) == 2


async def test_a_tournament_does_not_end_before_its_matches_or_when_there_are_more(store: Store) -> None:
    bots = await five_bots(store)
    tournament = await started(store, bots, 2)
    assert not await store.rounds.end(tournament.id, after=1, void=0)
    assert not await store.rounds.end(tournament.id, after=2, void=0)
    for match in await match_ids(store, tournament):
        await play(store, match)
    assert (await store.tournaments.get(tournament.id)).state is TournamentState.FINISHED
    assert not await store.rounds.end(tournament.id, after=2, void=0)


async def test_ratings_are_not_replaced_when_somebody_has_rated_meanwhile(store: Store) -> None:
    assert not await store.ratings.replace(7, ())
    assert await store.ratings.replace(0, ())


async def test_what_became_of_a_nonce_is_said(store: Store) -> None:
    bots = await five_bots(store)
    tournament = (await planned(store, bots[:4])).id
    assert await store.nonces.give(tournament, bots[4].id, b"eight by") is NonceReceipt.NOT_ENTERED
    assert await store.nonces.give(tournament, bots[0].id, b"eight by") is NonceReceipt.KEPT
    assert await store.nonces.give(tournament, bots[0].id, b"eight by") is NonceReceipt.KEPT
    assert await store.nonces.give(tournament, bots[0].id, b"another!") is NonceReceipt.SECOND
    await store.tournaments.start(tournament)
    assert await store.nonces.give(tournament, bots[1].id, b"eight by") is NonceReceipt.LATE


async def test_no_baselines_are_kept_where_there_are_none(store: Store) -> None:
    tournament = await started(store, await five_bots(store))
    await store.baselines.keep({})
    assert await store.baselines.count(tournament.id) == 0
