"""Who is connected to this node, as the arena asks for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from farfalia.v1 import ladders_pb2
from farfalia_server import __version__
from farfalia_server.arena.presence import NodeStatus
from farfalia_server.arena.waiting import wait_message
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.match_runner import MatchRunner


class LocalPresence:
    """The presence of a server that is its only node."""

    def __init__(self, lobby: Lobby, runner: MatchRunner, node: str, matchmaker: Matchmaker) -> None:
        self._lobby = lobby
        self._runner = runner
        self._node = node
        self._matchmaker = matchmaker

    async def connected(self) -> Collection[str]:
        """Return names of the bots that are connected."""
        return set(self._lobby.connected().values())

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        """Return why a bot has no table, for each open ladder."""
        return [wait_message(ladder, why) for ladder, why in self._matchmaker.waiting(bot).items()]

    async def nodes(self) -> Sequence[NodeStatus]:
        """Return this node."""
        return [NodeStatus(self._node, __version__, len(self._lobby.connected()), self._runner.playing)]

    async def dismiss(self, bot: str) -> None:
        """End the stream of a bot whose token is no longer good."""
        self._lobby.dismiss(bot)
