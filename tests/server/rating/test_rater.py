"""The rater on both databases: every match once, and in order."""

import asyncio
import itertools
import random
from typing import Any

import pytest
from sqlalchemy import update
from tests.server.store_world import five_bots, match_ids, play, record_of, started

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.rating import rater
from farfalia_server.rating.rater import Rater
from farfalia_server.store import MatchState, RatedMatch, Store
from farfalia_server.store.sql import schema


async def play_all(store: Store, matches: list[int], seed: int = 1) -> None:
    chance = random.Random(seed)
    for match_id in matches:
        await play(store, match_id, [chance.randrange(100) for _ in range(5)])


async def rated_order(store: Store) -> list[int]:
    return [match.id for match in await store.ratings.rated(0, 1000)]


async def test_the_winner_rises_and_the_last_falls(store: Store) -> None:
    bots = await five_bots(store)
    await play(store, (await match_ids(store, await started(store, bots)))[0])
    await Rater(store).rate_all()
    ladder = await store.ratings.ladder("chinkway")
    assert [bot.name for bot, _ in ladder] == [f"bot-{number}" for number in range(5)]
    assert all(rating.matches == 1 and rating.sigma < 25 / 3 for _, rating in ladder)
    assert await store.bots.ratings(bots[0].id) == [ladder[0][1]]
    assert await store.ratings.ladders() == ["chinkway"]
    assert await store.ratings.ladder("four") == []


async def test_matches_are_rated_in_the_order_in_which_they_finished(store: Store) -> None:
    ids = await match_ids(store, await started(store, await five_bots(store), 6))
    order = [ids[3], ids[0], ids[5], ids[1], ids[2], ids[4]]
    await play_all(store, order)
    await Rater(store).rate_all()
    assert await rated_order(store) == order


async def test_every_change_is_written_down_and_follows_from_the_one_before(store: Store) -> None:
    bots = await five_bots(store)
    await play_all(store, await match_ids(store, await started(store, bots, 5)))
    await Rater(store).rate_all()
    (rating,) = await store.bots.ratings(bots[0].id)
    history = (await store.ratings.history(bots[0].id))[::-1]
    assert [change.matches for change in history] == [1, 2, 3, 4, 5]
    assert (history[0].mu_before, history[0].sigma_before) == (25.0, 25 / 3)
    for before, after in itertools.pairwise(history):
        assert (before.mu_after, before.sigma_after) == (after.mu_before, after.sigma_before)
    assert (history[-1].mu_after, history[-1].sigma_after) == (rating.mu, rating.sigma)


async def test_a_filler_is_not_rated_and_a_house_bot_that_was_entered_is(store: Store) -> None:
    bots = await five_bots(store)
    house = await store.bots.ensure_house("house-greedy-1", "greedy")
    filled = await started(store, [*bots[:4], house])  # the world marks house bots as fillers
    await play(store, (await match_ids(store, filled))[0])
    await Rater(store).rate_all()
    assert {rating.bot_id for rating in await store.ratings.all()} == {bot.id for bot in bots[:4]}


async def test_a_match_that_was_given_up_is_not_rated(store: Store) -> None:
    tournament = await started(store, await five_bots(store), 2)
    first, second = await match_ids(store, tournament)
    await play(store, first)
    await store.claims.claim(second, "here")
    await store.tournaments.cancel(tournament.id)
    await Rater(store).rate_all()
    assert await rated_order(store) == [first]
    assert (await store.matches.get(second)).state is MatchState.CANCELLED


async def test_a_result_that_cannot_be_holds_nobody_up(store: Store) -> None:
    bots = await five_bots(store)
    first, second = await match_ids(store, await started(store, bots, 2))
    broken = record_of(first)
    broken.outcome.places[0] = 9
    await store.claims.claim(first, "here")
    await store.claims.finish(first, 1, broken)
    await play(store, second)
    await Rater(store).rate_all()
    assert await rated_order(store) == [first, second]
    assert [rating.matches for rating in await store.ratings.all()] == [1] * 5


async def test_several_raters_at_once_rate_every_match_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rater, "_BATCH", 3)

    tournament = await started(store, await five_bots(store), 12)
    heard: list[int] = []
    raters = [Rater(store, lambda rated: heard.append(rated.match.id)) for _ in range(3)]
    ids = await match_ids(store, tournament)
    await asyncio.gather(play_all(store, ids), *(one.rate_all() for one in raters))
    await asyncio.gather(*(one.rate_all() for one in raters))
    assert sorted(heard) == ids
    assert [match.rating_seq for match in await store.ratings.rated(0, 100)] == list(range(1, 13))
    assert [rating.matches for rating in await store.ratings.all()] == [12] * 5


async def test_what_finishes_is_rated_soon_and_told(store: Store) -> None:
    told: asyncio.Queue[RatedMatch] = asyncio.Queue()
    async with Rater(store, told.put_nowait):
        ids = await match_ids(store, await started(store, await five_bots(store), 2))
        for match_id in ids:
            await play(store, match_id)
            rated = await asyncio.wait_for(told.get(), 60)
            assert (rated.match.id, len(rated.changes)) == (match_id, 5)


async def test_what_was_rated_before_is_looked_at_only_when_somebody_changes_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rater, "_LOOK_SECONDS", 3600.0)
    told: asyncio.Queue[RatedMatch] = asyncio.Queue()
    looks: asyncio.Queue[list[int]] = asyncio.Queue()
    uncounted = store.ratings.uncounted

    async def counted() -> list[int]:
        looks.put_nowait(await uncounted())
        return []

    monkeypatch.setattr(store.ratings, "uncounted", counted)
    tournament = await started(store, await five_bots(store), 3)
    first, *others = await match_ids(store, tournament)
    async with Rater(store, told.put_nowait):
        assert await asyncio.wait_for(looks.get(), 60) == []
        for match_id in (first, *others):
            await play(store, match_id)
            await asyncio.wait_for(told.get(), 60)
        assert looks.empty()
        await store.voiding.void(tournament.id, [first], text="a fault")
        assert await asyncio.wait_for(looks.get(), 60) == [first]


async def test_a_look_that_the_database_did_not_answer_is_taken_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rater, "_LOOK_SECONDS", 3600.0)
    looks: asyncio.Queue[None] = asyncio.Queue()

    async def unanswered() -> list[int]:
        looks.put_nowait(None)
        raise StoreUnavailable("away")

    monkeypatch.setattr(store.ratings, "uncounted", unanswered)
    async with Rater(store):
        for _ in range(2):
            await asyncio.wait_for(looks.get(), 60)


@pytest.mark.parametrize(
    "lost", [{"state": MatchState.RUNNING}, {"epoch": 3}], ids=["in play again", "played again meanwhile"]
)
async def test_a_result_that_a_failover_has_lost_since_it_was_read_is_not_rated(
    store: Store, lost: dict[str, Any]
) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    await play(store, match_id)
    batch = await store.ratings.unrated(10)
    await store.claims._database.write(
        lambda connection: connection.execute(update(schema.match).filter_by(id=match_id).values(lost))
    )
    assert not await store.ratings.apply(batch, [RatedMatch(batch.matches[0], 1, (), b"")], [], "trueskill")
    assert (await store.matches.get(match_id)).rating_seq is None
