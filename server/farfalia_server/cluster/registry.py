"""The nodes of a cluster: each sends a heartbeat to Redis every second and learns in the same step who else is alive.

A node without a heartbeat for a whole lease (`NODE_LEASE_SECONDS`, in `node_entries`) is dead, by Redis' own clock; a
pause in which no node was heard counts against none of them, since then Redis was unreachable. A single script does all
of it, so that there is one order of events: an instance that was removed as dead learns so at its next heartbeat, and
enters again as a new one.

Between two heartbeats a node may be dead to the others without knowing: `holds` says until when that is impossible. It
only compares clocks, so it is right even in the first moment after the process was stopped for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import Any, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.cluster.lease import LOOK_SECONDS, Holder
from farfalia_server.cluster.node import CLUSTER_PROTOCOL, LoadMeter, Node, NodeFigures, NodeNews
from farfalia_server.cluster.node_entries import NODE_LEASE_SECONDS, NodeEntry, listed, live_nodes, node_keys
from farfalia_server.contract.errors import AnotherServer, RedisUnavailable
from farfalia_server.contract.said import said
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.service import Service

log = structlog.get_logger(__name__)

#: Seconds between two heartbeats.
_RENEWAL_SECONDS = 1.0
#: Seconds without a heartbeat of any node after which Redis was unreachable, not the nodes.
_PAUSE_SECONDS = 2.0
#: Seconds after a lease has ended until the look for it.
_SLACK_SECONDS = 0.02

#: KEYS: nodes by name, when each was heard, the registry itself, the processes of all nodes that there ever were. ARGV:
#: name, instance, what it says of itself, lease and pause in ms, the run of the registry that it knows, an instance of
#: the same name that is known to be dead, a new run in case that there is none (a Redis that has lost everything), its
#: process.
#: An entry begins with its instance, of 16 characters.
_HEAR = """
local name, instance, lease, run = ARGV[1], ARGV[2], tonumber(ARGV[4]), ARGV[6]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local heard = tonumber(redis.call('HGET', KEYS[3], 'heard') or now)
local gap = now - heard
if gap < 0 or gap > tonumber(ARGV[5]) then
  for _, each in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    redis.call('ZADD', KEYS[2], math.min(now, redis.call('ZSCORE', KEYS[2], each) + gap), each)
  end
end
redis.call('HSET', KEYS[3], 'heard', now)
redis.call('HSETNX', KEYS[3], 'run', ARGV[8])
local known = redis.call('HGET', KEYS[3], 'run')
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - lease)) do
  redis.call('ZREM', KEYS[2], dead)
  redis.call('HDEL', KEYS[1], dead)
end
local entry = redis.call('HGET', KEYS[1], name)
local there = entry and string.sub(entry, 1, 16)
if there and there ~= instance and there ~= ARGV[7] then
  return {'taken', known, name, entry, now - redis.call('ZSCORE', KEYS[2], name)}
end
if not there and run == known then return {'lost', known} end
redis.call('HSET', KEYS[1], name, instance .. ARGV[3])
redis.call('ZADD', KEYS[2], now, name)
redis.call('ZADD', KEYS[4], now, ARGV[9])
redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -1001)
local answer = {'heard', known}
for _, each in ipairs(redis.call('HKEYS', KEYS[1])) do
  table.insert(answer, each)
  table.insert(answer, redis.call('HGET', KEYS[1], each))
  table.insert(answer, now - (redis.call('ZSCORE', KEYS[2], each) or now))
end
return answer
"""
_LEAVE = """
local entry = redis.call('HGET', KEYS[1], ARGV[1])
if entry and string.sub(entry, 1, 16) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
"""

Listener = Callable[[NodeNews, Node], None]


class NodeRegistry(Service):
    """The nodes that live; `async with` enters this one, keeps it there and removes it.

    `database` tells the nodes of this database from others on the same Redis; `figures` is asked for every second.
    Raises AnotherServer if a node of this name lives, or one of another cluster protocol or schema.
    """

    def __init__(
        self,
        redis: Redis,
        database: str,
        name: str,
        *,
        version: str,
        schema: str = "",
        figures: Callable[[], NodeFigures] = NodeFigures,
    ) -> None:
        super().__init__("node registry")
        self._redis = redis
        self._database = database
        self._keys = node_keys(database)
        self._hear, self._leave = redis.register_script(_HEAR), redis.register_script(_LEAVE)
        self._figures = figures
        self._holder = Holder.own(name)
        self._own = Node(name, self._holder.mark, version, time.time(), protocol=CLUSTER_PROTOCOL, schema=schema)
        self._live: dict[str, Node] = {}
        #: All processes that were ever seen; there are few enough to keep.
        self._known: set[Holder] = set()
        #: Whether Redis has lost them.
        self._to_tell = False
        #: Waiters for a look that has not begun.
        self._asking: list[asyncio.Future[None]] = []
        self._listeners: list[Listener] = []
        self._run_id = ""
        self._holds_until = 0.0
        self._next = _RENEWAL_SECONDS
        #: Until when a node may be missing from the registry, since Redis has lost it.
        self._forgiving_until = 0.0
        self._meter = LoadMeter()
        self._problem = ""

    @property
    def own(self) -> Node:
        """This node as the others know it."""
        return self._own

    @property
    def instance(self) -> str:
        """Which instance of this node it is; another one once it was taken for dead."""
        return self._own.instance

    @property
    def holder(self) -> Holder:
        """The process of this node, marked with its instance."""
        return self._holder

    async def is_known(self, holder: Holder) -> bool:
        """Return whether this is the process of a node of this cluster, or was one.

        One that is gone may still write elsewhere, since it cannot reach Redis; and one that lives may have to enter
        again first, where Redis has lost everything. So it waits for a lease before it
        returns False. Raises RedisUnavailable if Redis does not answer for that long.
        """
        end = _now() + NODE_LEASE_SECONDS
        while holder.process not in self._known and _now() < end:
            await self._look_again()
            if holder.process not in self._known:
                await asyncio.sleep(LOOK_SECONDS)
        return holder.process in self._known

    async def _look_again(self) -> None:
        """Wait for a look that begins now; raise RedisUnavailable if there is none for a lease."""
        looked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asking.append(looked)
        self.wake()
        done, _ = await asyncio.wait((looked,), timeout=NODE_LEASE_SECONDS)
        if not done:
            raise RedisUnavailable(said("Redis does not answer, so the nodes are unknown"))

    @property
    def holds(self) -> bool:
        """Whether nobody can have taken this node for dead yet; what it owns is its own until then."""
        return _now() < self._holds_until

    @property
    def problem(self) -> str:
        """Why this node cannot say that it lives, a sentence; empty if it can."""
        return self._problem

    def live(self) -> Mapping[str, Node]:
        """Return the nodes that live by name, this one too, as it was heard a second ago at most."""
        return MappingProxyType(self._live)

    def others(self) -> Mapping[str, Node]:
        """Return the nodes that live by name without this one."""
        return {name: node for name, node in self._live.items() if name != self._own.name}

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` in the event loop with all news from now on, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def __aenter__(self) -> Self:
        replaced, ages = "", list[int]()
        while (taken := await self._say(replaced)) is not None:
            alive = taken.holder.is_alive if taken.holder is not None else None
            if alive or (ages and taken.age < ages[-1]):
                raise self._of_the_same_name(taken)
            if alive is False:
                replaced = taken.instance
                continue
            if not ages:
                log.info("lease_held", address="Redis", node=self._own.name, seconds=NODE_LEASE_SECONDS)
            ages.append(taken.age)
            await asyncio.sleep(LOOK_SECONDS)
        dead = set[str]()
        while strangers := [node for node in self._strangers(self.others().values()) if node.instance not in dead]:
            await self._leave(keys=self._keys, args=[self._own.name, self._own.instance])
            self._refuse(self._strangers(await live_nodes(self._redis, self._database)))
            dead.update(node.instance for node in strangers)
            self._run_id = ""
            await self._say()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            self._holds_until = 0.0
            with contextlib.suppress(RedisError, OSError):  # the others notice it after a lease
                await self._leave(keys=self._keys, args=[self._own.name, self._own.instance])

    async def _run(self) -> None:
        while await self._goes_on(self._next):
            self._woken.clear()
            asking, self._asking = self._asking, []
            try:
                taken = await self._say()
                await self._share_processes(wanted=bool(asking))
            except (RedisError, OSError) as error:
                self._asking += asking
                if not self._problem:
                    log.warning("heartbeat_failed", error=str(error))
                self._problem = f"Redis does not answer: {error}"
                self._next = LOOK_SECONDS
                if is_worth_a_new_connection(error):
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
                continue
            self._problem = ""
            for looked in asking:
                if not looked.done():
                    looked.set_result(None)
            if taken is not None:
                raise self._of_the_same_name(taken)

    async def _say(self, replaced: str = "") -> NodeEntry | None:
        """Send a heartbeat and learn who else is alive; return another node that has this one's name."""
        self._own = replace(self._own, figures=self._figures(), load=self._meter.load())
        said, known = _now(), self._run_id
        status, run, *found = await self._hear(
            keys=self._keys,
            args=[
                self._own.name,
                self._own.instance,
                f"{self._own}\n{self._holder}",
                round(NODE_LEASE_SECONDS * 1000),
                round(_PAUSE_SECONDS * 1000),
                known,
                replaced,
                secrets.token_hex(8),
                str(self._holder.process),
            ],
        )
        entries = [NodeEntry.parse(text, int(age)) for text, age in zip(found[1::3], found[2::3], strict=True)]
        if status == b"taken":
            if known:
                self._lose()
            return entries[0]
        if status == b"lost":
            self._lose()
            taken = await self._say()
            self._refuse(self._strangers(self.others().values()))  # that were upgraded meanwhile
            return taken
        self._run_id = run.decode()
        if known and known != self._run_id:
            log.warning("nodes_forgotten")
            self._forgiving_until = said + NODE_LEASE_SECONDS
            self._to_tell = True
        self._holds_until = said + NODE_LEASE_SECONDS
        self._learn(entries)
        if known and known != self._run_id:
            self._tell(NodeNews.FORGOTTEN, self._own)
        return None

    async def _share_processes(self, *, wanted: bool) -> None:
        """Tell a Redis that has lost everything which processes were nodes, and learn which were if that is wanted."""
        if self._to_tell:
            await self._redis.zadd(self._keys[3], dict.fromkeys(map(str, self._known), time.time() * 1000))
            self._to_tell = False
        if wanted:
            found: Any = await self._redis.zrange(self._keys[3], 0, -1)
            holders = (Holder.parse(text.decode()) for text in found)
            self._known.update(holder for holder in holders if holder is not None)

    def _lose(self) -> None:
        """Begin again as a new instance: this one was taken for dead."""
        self._holds_until, self._run_id = 0.0, ""
        lost = self._own
        self._holder = Holder.own(lost.name)
        self._own = replace(lost, instance=self._holder.mark, since=time.time())
        log.warning("node_taken_for_dead", node=lost.name, instance=lost.instance)
        self._tell(NodeNews.LOST, lost)

    def _learn(self, entries: list[NodeEntry]) -> None:
        before, live = self._live, {entry.node.name: entry.node for entry in entries}
        if _now() < self._forgiving_until:
            live = {**before, **live}
        self._live = live
        self._known.update(entry.holder.process for entry in entries if entry.holder is not None)
        for name, node in before.items():
            if name not in live or live[name].instance != node.instance:
                self._tell(NodeNews.WENT, node)
        for name, node in live.items():
            if name not in before or before[name].instance != node.instance:
                self._tell(NodeNews.CAME, node)
        oldest = max((entry.age for entry in entries), default=0) / 1000
        self._next = max(_SLACK_SECONDS, min(_RENEWAL_SECONDS, NODE_LEASE_SECONDS - oldest + _SLACK_SECONDS))

    def _tell(self, news: NodeNews, node: Node) -> None:
        if node.name != self._own.name:
            if news is NodeNews.CAME:
                log.info("node_came", node=node.name, instance=node.instance)
            else:
                log.info("node_went", node=node.name, instance=node.instance)
        for listener in tuple(self._listeners):
            listener(news, node)

    def _strangers(self, nodes: Iterable[Node]) -> list[Node]:
        """Return the nodes with which this one cannot be one arena."""
        own = self._own
        return [node for node in nodes if (node.protocol, node.schema) != (own.protocol, own.schema)]

    def _refuse(self, strangers: Sequence[Node]) -> None:
        if strangers:
            raise AnotherServer(
                f"{listed(strangers)} {_speaks(strangers[0])}, this one (version {self._own.version}) "
                f"{_speaks(self._own)}: they cannot be one arena; stop all nodes, then start those of one version"
            )

    def _of_the_same_name(self, taken: NodeEntry) -> AnotherServer:
        where = f", process {taken.holder.pid} on {taken.holder.host}" if taken.holder is not None else ""
        return AnotherServer(f"another node is called {self._own.name}{where}; give each node a name with --node")


def _speaks(node: Node) -> str:
    return f"has cluster protocol {node.protocol} and schema {node.schema or 'unknown'}"


def _now() -> float:
    """Return seconds of a clock that also runs while the process is stopped or the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
