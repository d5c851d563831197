"""The nodes as Redis lists them, also for a process that is not one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from farfalia_server.cluster.lease import LOOK_SECONDS, Holder
from farfalia_server.cluster.node import Node
from farfalia_server.net import redis_keys

#: Seconds of silence after which a node is dead.
NODE_LEASE_SECONDS: Final = 3.0

#: KEYS: nodes by name, when each was heard.
_LOOK = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for _, each in ipairs(redis.call('HKEYS', KEYS[1])) do
  table.insert(answer, redis.call('HGET', KEYS[1], each))
  table.insert(answer, now - (redis.call('ZSCORE', KEYS[2], each) or 0))
end
return answer
"""


@dataclass(frozen=True, slots=True)
class NodeEntry:
    """A node's entry in Redis, and the milliseconds since it was last renewed."""

    instance: str
    node: Node
    holder: Holder | None
    age: int

    @classmethod
    def parse(cls, text: bytes, age: int) -> NodeEntry:
        """Return what a registry has written: its instance, what the node says of itself, its process."""
        said, _, process = text[16:].partition(b"\n")
        return cls(text[:16].decode(), Node.parse(said), Holder.parse(process.decode()), age)

    @property
    def may_live(self) -> bool:
        """Whether it was heard within a lease, and its process is not known to be dead."""
        return self.age < NODE_LEASE_SECONDS * 1000 and (self.holder is None or self.holder.is_alive is not False)

    @property
    def is_here(self) -> bool:
        """Whether its process is known to live on this machine."""
        return self.holder is not None and self.holder.is_alive is True


def node_keys(database: str) -> list[str]:
    """Return the keys of nodes by name, of when each was heard, of the registry itself, and of all processes."""
    keys = redis_keys.NODES, redis_keys.NODES_HEARD, redis_keys.NODES_REGISTRY, redis_keys.NODES_PROCESSES
    return [key(database=database) for key in keys]


async def live_nodes(redis: Redis, database: str) -> list[Node]:
    """Return the nodes of a database that live, without being one of them.

    One that was heard within a lease may have died since, so this waits until it is heard again, or is dead.
    """
    look = redis.register_script(_LOOK)
    ages: dict[str, int] = {}
    while True:
        found: Any = await look(keys=node_keys(database)[:2])
        entries = [NodeEntry.parse(text, int(age)) for text, age in zip(found[::2], found[1::2], strict=True)]
        there = [entry for entry in entries if entry.may_live]
        if all(entry.is_here or entry.age < ages.setdefault(entry.instance, entry.age) for entry in there):
            return [entry.node for entry in there]
        await asyncio.sleep(LOOK_SECONDS)


def listed(nodes: Collection[Node]) -> str:
    """Return the names of nodes with their versions, as the subject of a sentence."""
    names = ", ".join(f"{node.name} (version {node.version})" for node in sorted(nodes, key=lambda node: node.name))
    return f"{'node' if len(nodes) == 1 else 'nodes'} {names}"
