"""Every key in Redis: who writes it, who reads it, and what its loss means.

Redis is replaceable, so each key can be made again from SQL or from the memory of the nodes. A `database` in a name is
the name of the SQL database: arenas can share one Redis without reading each other's keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RedisKey:
    """A key, or a family of keys with names in braces. `kind` is Redis' word for its type."""

    template: str
    kind: str
    writers: str
    readers: str
    loss: str

    def __call__(self, **names: object) -> str:
        """Return the key with these names in place; raises KeyError if one is missing."""
        return self.template.format(**names)

    def before(self, name: str, **names: object) -> str:
        """Return the part of the key before `{name}`, with these names in place: the prefix of a family."""
        return self.template.partition(f"{{{name}}}")[0].format(**names)


_PREFIX: Final = "farfalia:{database}"

SERVER: Final = RedisKey(
    "farfalia:server",
    "string",
    "every server, each 2 s",
    "a server that starts",
    "the servers write it again; until then a second arena on this Redis would not be noticed",
)
CHANGES: Final = RedisKey(
    f"{_PREFIX}:changes",
    "stream",
    "a node that committed something",
    "all nodes",
    "every node reads from SQL what it may have missed",
)
MATCH_CHANGES: Final = RedisKey(
    f"{_PREFIX}:changes:matches",
    "stream",
    "a node that committed something about one match",
    "nodes with a role, or with a viewer",
    "these nodes read from SQL what they may have missed",
)
NODES: Final = RedisKey(
    f"{_PREFIX}:nodes",
    "hash",
    "each node at its heartbeat",
    "all nodes",
    "every node registers again at its next heartbeat",
)
NODES_HEARD: Final = RedisKey(
    f"{_PREFIX}:nodes:heard", "sorted set", "each node at its heartbeat", "all nodes", "as for the nodes"
)
NODES_REGISTRY: Final = RedisKey(
    f"{_PREFIX}:nodes:registry",
    "hash",
    "each node at its heartbeat",
    "all nodes",
    "a new registry begins, by which nodes notice that Redis has lost its data",
)
NODES_PROCESSES: Final = RedisKey(
    f"{_PREFIX}:nodes:processes",
    "sorted set",
    "each node at its heartbeat",
    "a node whose lease another server holds",
    "every node writes again the processes that it knows",
)
ROLES: Final = RedisKey(
    f"{_PREFIX}:roles",
    "hash",
    "a node that takes a role",
    "all nodes",
    "roles are taken again, with tokens above those that SQL has seen",
)
MAILBOX: Final = RedisKey(
    f"{_PREFIX}:node:{{node}}:in",
    "stream",
    "the other nodes",
    "the node",
    "tables send open questions again, and gateways their answers",
)
GATEWAYS: Final = RedisKey(
    f"{_PREFIX}:gateways",
    "hash",
    "the node to which a bot connects",
    "all nodes",
    "each node writes the bots that are connected to it again",
)
GATEWAY_NEWS: Final = RedisKey(
    f"{_PREFIX}:gateways:news",
    "stream",
    "the node to which a bot connects",
    "all nodes",
    "all nodes read the gateways again",
)
SEATED_MATCHES: Final = RedisKey(
    f"{_PREFIX}:seats:matches",
    "hash",
    "the seater; a node whose match is over",
    "the seater",
    "the seater reserves the seats of all matches in play again, from SQL",
)
SEATS_TAKEN: Final = RedisKey(
    f"{_PREFIX}:seats:taken", "hash", "as for the seated matches", "the seater; a node that drains", "as for those"
)
SEATS_FENCE: Final = RedisKey(
    f"{_PREFIX}:seats:fence",
    "string",
    "the seater",
    "the scripts that reserve seats",
    "the seater writes it again before it reserves anything",
)
SEAT_NEWS: Final = RedisKey(
    f"{_PREFIX}:seats:news",
    "stream",
    "a node whose match is over",
    "the seater",
    "the seater looks for free seats at its next regular pass, within 3 s",
)
OWNER: Final = RedisKey(
    f"{_PREFIX}:match:{{match}}:own",
    "hash",
    "the node that claims the match",
    "the scripts of the journal",
    "the node claims the match again and plays on",
)
JOURNAL: Final = RedisKey(
    f"{_PREFIX}:match:{{match}}:{{attempt}}:log",
    "stream",
    "the node that plays the match",
    "a node that takes the match over",
    "the table writes it again from memory; if its node died at the same moment, the attempt is void",
)
FINISHED: Final = RedisKey(
    f"{_PREFIX}:finished:{{match}}",
    "string",
    "the node whose match is over; expires after an hour",
    "the node that claims the match",
    "an ended attempt is not recognised if the database lost its result in a failover as well",
)
LIMIT: Final = RedisKey(
    f"{_PREFIX}:limit:{{kind}}:{{key}}",
    "hash",
    "all nodes, each second; expires when the bucket is full",
    "all nodes",
    "callers and readers get a full burst once",
)
QUEUE: Final = RedisKey(
    f"{_PREFIX}:node:{{node}}:queue",
    "stream",
    "the seater",
    "the node",
    "the seater queues every match again that no node has begun",
)

#: All of them, in the order of the documentation.
KEYS: Final = (
    SERVER,
    QUEUE,
    OWNER,
    JOURNAL,
    FINISHED,
    CHANGES,
    MATCH_CHANGES,
    NODES,
    NODES_HEARD,
    NODES_REGISTRY,
    NODES_PROCESSES,
    ROLES,
    MAILBOX,
    GATEWAYS,
    GATEWAY_NEWS,
    SEATED_MATCHES,
    SEATS_TAKEN,
    SEATS_FENCE,
    SEAT_NEWS,
    LIMIT,
)
