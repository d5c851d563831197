"""The machines that run programs, as everybody may see them."""

from __future__ import annotations

from farfalia.v1 import programs_pb2
from farfalia_server.arena.program_messages import host_message
from farfalia_server.store import Store


async def host_list(store: Store) -> programs_pb2.ListHostsResponse:
    """Return the hosts by name, and how many programs wait for their check."""
    hosts = [host_message(host) for host in await store.hosting.hosts()]
    return programs_pb2.ListHostsResponse(hosts=hosts, checks=await store.hosting.waiting_checks())
