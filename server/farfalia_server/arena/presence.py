"""What the arena needs to know about who is connected now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from farfalia.v1 import ladders_pb2


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """A node of the arena."""

    name: str
    version: str
    bots: int
    matches: int
    #: As in the contract.
    room: int = 0
    load: float = 0.0
    lag_ms: float = 0.0
    #: Seconds since 1970.
    since: float = 0.0
    draining: bool = False
    address: str = ""
    pages: str = ""
    roles: tuple[str, ...] = ()
    #: The house bots that it can play; none if it does not say.
    house_bots: tuple[str, ...] = ()


class Presence(Protocol):
    """Who is connected, on all nodes together; may be a few seconds old."""

    async def connected(self) -> Collection[str]:
        """Return names of the bots that are connected to any node."""

    async def reachable(self) -> Collection[str]:
        """Return names of those that are heard of as well: a stream outlives its network for a while."""

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        """Return, for each open ladder, why a bot has no table; empty if it has one or is not connected."""

    async def nodes(self) -> Sequence[NodeStatus]:
        """Return all live nodes, in any order."""

    async def dismiss(self, bot: str) -> None:
        """End the stream of a bot whose token is no longer valid, whichever node it is on."""
