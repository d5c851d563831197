"""This node's part in a cluster: what it shares through Redis, and what it does for all nodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from redis.asyncio import Redis

from farfalia_server.cluster.leadership import Leadership
from farfalia_server.cluster.mailbox import Mailbox
from farfalia_server.cluster.node import Node, NodeNews
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.cluster.streams import Streams
from farfalia_server.nodes.gateway_keeper import GatewayKeeper
from farfalia_server.nodes.goodbyes import Goodbyes
from farfalia_server.nodes.node_choice import NodeChoice
from farfalia_server.nodes.remote_seats import RemoteSeatSweep
from farfalia_server.nodes.shared_lobby import SharedLobby
from farfalia_server.nodes.shared_reservations import SEATER, SharedReservations
from farfalia_server.play.bot_gateway import GatewayDirectory
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.queue.match_taker import MatchTaker
from farfalia_server.queue.matches import Matches
from farfalia_server.queue.seater import Seater
from farfalia_server.store import Store


class SharedPlay:
    """A node of the cluster that shares this database and this Redis; `lobby_settings` are those of its lobby.

    `async with` opens its mailbox and reads the gateways of all bots.
    """

    def __init__(
        self,
        redis: Redis,
        redis_url: str,
        database: str,
        registry: NodeRegistry,
        leadership: Leadership,
        store: Store,
        lobby_settings: Mapping[str, Any],
        *,
        absence: float,
    ) -> None:
        self._redis_url = redis_url
        self._database = database
        self._registry = registry
        self._leadership = leadership
        self._store = store
        self._absence = absence
        name = registry.own.name
        self._directory = GatewayDirectory(name, lambda node, instance: self._nodes.instance_lives(node, instance))
        self._nodes = NodeChoice(registry, self._directory)
        self._post = Mailbox(redis, database, name, lambda sender, data: self.lobby.receive(sender, data))
        self.lobby = SharedLobby(self._directory, self._post, **lobby_settings)
        self.gateways = GatewayKeeper(
            redis, database, self.lobby, self._post, lambda: registry.own.instance, lambda: registry.holds
        )
        self._reservations = SharedReservations(redis, database)
        self._taker: MatchTaker | None = None
        self._seater: Seater
        self._stack = AsyncExitStack()

    @property
    def claims_as(self) -> str:
        """The name under which this node claims matches: its instance is part of it."""
        return f"{self._registry.own.name}@{self._registry.own.instance}"

    async def __aenter__(self) -> Self:
        self._stack.callback(self.lobby.close)
        self._stack.callback(self._registry.listen(self._on_news))
        self._directory.listen(lambda bot: self._wake())
        await self._stack.enter_async_context(self._post)
        await self._stack.enter_async_context(self.gateways)
        await self._stack.enter_async_context(RemoteSeatSweep(self._store, self.lobby.remote_seats))
        goodbyes = Goodbyes(self._directory, self._reservations.taken)
        self.lobby.on_goodbye = goodbyes.add
        await self._stack.enter_async_context(goodbyes)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def matches(self, runner: MatchRunner, nonces: NonceCollector, most: int) -> Matches:
        """Return what brings matches to this runner, at most `most` at a time."""
        self.lobby.on_nonce = nonces.receive_forwarded
        self._runner = runner
        self._taker = taker = MatchTaker(
            self._store,
            runner,
            self.lobby,
            self._reservations,
            redis_url=self._redis_url,
            database=self._database,
            most=most,
        )
        self._seater = seater = Seater(
            self._store,
            self.lobby,
            self._reservations,
            taker.queue,
            token=self._seaters_token,
            nodes=self._nodes,
            absence=self._absence,
        )
        return Matches(taker, _InformedSeater(seater, self._post, self._reservations.news), seater.wake)

    def has_heirs(self, leaving: Collection[str] = ()) -> bool:
        """Return whether a node that is not `leaving`, too, can take over what this one plays."""
        own = self._registry.own.name
        return any(
            node.figures.room for name, node in self._registry.live().items() if name != own and name not in leaving
        )

    def _seaters_token(self) -> int | None:
        """Return the fencing token of the seater if this node has the role; None if it has not.

        For a moment two nodes may believe that they have it; writes with the older token are refused.
        """
        role = self._leadership.roles.get(SEATER)
        return role.token if role is not None and role.instance == self._registry.own.instance else None

    def _on_news(self, news: NodeNews, node: Node) -> None:
        if self._taker is not None:
            if news is NodeNews.LOST:
                self._runner.node = self.claims_as
                self._taker.abandon()
            if news is NodeNews.FORGOTTEN:
                self._taker.look_for_later_claims()
        if news is NodeNews.FORGOTTEN:
            self.gateways.read_again()
        self._directory.node_changed(node.name)
        if self._taker is not None:
            self._seater.repair(died=news in (NodeNews.WENT, NodeNews.LOST))

    def _wake(self) -> None:
        if self._taker is not None:
            self._seater.wake()


class _InformedSeater:
    """The seater, which hears of seats that become free while it runs: other nodes need not read that."""

    def __init__(self, seater: Seater, streams: Streams, news: str) -> None:
        self._seater = seater
        self._streams = streams
        self._news = news

    async def __aenter__(self) -> Self:
        self._streams.subscribe(self._news, self._heard, self._seater.reload)
        await self._seater.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._seater.__aexit__(kind, error, trace)
        self._streams.unsubscribe(self._news)

    def _heard(self, fields: Mapping[bytes, bytes]) -> None:
        self._seater.freed(int(fields[b"match"]), waits=fields[b"waits"] == b"1")
