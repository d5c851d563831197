"""The machines, as everybody may see them: nodes, which hold the tables, and hosts, which run programs."""

from __future__ import annotations

from datetime import UTC, datetime

from farfalia.v1 import nodes_pb2, programs_pb2
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.program_messages import host_message
from farfalia_server.store import Store


async def node_list(presence: Presence) -> nodes_pb2.ListNodesResponse:
    """Return the nodes, by name."""
    nodes = sorted(await presence.nodes(), key=lambda node: node.name)
    return nodes_pb2.ListNodesResponse(
        nodes=[
            nodes_pb2.Node(
                name=node.name,
                version=node.version,
                bots=node.bots,
                matches=node.matches,
                room=node.room,
                load=node.load,
                lag_ms=node.lag_ms,
                since=datetime.fromtimestamp(node.since, UTC),
                draining=node.draining,
                address=node.address,
                pages=node.pages,
                roles=node.roles,
            )
            for node in nodes
        ]
    )


async def host_list(store: Store) -> programs_pb2.ListHostsResponse:
    """Return the hosts by name, and how many programs wait for their check."""
    hosts = [host_message(host) for host in await store.hosting.hosts()]
    return programs_pb2.ListHostsResponse(hosts=hosts, checks=await store.hosting.waiting_checks())
