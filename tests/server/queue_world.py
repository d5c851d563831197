"""A queue with a real database and a real Redis, a lobby whose doors the test opens, and a host that plays quickly."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from tests.server.migrated import sqlite_url
from tests.server.store_world import record_of

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.play.attendance import Players
from farfalia_server.queue import Dispatcher
from farfalia_server.store import ClaimedMatch, MatchState, Store, Tournament, TournamentState

#: Long enough for a machine that is busy with other things; nothing waits that long when all is well.
PATIENCE = 120.0


class Doors:
    """A lobby: bots in `away` are not there; `kept` and `asked` say what was reserved and who was asked for."""

    def __init__(self) -> None:
        self.away: set[int] = set()
        self.kept: set[int] = set()
        self.asked: set[int] = set()

    def try_reserve(self, match: int, players: Players, /) -> int | None:
        wanted = set(players.callers)
        self.asked |= wanted
        if wanted & self.away:
            return min(wanted & self.away)
        self.kept.add(match)
        return None

    def release(self, match: int, /) -> None:
        self.kept.discard(match)


class QuickRunner:
    """A host that claims a match, does what `playing` says, and finishes it."""

    def __init__(self, store: Store, node: str) -> None:
        self._store = store
        self._node = node
        self.playing: Callable[[ClaimedMatch], Awaitable[None]] = self._nothing
        self.now: set[int] = set()
        self.begun: set[int] = set()
        self.most = 0
        self.played: list[int] = []
        self.refused: list[int] = []

    async def play(self, match_id: int, epoch: int, /) -> None:
        assert match_id not in self.now, "one match twice on one node"
        self.now.add(match_id)
        self.most = max(self.most, len(self.now))
        try:
            claimed = await self._store.claims.claim(match_id, self._node, epoch)
            if claimed is not None:
                self.begun.add(match_id)
                await self.playing(claimed)
                finished = await self._store.claims.finish(match_id, claimed.match.epoch, record_of(match_id))
                (self.played if finished else self.refused).append(match_id)
        finally:
            self.now.discard(match_id)

    async def _nothing(self, claimed: ClaimedMatch) -> None:
        await asyncio.sleep(0)


class Node:
    """A node of a test: its own store, host, lobby and dispatcher."""

    def __init__(self, store: Store, runner: QuickRunner, doors: Doors, dispatcher: Dispatcher) -> None:
        self.store = store
        self.runner = runner
        self.doors = doors
        self.dispatcher = dispatcher


async def never(_: ClaimedMatch) -> None:
    await asyncio.get_running_loop().create_future()


@contextlib.asynccontextmanager
async def node(database_url: str, redis_url: str, name: str = "one", *, most: int = 256) -> AsyncIterator[Node]:
    async with await Store.open(database_url) as store:
        runner, doors = QuickRunner(store, name), Doors()
        dispatcher = Dispatcher(store, doors, runner, redis_url=redis_url, database="db", node=name, most=most)
        async with dispatcher:
            yield Node(store, runner, doors, dispatcher)


@contextlib.asynccontextmanager
async def on_one_node(folder: Path, *, most: int = 256) -> AsyncIterator[Node]:
    """A node that is alone with a Redis of its own."""
    async with (
        EmbeddedRedis(folder / "redis") as embedded,
        node(sqlite_url(folder / "store.db"), embedded.url, most=most) as one,
    ):
        yield one


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will happen."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def played_by(*runners: QuickRunner) -> list[int]:
    """Return what these hosts have played to the end, once they are idle.

    The database knows that a match is finished a moment before its host does.
    """
    await until(lambda: not any(runner.now for runner in runners))
    return [match for runner in runners for match in runner.played]


async def until_over(store: Store, *tournaments: Tournament) -> None:
    async with asyncio.timeout(PATIENCE):
        for tournament in tournaments:
            while (await store.tournaments.get(tournament.id)).state is TournamentState.RUNNING:
                await asyncio.sleep(0.02)


async def states(store: Store, tournament: Tournament) -> dict[MatchState, int]:
    return (await store.tournaments.counts([tournament.id]))[tournament.id]
