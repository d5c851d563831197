"""This node's part in a cluster: what it shares through Redis, and what it does for all nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from redis.asyncio import Redis

from farfalia_server.cluster.leadership import Leadership
from farfalia_server.cluster.node import Node, NodeNews
from farfalia_server.cluster.post_office import PostOffice
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.cluster.streams import Streams
from farfalia_server.net import redis_keys
from farfalia_server.nodes.farewells import Farewells
from farfalia_server.nodes.guests import GuestSweep
from farfalia_server.nodes.match_taker import MatchTaker
from farfalia_server.nodes.reservations import Reservations
from farfalia_server.nodes.seater import Seater
from farfalia_server.nodes.seater_role import SEATER, SeaterRole
from farfalia_server.nodes.session_keeper import SessionKeeper
from farfalia_server.nodes.shared_lobby import SharedLobby
from farfalia_server.play.bot_session import SessionDirectory
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.store import Store

#: CPU seconds per second from which a node is no longer preferred for the matches of its bots.
_BUSY = 0.7


class SharedPlay:
    """A node of the cluster that shares this database and this Redis; `lobby_settings` are those of its lobby.

    `async with` opens its post and reads the sessions of all bots.
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
    ) -> None:
        self._redis_url = redis_url
        self._database = database
        self._registry = registry
        self._leadership = leadership
        self._store = store
        self._absence: float = lobby_settings["absence"]
        name = registry.own.name
        self._directory = SessionDirectory(name, self._lives)
        self._post = PostOffice(redis, database, name, lambda sender, data: self.lobby.receive(sender, data))
        self.lobby = SharedLobby(self._directory, self._post, **lobby_settings)
        self.sessions = SessionKeeper(
            redis, database, self.lobby, self._post, lambda: registry.own.instance, lambda: registry.holds
        )
        self._reservations = Reservations(redis, database)
        self._matches: SharedMatches | None = None
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
        await self._stack.enter_async_context(self.sessions)
        await self._stack.enter_async_context(GuestSweep(self._store, self.lobby.guests))
        farewells = Farewells(self._directory, self._reservations.taken)
        self.lobby.on_farewell = farewells.add
        await self._stack.enter_async_context(farewells)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def matches(self, runner: MatchRunner, nonces: NonceCollector, most: int) -> SharedMatches:
        """Return what takes matches out of the shared queue for this runner, at most `most` at once."""
        self.lobby.on_nonce = nonces.receive_forwarded
        self._runner = runner
        taker = MatchTaker(
            self._store,
            runner,
            self._reservations,
            name=redis_keys.QUEUE(database=self._database),
            redis_url=self._redis_url,
            most=most,
            note_absent=self.lobby.note_absent,
            better=self._better,
            hand_over=self.lobby.hand_over,
        )
        self.lobby.on_play = taker.take

        seater = Seater(
            self._store,
            self,
            self._reservations,
            taker.queue,
            role=SeaterRole(self._leadership, self._registry),
            lives=self._claimant_lives,
            room=self._room,
            absence=self._absence,
        )
        self._leadership.lead(SEATER, _InformedSeater(seater, self._post, self._reservations.news))
        self._matches = SharedMatches(taker, seater, self.lobby)
        return self._matches

    def has_heirs(self, leaving: Collection[str] = ()) -> bool:
        """Return whether a node that is not `leaving`, too, can take over what this one plays."""
        own = self._registry.own.name
        return any(
            node.figures.room for name, node in self._registry.live().items() if name != own and name not in leaving
        )

    def offered(self, bot: int) -> int | None:
        """Return how many matches a bot can play at once; None if it has no stream."""
        session = self._directory.get(bot)
        return session.offered if session is not None and session.connected else None

    def lost_at(self, bot: int) -> float:
        """Return when the bot's last stream was lost, as far as this node knows."""
        return self.lobby.lost_at(bot)

    def came_at(self, bot: int) -> float:
        """Return when a bot that has a stream came, as far as this node knows."""
        return self.lobby.came_at(bot)

    def _better(self, bots: Collection[int], away: bool) -> str | None:
        """Return a node with room that has more of a match's bots than this one, if this one has none, or `away` takes
        no matches; None if there is none.
        """
        own, live = self._registry.own.name, self._registry.live()
        at = Counter(session.node for bot in bots if (session := self._directory.get(bot)) is not None)
        if at[own] and not away:
            return None
        others = [node for name, node in live.items() if name != own and node.figures.tables < node.figures.room]
        if not away:
            others = [node for node in others if at[node.name] and node.load < _BUSY]
        best = max(others, key=lambda node: (at[node.name], node.figures.room - node.figures.tables), default=None)
        return None if best is None else best.name

    def _room(self) -> int:
        """Return how many matches all nodes together can play at once."""
        return sum(node.figures.room for node in self._registry.live().values())

    def _lives(self, node: str, instance: str) -> bool:
        own = self._registry.own
        known = own if node == own.name else self._registry.live().get(node)
        return known is not None and known.instance == instance

    def _claimant_lives(self, claimed_as: str) -> bool:
        node, _, instance = claimed_as.rpartition("@")
        return self._lives(node, instance)

    def _on_news(self, news: NodeNews, node: Node) -> None:
        if news is NodeNews.LOST and self._matches is not None:
            self._runner.node = self.claims_as
            self._matches.abandon()
        if news is NodeNews.FORGOTTEN:
            self.sessions.read_again()
            if self._matches is not None:
                self._matches.look_for_later_claims()
        self._directory.node_changed(node.name)
        if self._matches is not None:
            self._matches.repair(died=news in (NodeNews.WENT, NodeNews.LOST))

    def _wake(self) -> None:
        if self._matches is not None:
            self._matches.wake()


class _InformedSeater:
    """The seater, which hears of seats that become free while it runs: other nodes need not read that."""

    def __init__(self, seater: Seater, streams: Streams, news: str) -> None:
        self._seater = seater
        self._streams = streams
        self._news = news

    async def __aenter__(self) -> Self:
        self._streams.subscribe(self._news, lambda fields: self._seater.reload(), self._seater.reload)
        await self._seater.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._seater.__aexit__(kind, error, trace)
        self._streams.unsubscribe(self._news)


class SharedMatches:
    """What hands matches to this node's runner; `async with` starts it. The seater runs where its role is."""

    def __init__(self, taker: MatchTaker, seater: Seater, lobby: SharedLobby) -> None:
        self._taker = taker
        self._lobby = lobby
        #: Take no other match from now on; those under way continue.
        self.pause = taker.pause
        #: End those that other nodes have taken up.
        self.look_for_later_claims = taker.look_for_later_claims
        #: Look for matches that can begin; look for others, too; look at once for those whose node is gone.
        self.wake, self.reload, self.repair = seater.wake, seater.reload, seater.repair

    async def __aenter__(self) -> Self:
        await self._taker.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abandon()
        await self._taker.__aexit__(kind, error, trace)

    def abandon(self) -> None:
        """Stop every match here; other nodes take them up."""
        self._lobby.abandon()
        self._taker.abandon()
