"""New versions of bots, rated apart, on both databases and through the calls."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import grpc
import pytest
from tests.server.arena_client import FIVE, OPEN, Arena, serving
from tests.server.store_world import claim, five_bots, match_ids, play_out, started

from farfalia_server.contract.errors import AlreadyExists, NotFound
from farfalia_server.rating.rater import Rater
from farfalia_server.rating.rebuilding import rebuild
from farfalia_server.store import LadderRating, Store, VoidReason
from farfalia_server.store.ratings.values import current_rating
from farfalia_tournaments import NEW_SIGMA, SYSTEMS


async def play_some(store: Store, ids: list[int]) -> None:
    for match_id in ids:
        await play_out(store, match_id)
    await Rater(store).rate_all()


async def test_a_new_version_keeps_what_the_bot_was_worth_and_is_as_unsure_as_a_newcomer(store: Store) -> None:
    bots = await five_bots(store)
    ids = await match_ids(store, await started(store, bots, 4))
    await play_some(store, ids[:2])
    (old,) = await store.bots.ratings(bots[0].id)
    bot = await store.bots.renew("bot-0", "2")
    assert (bot.id, bot.version) == (bots[0].id, "2")
    assert (await store.ratings.of("chinkway", [bot.id]))[bot.id] == LadderRating(
        "chinkway", bot.id, old.mu, NEW_SIGMA, 0, "2", old.seq
    )
    await play_some(store, ids[2:])
    new, kept = await store.bots.ratings(bot.id)
    assert kept == old
    assert (new.version, new.matches, new.seq) == ("2", 2, 4)
    first = (await store.ratings.history(bot.id))[1]
    assert (first.version, first.mu_before, first.sigma_before) == ("2", old.mu, NEW_SIGMA)
    assert new.sigma < NEW_SIGMA


async def test_versions_are_rebuilt_from_the_records_alone(store: Store) -> None:
    ids = await match_ids(store, await started(store, await five_bots(store), 6))
    for number in range(3):
        await play_some(store, ids[2 * number : 2 * number + 2])
        await store.bots.renew("bot-0", f"v{number}")
        await store.bots.renew(f"bot-{number + 1}", "other")
    right = await store.ratings.all()
    assert [(rating.bot_id, rating.version) for rating in right if rating.bot_id == 1] == [
        (1, "1"),
        (1, "v0"),
        (1, "v1"),
    ]
    assert await store.ratings.replace(6, right[2:])
    async with aclosing(rebuild(store, replace=True)) as steps:
        found = [step async for step in steps][-1]
    assert (len(found.differences), found.problems, found.replaced) == (2, (), True)
    assert await store.ratings.all() == right


async def test_a_match_is_played_by_the_version_that_began_it(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    assert [seat.version for seat in (await store.matches.get(match_id)).seats] == [""] * 5
    await store.claims.claim(match_id, "here")
    await store.bots.renew("bot-3", "2")
    again = await claim(store, match_id, "there")
    assert [bot.version for bot in again.bots] == ["1"] * 5
    assert [seat.version for seat in (await store.matches.get(match_id)).seats] == ["1"] * 5
    assert await store.claims.void(match_id, again.match.epoch, VoidReason.SERVER_FAILED, "the server was at fault")
    anew = await claim(store, match_id)
    assert [bot.version for bot in anew.bots] == ["1", "1", "1", "2", "1"]


async def test_a_version_is_given_once(store: Store) -> None:
    bot, _ = await store.bots.register("ada", "1.0")
    await store.bots.renew("ada", "1.1")
    for version in ("1.0", "1.1"):
        with pytest.raises(AlreadyExists, match=f"ada already has a version '{version}'") as refusal:
            await store.bots.renew("ada", version)
        assert refusal.value.reason == "VERSION_TAKEN"
    with pytest.raises(NotFound):
        await store.bots.renew("ben", "2")
    assert (await store.bots.by_name("ada")).version == "1.1"
    assert [version.version for version in await store.bots.versions(bot.id)] == ["1.1", "1.0"]


def test_the_version_that_was_rated_last_is_what_a_new_one_starts_from() -> None:
    ratings = [LadderRating("four", 1, 20.0, 2.0, 9, "a", 7), LadderRating("four", 1, 30.0, 3.0, 2, "b", 9)]
    assert current_rating("a", ratings) == ratings[0]
    assert current_rating("c", ratings) == LadderRating("four", 1, 30.0, NEW_SIGMA, 0, "c", 9)
    assert current_rating("c", []) is None


def test_a_newcomer_is_as_unsure_in_every_system() -> None:
    assert {system.prior.sigma for system in SYSTEMS.values()} == {NEW_SIGMA}


async def test_a_bot_makes_versions_of_itself_with_its_own_token(arena: Arena) -> None:
    token, other, *_ = await arena.five()
    await arena.here.play_all(await arena.here.plan("Friday", FIVE, 2))
    await Rater(arena.here.store).rate_all()
    made = await arena.ask("RegisterBot", token, name="ant", version="2")
    assert (made.bot.version, made.token) == ("2", "")
    assert made.bot.ratings[0].sigma == NEW_SIGMA
    await arena.ask("RegisterBot", arena.admin, name="ant", version="3")
    shown = await arena.ask("GetBot", name="ant")
    assert shown.bot.version == "3"
    assert [(one.version, len(one.ratings)) for one in shown.versions] == [("3", 0), ("2", 0), ("1", 1)]
    ladder = (await arena.ask("ListRatings")).bots
    assert [row.rating.version for row in ladder if row.bot == "ant"] == ["3"]
    every = (await arena.ask("ListRatings", all_versions=True)).bots
    assert [row.rating.version for row in every if row.bot == "ant"] == ["1"]
    assert await arena.refused("RegisterBot", token, name="ant", version="2") == (
        grpc.StatusCode.ALREADY_EXISTS,
        "VERSION_TAKEN",
        "ant already has a version '2'; expected a new one",
    )
    code, reason, _ = await arena.refused("RegisterBot", other, name="ant", version="4")
    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")
    code, _, field = await arena.refused("RegisterBot", token, name="ant", version="4", owner="somebody else")
    assert (code, field) == (grpc.StatusCode.INVALID_ARGUMENT, "owner")
    code, reason, _ = await arena.refused("RegisterBot", arena.admin, name="ant")
    assert (code, reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
    assert (await arena.ask("GetBot", name="ant")).bot.version == "3"


async def test_where_anyone_registers_nobody_makes_versions_of_anothers_bot(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        await arena.five()
        code, reason, _ = await arena.refused("RegisterBot", name="ant", version="2")
        assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
