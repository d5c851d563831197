"""Who is connected to this node, and why a bot has no table on a ladder, for the arena."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from farfalia.v1 import ladders_pb2
from farfalia_server.arena.presence import NodeStatus
from farfalia_server.organising.matchmaker import Matchmaker, sentence
from farfalia_server.play.lobby import Lobby
from farfalia_tournaments import Reason, WaitStatus

REASONS = {
    Reason.AT_CAPACITY: ladders_pb2.LADDER_WAIT_REASON_AT_CAPACITY,
    Reason.TOO_FEW: ladders_pb2.LADDER_WAIT_REASON_TOO_FEW,
    Reason.ONLY_SIBLINGS: ladders_pb2.LADDER_WAIT_REASON_ONLY_SIBLINGS,
    Reason.IN_LINE: ladders_pb2.LADDER_WAIT_REASON_IN_LINE,
    Reason.RESTS: ladders_pb2.LADDER_WAIT_REASON_RESTS,
    Reason.EVENT_TIMES: ladders_pb2.LADDER_WAIT_REASON_EVENT_TIMES,
}


def wait_message(ladder: str, why: WaitStatus) -> ladders_pb2.LadderWait:
    """Return the message of a bot that waits on a ladder."""
    return ladders_pb2.LadderWait(
        ladder=ladder,
        reason=REASONS[why.reason],
        text=sentence(why),
        place=why.place or 0,
        seconds=0 if why.seconds is None else max(1, round(why.seconds)),
    )


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
