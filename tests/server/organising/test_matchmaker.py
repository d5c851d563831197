"""Hundreds of bots that wait do not keep the event loop from those that play."""

import random
from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url
from tests.server.organising.waiting_bot import WaitingBot
from tests.server.store_world import CONTROL, record_of
from tests.server.turns import Turns

from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.store import Ladder, MatchState, Registrant, Store
from farfalia_tournaments import Candidate, WaitingPool

BOTS, TABLES = 500, 4


async def test_a_look_at_hundreds_of_bots_is_cut_into_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puts, put = Turns(), WaitingPool.put

    def counted(pool: WaitingPool, candidate: Candidate) -> None:
        puts.count()
        put(pool, candidate)

    monkeypatch.setattr(WaitingPool, "put", counted)

    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        named = [await store.bots.register(f"bot-{number}", owner=f"owner-{number}") for number in range(BOTS)]
        bots = [WaitingBot(bot.id) for bot, _ in named]
        await store.ladders.open(Ladder("chinkway", "chinkway", {}, CONTROL, tables=TABLES))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        with puts.counting():
            await matchmaker._tick()
        matches = await store.match_search.newest(limit=100)
        assert [match.state for match in matches] == [MatchState.QUEUED] * TABLES
        seated = {seat.bot_id for match in matches for seat in match.seats}
        assert len(seated) == 5 * TABLES
        # Those who sit are not told that they wait; all others are, once.
        assert {bot.bot for bot in bots if bot.told} == {bot.bot for bot in bots} - seated
        assert {len(bot.told) for bot in bots} == {0, 1}
        assert puts.total >= BOTS
        assert puts.most <= 300
        waiting = next(bot for bot in bots if bot.told)
        assert waiting.told == [f"chinkway: {matchmaker.waiting(waiting.bot)['chinkway'].sentence}"]
        assert all(not matchmaker.waiting(bot) for bot in seated)
        # Little has changed, so little is recomputed but for those who were just seated.
        puts.total = 0
        await matchmaker._tick()
        assert puts.total <= 5 * TABLES
        assert len(await store.match_search.newest(limit=100)) == TABLES


async def test_a_bot_that_left_after_it_was_seated_is_seated_no_more(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register(f"bot-{number}"))[0].id) for number in range(2)]
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        await matchmaker._tick()
        assert len(await store.match_search.newest(limit=100)) == 2  # each takes two at once
        for match in await store.match_search.newest(limit=100):
            assert await store.claims.claim(match.id, "here")
            assert await store.claims.finish(match.id, 1, record_of(match.id, (3, 2)))
        gone = bots.pop()
        newcomer = WaitingBot((await store.bots.register("newcomer"))[0].id)
        bots.append(newcomer)
        await matchmaker._tick()
        newest = await store.match_search.newest(limit=2)
        assert all(gone.bot not in match.bot_ids and newcomer.bot in match.bot_ids for match in newest)
        assert len(await store.match_search.newest(limit=100)) == 4


async def test_bots_of_one_stranger_never_meet_whatever_owners_they_name(tmp_path: Path) -> None:
    """Otherwise throwaways could let a bot of their own win its place."""
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:

        async def stranger(name: str, address: str) -> WaitingBot:
            account, _ = await store.accounts.create(f"owner-of-{name}", stranger=address)
            registrant = Registrant(account.id, stranger=address)
            bot, _ = await store.bots.register(name, owner=account.name, registrant=registrant)
            return WaitingBot(bot.id)

        bots = [await stranger(f"bot-{number}", "203.0.113.7") for number in range(3)]
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        await matchmaker._tick()
        assert await store.match_search.newest(limit=100) == []
        another = await stranger("another", "198.51.100.9")
        bots.append(another)
        await matchmaker._tick()
        met = [match.bot_ids for match in await store.match_search.newest(limit=100)]
        assert len(met) == 2  # the one from elsewhere takes two at once
        assert all(another.bot in pair for pair in met)


async def test_a_strangers_bot_without_an_account_is_told_that_no_ladder_seats_it(tmp_path: Path) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        unowned = [
            WaitingBot((await store.bots.register(f"bot-{number}", registrant=Registrant(stranger=address)))[0].id)
            for number, address in enumerate(("203.0.113.7", "198.51.100.9"))
        ]
        bots = list(unowned)
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        await matchmaker._tick()
        await matchmaker._tick()
        assert await store.match_search.newest(limit=100) == []
        assert [[text[:30] for text in bot.told] for bot in unowned] == [["Ladders seat bots of accounts."]] * 2
        bots += [WaitingBot((await store.bots.register(f"here-{number}"))[0].id) for number in range(2)]
        await matchmaker._tick()
        seated = {bot for match in await store.match_search.newest(limit=100) for bot in match.bot_ids}
        assert seated == {bot.bot for bot in bots[2:]}


@pytest.mark.parametrize(
    ("rungs", "expected"),
    [
        ((), ["greedy-1", "random-1", "greedy-2", "random-2", "greedy-1", "random-1", "greedy-2", "random-2"]),
        (("expert",), ["expert-1", "expert-2", "expert-3", "expert-4"] * 2),
    ],
)
async def test_the_house_bots_of_a_ladder_fill_its_seats_in_turn(
    tmp_path: Path, rungs: tuple[str, ...], expected: list[str]
) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register("alone"))[0].id)]
        await store.ladders.open(Ladder("chinkway", "chinkway", {}, CONTROL, tables=TABLES, fill=True, rungs=rungs))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy", "random"], rng=random.Random(1))
        await matchmaker._tick()
        open_matches = sorted(await store.matches.open(MatchState.QUEUED, 100), key=lambda match: match.id)
        seats = [(await store.matches.get(match.id)).seats[1:] for match in open_matches]
        assert [seat.name.removeprefix("house-") for table in seats for seat in table] == expected
        assert not any(seat.filler for table in seats for seat in table), "all are rated"
