"""The nodes, and what this one publishes about itself."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from farfalia_server import __version__
from farfalia_server.arena.presence import NodeStatus
from farfalia_server.cluster.leadership import Role
from farfalia_server.cluster.lease import ServerLease
from farfalia_server.cluster.node import LoadMeter, Node, NodeFigures
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.measures import Measures
from farfalia_server.nodes.membership import Cluster
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.records.house_names import playable_house_bots


class ThisNode:
    """This server as a node, alone or in a cluster; `room` is how many matches it plays at a time."""

    def __init__(self, name: str, room: int, measures: Measures) -> None:
        self._room = room
        self._measures = measures
        self._house_bots = tuple(playable_house_bots())
        self._alone = Node(name, "", __version__, time.time())
        self._meter = LoadMeter()
        self._open: tuple[Addresses, MatchRunner, Lobby] | None = None
        #: The cluster that it belongs to, if any.
        self.cluster: Cluster | None = None
        #: Its name in the database.
        self.lease: ServerLease | None = None
        #: Whether it takes no more matches.
        self.draining = False

    def opened(self, addresses: Addresses, runner: MatchRunner, lobby: Lobby) -> None:
        """Note that its ports are open, and who plays there."""
        self._open = addresses, runner, lobby

    def figures(self) -> NodeFigures:
        """Return what this node publishes about itself."""
        beat = 0 if self.lease is None else self.lease.beat
        if self._open is None:
            return NodeFigures(beat=beat)
        addresses, runner, lobby = self._open
        return NodeFigures(
            address=addresses.bots,
            pages=addresses.pages,
            tables=runner.playing,
            bots=sum(connection.connected for connection in lobby.connections()),
            room=0 if self.draining else self._room,
            lag_ms=round(1000 * max(self._measures.lateness, default=0.0), 1),
            draining=self.draining,
            beat=beat,
            house_bots=self._house_bots,
        )

    def nodes(self) -> Sequence[NodeStatus]:
        """Return all live nodes."""
        if self.cluster is not None:
            return _statuses(self.cluster.registry.live().values(), self.cluster.leadership.roles)
        return _statuses([replace(self._alone, load=self._meter.load(), figures=self.figures())], {})


def _statuses(nodes: Collection[Node], roles: Mapping[str, Role]) -> Sequence[NodeStatus]:
    """Return the status of these nodes, which hold these roles."""
    return [
        NodeStatus(
            node.name,
            node.version,
            node.figures.bots,
            node.figures.tables,
            room=node.figures.room,
            load=node.load,
            lag_ms=node.figures.lag_ms,
            since=node.since,
            draining=node.figures.draining,
            address=node.figures.address,
            pages=node.figures.pages,
            house_bots=node.figures.house_bots,
            roles=tuple(sorted(name for name, role in roles.items() if role.instance == node.instance)),
        )
        for node in nodes
    ]
