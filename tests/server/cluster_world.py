"""Two nodes and more in one process: their gateways, and a post between them that can be slow and lose items."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from farfalia_engine import Cause
from farfalia_server.net.measures import Measures
from farfalia_server.nodes.forwarding import Item, Items
from farfalia_server.nodes.shared_lobby import SharedLobby
from farfalia_server.play.bot_gateway import BotGateway, GatewayDirectory
from farfalia_server.play.loop_clock import LoopClock
from farfalia_tools.testing import RecordingStream


class Node:
    """A node: its lobby, and what it sends to others."""

    def __init__(self, cluster: Cluster, name: str, schedule_flush: Callable[[Callable[[], None]], None]) -> None:
        self.name = name
        self.cluster = cluster
        self.directory = GatewayDirectory(name, lambda node, instance: cluster.instances.get(node) == instance)
        loop = asyncio.get_running_loop()
        self.measures = Measures()
        self.lobby = SharedLobby(
            self.directory,
            self,
            linger=0.001,
            reconnect_grace=cluster.grace,
            schedule_flush=schedule_flush,
            changed=lambda: None,
            measures=self.measures,
            clock=LoopClock(self.measures, loop.time),
        )

    def send(self, node: str, data: bytes) -> None:
        """Send items to another node, if both live when they arrive."""
        for item in Items.FromString(data).items:
            self.cluster.deliver(self.name, node, item)


class Cluster:
    """Nodes by name. `latency` is in seconds, `lose` says which items are lost, `sent` has all."""

    def __init__(self, *names: str, schedule_flush: Callable[[Callable[[], None]], None], grace: float = 60) -> None:
        self.instances = {name: f"{name} 1" for name in names}
        self.latency = 0.0
        self.grace = grace
        self.sent: list[tuple[str, str, Item]] = []
        self.lose: Callable[[str, str, Item], bool] = lambda sender, node, item: False
        self.nodes: Mapping[str, Node] = {name: Node(self, name, schedule_flush) for name in names}
        self._epochs: dict[int, int] = {}

    def close(self) -> None:
        for node in self.nodes.values():
            node.lobby.close()

    def deliver(self, sender: str, node: str, item: Item) -> None:
        if sender not in self.instances:
            return
        self.sent.append((sender, node, item))
        if not self.lose(sender, node, item):
            asyncio.get_running_loop().call_later(self.latency, self._arrive, sender, node, item)

    def _arrive(self, sender: str, node: str, item: Item) -> None:
        if node in self.instances:
            self.nodes[node].lobby.receive(sender, Items(items=[item]).SerializeToString())

    def kill(self, name: str) -> None:
        """A node is gone, and the others notice it."""
        del self.instances[name]
        for node in self.nodes.values():
            node.directory.node_changed(name)

    def connect(self, bot: int, node: str, stream: RecordingStream | None = None) -> None:
        """The bot is at this node from now on, with a stream; without one it is attached already."""
        self._epochs[bot] = self._epochs.get(bot, 0) + 1
        gateway = BotGateway(bot, self._epochs[bot], node, self.instances[node], connected=True)
        self._tell(gateway)
        if stream is not None:
            self.nodes[node].lobby.connection(bot).attach(stream)

    def _tell(self, gateway: BotGateway) -> None:
        for node in self.nodes.values():
            if node.name in self.instances:
                node.directory.put(gateway)


def causes(cluster: Cluster) -> set[Cause]:
    """The causes of all answers that gateways have sent."""
    return {Cause(item.answer.cause) for _, _, item in cluster.sent if item.WhichOneof("what") == "answer"}
