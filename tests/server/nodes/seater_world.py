"""Nodes of a cluster with one seater, for tests: a real database, a real Redis, and matches that are played at once."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack

from redis.asyncio import Redis
from tests.server.queue_world import QuickRunner

from farfalia_server.nodes.shared_reservations import SharedReservations
from farfalia_server.queue.match_taker import MatchTaker
from farfalia_server.queue.seater import Seater
from farfalia_server.store import Store


class ClusterNode(QuickRunner):
    """A node of a cluster: it plays quickly what it takes out of the queue."""

    def __init__(self, store: Store, node: str) -> None:
        super().__init__(store, node)
        self.absent: dict[int, Collection[int]] = {}
        self.taker: MatchTaker

    def note_absent(self, match: int, bots: Collection[int], /) -> None:
        self.absent[match] = bots

    def forget(self, match: int, /) -> None:
        """Keep it for the test."""

    def abandon(self) -> None:
        """Have no seats to leave."""


async def lost(jobs: object) -> None:
    """Lose the jobs of a queue."""


class World:
    """Who offers how many seats, which nodes live, and who is the seater under which token."""

    absence_is_loss = False

    def __init__(self, store: Store, redis: Redis, redis_url: str) -> None:
        self.store = store
        self.redis = redis
        self.reservations = SharedReservations(redis, "db")
        self._redis_url = redis_url
        self.seats: dict[int, int] = {}
        #: The names under which living nodes claim matches, and how many these play at once.
        self.living = {"A@1", "B@1"}
        self.tables = {"A": 4, "B": 4}
        #: House bots that a node cannot play.
        self.lacking: dict[str, set[str]] = {}
        self.number: int | None = None
        #: The node that plays every match, if one does.
        self.only: str | None = None
        self.nodes: list[ClusterNode] = []
        self.seater: Seater

    async def until_given(self, node: str, matches: int) -> None:
        """Wait until a node has been given this many matches."""
        async with asyncio.timeout(60):
            while list((await self.reservations.nodes()).values()).count(node) != matches:
                await asyncio.sleep(0.01)

    async def become(self, number: int) -> None:
        """Give the seater this token."""
        await self.name_seater(f"instance {number} A")
        self.number = number

    async def name_seater(self, role: str) -> None:
        """Write down who is the seater, as the roles of a cluster do."""
        await self.redis.hset("farfalia:db:roles", "seater", role)

    def offered(self, bot: int) -> int | None:
        return self.seats.get(bot)

    def begun(self) -> set[int]:
        return set[int]().union(*(node.begun for node in self.nodes))

    def will_not_come(self, bot: int) -> bool:
        return False

    def lost_at(self, bot: int) -> float:
        return 0.0

    def came_at(self, bot: int) -> float:
        return 0.0

    def live(self, claimed_as: str) -> bool:
        return claimed_as in self.living

    def room(self) -> Mapping[str, int]:
        return self.tables

    def best(self, bots: Collection[int], house: Collection[str], free: Mapping[str, int]) -> str | None:
        able = {node: tables for node, tables in free.items() if not set(house) & self.lacking.get(node, set())}
        open = {node: tables for node, tables in able.items() if tables > 0}
        return self.only if self.only in open else max(open, key=open.__getitem__, default=None)

    async def open(self, stack: AsyncExitStack) -> None:
        await self.become(1)
        for name in ("A", "B"):
            node = ClusterNode(self.store, f"{name}@1")
            node.taker = MatchTaker(
                self.store,
                node,
                node,
                self.reservations,
                redis_url=self._redis_url,
                database="db",
                most=4,
            )
            await stack.enter_async_context(node.taker)
            self.nodes.append(node)
        self.seater = Seater(
            self.store,
            self,
            self.reservations,
            self.nodes[0].taker.queue,
            token=lambda: self.number,
            nodes=self,
            absence=0.2,
        )
        await stack.enter_async_context(self.seater)
