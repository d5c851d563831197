"""The machines, as everybody may see them: nodes, which hold the tables, their queue, and hosts, which run programs."""

from __future__ import annotations

from datetime import UTC, datetime

from farfalia.v1 import nodes_pb2, programs_pb2
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.program_messages import host_message
from farfalia_server.arena.tournament_wait import absent, unplayable
from farfalia_server.store import MatchState, Store

#: Queued matches that are searched for what they wait for.
_QUEUE_HEAD = 1000


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


async def queue_seen(store: Store, presence: Presence) -> nodes_pb2.GetQueueResponse:
    """Return what is queued, what is in play, and what it waits for."""
    counts = await store.matches.counts((MatchState.QUEUED, MatchState.RUNNING))
    head = await store.matches.open(MatchState.QUEUED, _QUEUE_HEAD)
    bots = (await store.bots.by_ids({bot for match in head for bot in match.bot_ids})).values()
    return nodes_pb2.GetQueueResponse(
        queued=counts.get(MatchState.QUEUED, 0),
        running=counts.get(MatchState.RUNNING, 0),
        awaited=await absent(presence, bots),
        unplayable=await unplayable(presence, (bot.house for bot in bots)),
    )


async def host_list(store: Store) -> programs_pb2.ListHostsResponse:
    """Return the hosts by name, and how many programs wait for their check."""
    hosts = [host_message(host) for host in await store.hosting.hosts()]
    return programs_pb2.ListHostsResponse(hosts=hosts, checks=await store.hosting.waiting_checks())
