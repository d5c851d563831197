"""Which node plays a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.play.bot_gateway import GatewayDirectory

#: CPU seconds per second from which a node is busy.
_BUSY = 0.7


class NodeChoice:
    """The nodes of a cluster as its seater sees them, with the figures of a second ago."""

    def __init__(self, registry: NodeRegistry, directory: GatewayDirectory) -> None:
        self._registry = registry
        self._directory = directory

    def live(self, claimed_as: str) -> bool:
        """Return whether the node that claims matches under this name lives."""
        name, _, instance = claimed_as.rpartition("@")
        return self.instance_lives(name, instance)

    def instance_lives(self, name: str, instance: str) -> bool:
        """Return whether this instance of a node lives."""
        own = self._registry.own
        known = own if name == own.name else self._registry.live().get(name)
        return known is not None and known.instance == instance

    def room(self) -> dict[str, int]:
        """Return, by node that takes matches, how many it can play at a time."""
        return {name: node.figures.room for name, node in self._registry.live().items() if node.figures.room}

    def best(self, bots: Collection[int], house: Collection[str], free: Mapping[str, int]) -> str | None:
        """Return the node that should play a match with these bots; None if none has room that can play the house bots.

        It has more of the bots than any other, or more room. A busy node is chosen only if all are busy: the bots of a
        class may all have come to one.
        """
        live = self._registry.live()
        at = Counter(gateway.node for bot in bots if (gateway := self._directory.get(bot)) is not None)
        open = [live[name] for name, tables in free.items() if tables > 0 and name in live]
        open = [node for node in open if node.figures.plays(house)]
        calm = [node for node in open if node.load < _BUSY] or open
        best = max(calm, key=lambda node: (at[node.name], free[node.name]), default=None)
        return None if best is None else best.name
