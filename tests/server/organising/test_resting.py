"""Bots that have had their matches for now rest, and are told so."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url
from tests.server.organising.waiting_bot import WaitingBot
from tests.server.store_world import CONTROL, record_of

from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.rating.rater import Rater
from farfalia_server.store import EventCaps, Ladder, MatchState, Store
from farfalia_tournaments import Reason, TrueSkill

TABLES = 4


class Clock:
    """The clock of the matchmaker, which a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("farfalia_server.organising.matchmaker.monotonic", clock)
    return clock


async def play(store: Store, matchmaker: Matchmaker, clock: Clock, hours: float) -> int:
    """How many matches begin and end within these hours, looked at every half minute."""
    begun = 0
    for _ in range(round(hours * 120)):
        await matchmaker._tick()
        clock.now += 30.0
        for match in await store.matches.open(MatchState.QUEUED, 100):
            begun += 1
            assert await store.claims.claim(match.id, "here")
            places = tuple(range(1, 1 + len(match.bot_ids)))
            assert await store.claims.finish(match.id, 1, record_of(match.id, places))
    return begun


async def test_a_bot_plays_as_often_as_its_event_allows_and_less_the_better_it_is_known(
    tmp_path: Path, clock: Clock
) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register(f"bot-{number}"))[0].id) for number in range(2)]
        for bot in bots:
            bot.offered = 1
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES))
        arena = await store.events.get("arena")
        await store.events.change(replace(arena, caps=EventCaps(matches=8)), "admin")
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        assert await play(store, matchmaker, clock, 1.0) == 8
        assert matchmaker.waiting(bots[0].bot)["two"].reason is Reason.RESTS
        assert "rests" in bots[0].told[-1]
        assert await play(store, matchmaker, clock, 2.0) == 16
        await Rater(store).rate_all()
        matchmaker.rated(bot.bot for bot in bots)
        sigma = max(rating.sigma for rating in await store.ratings.all())
        clock.now += 3600.0
        part = max(0.25, sigma / TrueSkill().prior.sigma)
        assert await play(store, matchmaker, clock, 1.0) == round(8 * part) < 8


async def test_a_newcomer_that_is_alone_on_a_filled_ladder_has_all_the_tables_that_it_offers(
    tmp_path: Path, clock: Clock
) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register("alone"))[0].id)]
        bots[0].offered = 3
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES, fill=True))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        await matchmaker._tick()
        assert len(await store.matches.open(MatchState.QUEUED, 100)) == 3


async def test_a_settled_bot_that_is_alone_on_a_filled_ladder_rests_between_its_matches(
    tmp_path: Path, clock: Clock
) -> None:
    async with await Store.open(sqlite_url(tmp_path / "farfalia.db")) as store:
        bots = [WaitingBot((await store.bots.register("alone"))[0].id)]
        bots[0].offered = 1
        await store.ladders.open(Ladder("two", "two", {}, CONTROL, tables=TABLES, fill=True))
        matchmaker = Matchmaker(store, lambda: bots, rungs=["greedy"], rng=random.Random(1))
        assert await play(store, matchmaker, clock, 10 / 120) == 10, "a newcomer does not rest"
        await Rater(store).rate_all()
        matchmaker.rated(bot.bot for bot in bots)
        assert await play(store, matchmaker, clock, 0.5) == 30, "one a minute"
        if not await play(store, matchmaker, clock, 1 / 120):
            assert await play(store, matchmaker, clock, 1 / 120)
        await matchmaker._tick()
        assert matchmaker.waiting(bots[0].bot)["two"].reason is Reason.RESTS
