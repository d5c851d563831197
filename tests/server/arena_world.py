"""Something to look at: a store with bots, tournaments, and matches that were really played."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.server.migrated import sqlite_url
from tests.server.store_world import claim, record_of_play
from tests.trumps_held import trumps_held

import farfalia_engine as engine
from farfalia import bots
from farfalia.v1 import ladders_pb2, record_pb2, stages_pb2, tournaments_pb2
from farfalia_engine import TimeControl
from farfalia_server.arena import News, NodeStatus, Reader
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.play.recording import value_function_of
from farfalia_server.store import ClaimedMatch, Store, Tournament
from farfalia_tournaments import parse_stages
from farfalia_tournaments.schedules import Boards

CONTROL = TimeControl(limit_ms=1000, bank_ms=5000, grace=3)
FIVE = ("ant", "bee", "cat", "dog", "eel")
TEN = (*FIVE, "fox", "gnu", "hen", "ibex", "jay")
#: The file of a world's store.
DATABASE = "farfalia.db"

#: Sample bots that decide at once, for matches by the hundred.
_QUICK = [name for name in bots.HOUSE if name not in bots.NEEDING_NUMPY]


class Crowd:
    """Those who are connected, as a test says."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.silent: set[str] = set()
        self.dismissed: list[str] = []

    async def connected(self) -> Collection[str]:
        return self.names

    async def reachable(self) -> Collection[str]:
        return self.names - self.silent

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        return ()

    async def nodes(self) -> Sequence[NodeStatus]:
        return [
            NodeStatus("node-b", "0.1.0", 0, 0),
            NodeStatus("node-a", "0.1.0", len(self.names), 2, room=8, load=0.5, lag_ms=1.5),
        ]

    async def dismiss(self, bot: str) -> None:
        self.dismissed.append(bot)


class World:
    """A real store on a disk, and what stands before it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.crowd = Crowd()
        self.news = News()
        self.reader = Reader(store, self.crowd)
        self.planner = Planner(store, time_control=CONTROL, filler="greedy")
        store.changes.on(self.news.topics, self.news.heard)

    async def register(self, *names: str) -> None:
        for name in names:
            await self.store.bots.register(name)

    async def spring(self, bots: Sequence[str] = FIVE, rounds: int = 1, **how: Any) -> Tournament:
        """Register these bots, and plan a tournament of theirs."""
        await self.register(*bots)
        return await self.plan("spring", bots, rounds, **how)

    async def two_tables(self) -> Tournament:
        """A tournament of ten new bots that has begun: two matches have the same board."""
        return await self.store.tournaments.start((await self.spring(TEN)).id)

    async def plan(
        self,
        name: str,
        bots: Sequence[str],
        rounds: int = 0,
        ruleset: str = "",
        options: Mapping[str, str] | None = None,
        boards: stages_pb2.Boards = stages_pb2.BOARDS_UNSPECIFIED,
        stages: str = "",
        unrated: bool = False,
        ladder: str = "",
    ) -> Tournament:
        request = tournaments_pb2.CreateTournamentRequest(
            name=name,
            bots=bots,
            rounds=rounds,
            ruleset=ruleset,
            options=options,
            boards=boards,
            stages=map(stage_message, parse_stages(stages, Boards.DATUM)),
            unrated=unrated,
            ladder=ladder,
        )
        return await self.planner.plan(request)

    async def play(self, match_id: int, *, slow: int | None = None, collecting: bool = False) -> None:
        """Play a match to its end; the seat `slow` runs out of time once, over a card or as it collects."""
        claimed = await claim(self.store, match_id, "node-a")
        record = played(claimed, slow, collecting)
        assert await self.store.claims.finish(match_id, claimed.match.epoch, record, trumps_held(record))

    async def play_all(self, tournament: Tournament, *, leave: int = 0) -> None:
        """Start a tournament and play its matches, all but the last few."""
        await self.store.tournaments.start(tournament.id)
        matches = await self.store.matches.of_tournament(tournament.id)
        for match in matches[: len(matches) - leave]:
            await self.play(match.id)


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    async with await Store.open(sqlite_url(folder / DATABASE)) as store:
        yield World(store)


def played(claimed: ClaimedMatch, slow: int | None = None, collecting: bool = False) -> record_pb2.Record:
    """The record of a match between sample bots."""
    match = claimed.match
    key = engine.board_key(claimed.source.secret, claimed.source.nonces, match.board)
    rules = engine.ruleset(match.ruleset, match.options)
    actions, incidents, outcome = _play(rules, key, match.id, slow, collecting)
    now = int(datetime.now(UTC).timestamp() * 1000)
    return record_of_play(claimed, actions, outcome, now, incidents, value_function=value_function_of(claimed))


def _play(
    rules: engine.Ruleset, key: bytes, seed: int, slow: int | None, collecting: bool
) -> tuple[list[engine.RecordedAction], list[engine.Incident], engine.Outcome | None]:
    rng = random.Random(seed)
    state = rules.new_match(engine.Deals(key))
    players = [bots.create(rng.choice(_QUICK), seat) for seat in range(rules.seats)]
    actions: list[engine.RecordedAction] = []
    incidents: list[engine.Incident] = []
    now = 0
    for seat, action, forced in engine.play_to_end(state, [player.decide for player in players]):
        cause, took = (engine.Cause.FORCED, 0) if forced else (engine.Cause.BOT, 7)
        collects = engine.COLLECT_CARD <= action <= engine.COLLECT_NONE
        if seat == slow and collects == collecting and not forced and not incidents:
            cause, took = engine.Cause.TIMEOUT, CONTROL.limit_ms + CONTROL.bank_ms
            text = "no answer within 6000 ms"
            incidents.append(engine.Incident(seat, len(actions), cause, 1, False, text))
        now += took + 3
        actions.append(engine.RecordedAction(seat, action, now, took, cause))
    return actions, incidents, state.outcome
