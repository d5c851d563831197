"""Who is connected to this node, for the arena."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from farfalia.v1 import ladders_pb2
from farfalia_server.arena.presence import NodeStatus
from farfalia_server.arena.waiting import wait_message
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.play.lobby import Lobby


class LocalPresence:
    """The bots that are connected to this node, and its figures among those of all nodes."""

    def __init__(self, lobby: Lobby, matchmaker: Matchmaker, nodes: Callable[[], Sequence[NodeStatus]]) -> None:
        self._lobby = lobby
        self._matchmaker = matchmaker
        self._nodes = nodes

    async def connected(self) -> Collection[str]:
        """Return names of the bots that are connected."""
        return set(self._lobby.connected().values())

    async def reachable(self) -> Collection[str]:
        """Return names of those that are heard of as well."""
        reachable = self._lobby.reachable()
        return {name for bot, name in self._lobby.connected().items() if bot in reachable}

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        """Return, for each open ladder, why a bot has no table."""
        return [wait_message(ladder, why) for ladder, why in self._matchmaker.waiting(bot).items()]

    async def nodes(self) -> Sequence[NodeStatus]:
        """Return the live nodes: one, if this server is alone."""
        return self._nodes()

    async def dismiss(self, bot: str) -> None:
        """End the stream of a bot whose token is no longer valid."""
        self._lobby.dismiss(bot)
