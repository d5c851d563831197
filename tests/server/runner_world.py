"""A store, a journal in Redis and the runner of matches; another process may have begun a match, or was killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from redis.asyncio import Redis
from sqlalchemy.exc import DBAPIError
from tests.server.shared_redis import empty_redis
from tests.server.store_world import claim

from farfalia.v1 import record_pb2, tournaments_pb2
from farfalia_engine import TimeControl
from farfalia_server.net.measures import Measures
from farfalia_server.net.redis_connection import connect
from farfalia_server.organising.planning import Planner
from farfalia_server.play.attendance import Players
from farfalia_server.play.journal import Journal
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.queue.free_seats import FreeSeats, absent_of
from farfalia_server.store import Match, MatchState, Store, VoidReason
from farfalia_tools.testing import FirstLegalStream

CONTROL = TimeControl(limit_ms=60_000, bank_ms=0, grace=0)


class Killed(BaseException):
    """The process is gone: nothing after this runs."""


class Writer:
    """The process that wrote the journal of a match before this node took it up."""

    def __init__(self, match: int, epoch: int, attempt: int = 1) -> None:
        self.match, self.epoch, self.attempt = match, epoch, attempt
        self.was_written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def payloads(self, count: int) -> list[bytes]:
        raise AssertionError(f"redis has lost {count} entries")

    def written(self, number: int, ok: bool) -> None:
        self.was_written.set_result(ok)

    def fail(self, error: Exception) -> None:
        raise error


class RunnerScene:
    """A store with a tournament, a journal, and a host; `restart` makes the host of the next process."""

    def __init__(self, store: Store, journal: Journal, redis: Redis) -> None:
        self.store = store
        self.journal = journal
        self.redis = redis
        #: By how much the machine's clock is wrong.
        self.wrong = timedelta()
        self.restart()

    def restart(self) -> None:
        measures = Measures()
        self.lobby = Lobby(
            linger=0.001,
            reconnect_grace=60,
            schedule_flush=self.journal.after_flush,
            changed=lambda: None,
            measures=measures,
        )
        nonces = NonceCollector(self.store, self.lobby)
        self.host = MatchRunner(
            self.store,
            self.journal,
            self.lobby,
            nonces,
            node="here",
            fallback="greedy",
            measures=measures,
            now=lambda: datetime.now(UTC) + self.wrong,
        )

    def reserve(self, match: Match) -> int | None:
        """Do as a seater that waits for nobody: return a bot that is missing, or note who is absent."""
        seats, missing = FreeSeats(self.lobby, 0).of(Players(match.bot_ids), {})
        if missing is None:
            self.lobby.note_absent(match.id, absent_of(seats))
        return missing

    async def match(self, *bots: str) -> Match:
        names = list(bots) or ["house-greedy-1"]
        request = tournaments_pb2.CreateTournamentRequest(name="test", bots=names, rounds=1)
        planner = Planner(self.store, time_control=CONTROL, filler="random")
        tournament = await planner.plan(request)
        await self.store.tournaments.start(tournament.id)
        (match,) = await self.store.matches.of_tournament(tournament.id)
        return match

    async def begun(self, entry: record_pb2.Record) -> Match:
        """A match that another process has begun, with this entry in its journal."""
        match = await self.match()
        claimed = await claim(self.store, match.id, "elsewhere")
        await self.journal.claim(match.id, claimed.match.epoch, "elsewhere")
        await self.write(match.id, claimed.match.epoch, 1, entry.SerializeToString())
        return claimed.match

    async def write(self, match: int, epoch: int, number: int, payload: bytes) -> None:
        writer = Writer(match, epoch)
        self.journal.append(writer, number, payload)
        assert await writer.was_written

    async def play_on(self, match: int) -> Match:
        """Play a match as often as it takes."""
        while (now := await self.store.matches.get(match)).state in (MatchState.QUEUED, MatchState.RUNNING):
            await self.host.play(match, now.epoch)
        return now


def opening(**more: Any) -> record_pb2.Record:
    """The first entry of a journal, with what else is in it."""
    record = record_pb2.Record(**more)
    record.started.GetCurrentTime()
    return record


async def void_reasons(scene: RunnerScene) -> list[VoidReason]:
    return [attempt.reason for attempt in await scene.store.void_attempts.newest()]


@asynccontextmanager
async def hosted(database_url: str) -> AsyncIterator[RunnerScene]:
    async with (
        await Store.open(database_url) as store,
        empty_redis() as redis_url,
        connect(redis_url) as redis,
        Journal(redis, await store.meta.database()) as journal,
    ):
        yield RunnerScene(store, journal, redis)


def killed_at(moment: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The call, and the process is killed before or after it."""

    async def killed(*arguments: Any) -> None:
        if moment == "after":
            await call(*arguments)
        raise Killed

    return killed


def failing(times: int, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The call; its first attempts fail as those to a database that is just starting."""
    left = [times]

    async def fails(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise DBAPIError("UPDATE match", {}, Exception("the database system is starting up"))
        return await call(*arguments)

    return fails


async def with_five(scene: RunnerScene) -> tuple[Match, dict[int, FirstLegalStream]]:
    """A match of five bots that are connected, and their streams by bot."""
    names = [f"bot-{number}" for number in range(5)]
    readers = {}
    for name in names:
        bot, _ = await scene.store.bots.register(name)
        connection = scene.lobby.connection(bot.id)
        readers[bot.id] = FirstLegalStream(connection=connection)
    return await scene.match(*names), readers
