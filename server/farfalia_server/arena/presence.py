"""What the arena has to know of those who are connected now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from farfalia.v1 import ladders_pb2


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """A server that plays."""

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


class Presence(Protocol):
    """Who is there, on all nodes together; may be a few seconds old."""

    async def connected(self) -> Collection[str]:
        """Return names of the bots that are connected to any node."""

    async def waiting(self, bot: int) -> Sequence[ladders_pb2.LadderWait]:
        """Return why a bot has no table, for each open ladder; empty if it has one, or is not connected."""

    async def nodes(self) -> Sequence[NodeStatus]:
        """Return all nodes that are alive, in any order."""

    async def dismiss(self, bot: str) -> None:
        """End the stream of a bot whose token is no longer good, on whichever node it is."""
