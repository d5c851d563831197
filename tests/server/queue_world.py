"""A seater with a real database and a real Redis, a lobby whose doors the test opens, and a host that plays quickly."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from tests.server.migrated import sqlite_url
from tests.server.store_world import record_of

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.measures import Measures
from farfalia_server.play.lobby import Lobby
from farfalia_server.queue import Matches, matches_of_one
from farfalia_server.store import ClaimedMatch, MatchState, Store, Tournament, TournamentState

#: Long enough for a machine that is busy with other things; nothing waits that long when all is well.
PATIENCE = 120.0


class Doors(Lobby):
    """A lobby: bots in `away` are not there, all others are, with so many `seats`; `asked` says who was asked for."""

    def __init__(self) -> None:
        super().__init__(
            linger=0, reconnect_grace=60, schedule_flush=lambda _: None, changed=lambda: None, measures=Measures()
        )
        self.away: set[int] = set()
        self.seats = 1000
        self.asked: set[int] = set()

    def offered(self, bot: int) -> int:
        self.asked.add(bot)
        return 0 if bot in self.away else self.seats


class QuickRunner:
    """A host that claims a match, does what `playing` says, and finishes it."""

    def __init__(self, store: Store, node: str) -> None:
        self._store = store
        self.node = node
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
            claimed = await self._store.claims.claim(match_id, self.node, epoch)
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
    """A server of a test that is alone: its own store, host, lobby, and what brings matches to the host."""

    def __init__(self, store: Store, runner: QuickRunner, doors: Doors, matches: Matches) -> None:
        self.store = store
        self.runner = runner
        self.doors = doors
        self.matches = matches


async def never(_: ClaimedMatch) -> None:
    await asyncio.get_running_loop().create_future()


@contextlib.asynccontextmanager
async def node(database_url: str, redis_url: str, name: str = "one", *, most: int = 256) -> AsyncIterator[Node]:
    async with await Store.open(database_url) as store:
        runner, doors = QuickRunner(store, f"{name}@{secrets.token_hex(4)}"), Doors()
        matches = matches_of_one(store, doors, runner, redis_url=redis_url, database="db", most=most, absence=60)
        async with matches.taker, matches.seater:
            yield Node(store, runner, doors, matches)


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
