"""Roles, each held by one node of the cluster at a time: what must run once in the cluster runs on that node.

A node keeps a role until it dies or resigns; then any other node takes the role at once. Each time a role is taken its
token grows. Whatever acts for the role writes under its token, so that a node that has lost the role without noticing
is refused: see `RoleFence`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Any, Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.cluster.node import Node, NodeNews
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.contract.errors import StoreError, StoreUnavailable
from farfalia_server.net import redis_keys
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.service import Service

log = structlog.get_logger(__name__)

#: Seconds between two looks at who has the roles; a node that leaves causes one at once.
_LOOK_SECONDS = 1.0
#: Seconds that a fence may take to be raised; a statement whose answer is lost would wait for a minute.
_FENCE_SECONDS = 5.0

#: KEYS: nodes by name, roles. ARGV: name and instance of this node, whether it takes roles, the roles.
#: A role is the instance that has it, its token, and the name of its node; nobody has it whose instance is not alive.
_TAKE = """
local function lives(name, instance)
  local entry = redis.call('HGET', KEYS[1], name)
  return entry and string.sub(entry, 1, 16) == instance
end
local answer = {}
if not lives(ARGV[1], ARGV[2]) then return answer end
for each = 4, #ARGV do
  local role = redis.call('HGET', KEYS[2], ARGV[each]) or '- 0 '
  local instance, token, name = string.match(role, '^(%S+) (%d+) (.*)$')
  if ARGV[3] == '1' and not lives(name, instance) then
    instance, token, name = ARGV[2], string.format('%d', tonumber(token) + 1), ARGV[1]
    redis.call('HSET', KEYS[2], ARGV[each], instance .. ' ' .. token .. ' ' .. name)
  end
  if lives(name, instance) then
    for _, value in ipairs({ARGV[each], instance, token, name}) do table.insert(answer, value) end
  end
end
return answer
"""
#: KEYS: roles. ARGV: role, instance, the token to go on from, whether to keep the role.
_GO_ON = """
local role = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local instance, token, name = string.match(role, '^(%S+) (%d+) (.*)$')
if instance ~= ARGV[2] then return 0 end
if tonumber(ARGV[3]) > tonumber(token) then token = ARGV[3] end
if ARGV[4] ~= '1' then instance = '-' end
redis.call('HSET', KEYS[1], ARGV[1], instance .. ' ' .. token .. ' ' .. name)
return 1
"""


class RoleFence(Protocol):
    """A place that checks tokens: it knows the newest one of each role and refuses older ones."""

    async def raise_to(self, role: str, token: int) -> int:
        """Refuse older tokens of a role from now on, if this one is newer than the newest before, which it returns."""

    def act(self, role: str, token: int) -> None:
        """Make everything that the current context does from now on carry this token."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role that a node holds."""

    node: str
    instance: str
    token: int


class Leadership(Service):
    """The roles of one node; `async with` takes and keeps those that are free, and resigns at the end.

    What runs for a role is an async context manager, entered each time this node gets the role, left when it has lost
    it. `fencing` is where its writes are fenced. `follow` is called before it begins, and what that returns at its end.
    """

    def __init__(
        self,
        redis: Redis,
        database: str,
        registry: NodeRegistry,
        fencing: RoleFence,
        *,
        follow: Callable[[], Callable[[], None]] = lambda: lambda: None,
    ) -> None:
        super().__init__("leadership")
        self._redis = redis
        self._registry = registry
        self._fencing = fencing
        self._follow = follow
        #: By role that this node acts for, what ends following.
        self._unfollow: dict[str, Callable[[], None]] = {}
        self._keys = [redis_keys.NODES(database=database), redis_keys.ROLES(database=database)]
        self._take, self._go_on_from = redis.register_script(_TAKE), redis.register_script(_GO_ON)
        self._services: dict[str, AbstractAsyncContextManager[object]] = {}
        #: The roles that this node has and acts for.
        self._held: dict[str, Role] = {}
        self._roles: dict[str, Role] = {}
        #: Whether this node can do the work of roles; while it cannot, it leaves them to other nodes.
        self.can_work: Callable[[], bool] = lambda: True
        self._resigning = asyncio.Event()
        self._resigned = asyncio.Event()
        self._complained = False

    def lead(self, role: str, service: AbstractAsyncContextManager[object]) -> None:
        """Run `service` while this node has a role; say so before this is entered."""
        self._services[role] = service

    @property
    def roles(self) -> Mapping[str, Role]:
        """The holder of each role, as of the last look."""
        return MappingProxyType(self._roles)

    def has(self, role: str) -> bool:
        """Return whether this node acts for a role."""
        return role in self._held

    async def resign(self) -> None:
        """Give all roles to other nodes, and take none from now on."""
        self._resigning.set()
        self.wake()
        if self._task is not None:
            await self._resigned.wait()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resigning.set()
        await super().__aexit__(kind, error, trace)

    async def _run(self) -> None:
        unlisten = self._registry.listen(self._heard)
        try:
            while not self._stopping:
                self._woken.clear()
                await self._look_carefully()
                await self._goes_on(_LOOK_SECONDS)
            await self._look_carefully()
        finally:
            unlisten()
            self._resigned.set()
            await self._stop(self._held)

    def _heard(self, news: NodeNews, node: Node) -> None:
        self.wake()

    async def _look_carefully(self) -> None:
        try:
            if self._resigning.is_set() and not self._resigned.is_set():
                await self._resign()
            await self._tick()
            if not self.can_work():
                await self._give_away()
        except (RedisError, OSError, StoreError) as error:
            if not self._complained:
                log.warning("service_paused", service=self._service, error=str(error))
            self._complained = True
            if is_worth_a_new_connection(error):
                await self._redis.connection_pool.disconnect(inuse_connections=False)
        else:
            self._complained = False
        if not self._registry.holds:  # somebody else may have them by now
            await self._stop(self._held)

    async def _tick(self) -> None:
        """Take the roles that nobody has, and begin and end what this node does for its own."""
        own = self._registry.own
        takes = "0" if self._resigning.is_set() or not self.can_work() else "1"
        found: list[Any] = await self._take(keys=self._keys, args=[own.name, own.instance, takes, *self._services])
        texts = [part.decode() for part in found]
        self._roles = {
            role: Role(node, instance, int(token))
            for role, instance, token, node in zip(texts[::4], texts[1::4], texts[2::4], texts[3::4], strict=True)
        }
        mine = {name: role for name, role in self._roles.items() if role.instance == own.instance}
        await self._stop([name for name, role in self._held.items() if mine.get(name) != role])
        for name, role in mine.items():
            if name not in self._held and name in self._services and self.can_work():
                await self._start(name, role)

    async def _start(self, name: str, role: Role) -> None:
        raising = asyncio.create_task(self._fencing.raise_to(name, role.token))
        try:
            await asyncio.wait({raising}, timeout=_FENCE_SECONDS)
        finally:
            in_time = not raising.cancel()
        if not in_time:  # another node may do better; whether this fence is raised later does not matter
            raising.add_done_callback(lambda task: task.cancelled() or task.exception())
            await self._go_on_from(keys=self._keys[1:], args=[name, role.instance, role.token, "0"])
            raise StoreUnavailable(f"the fence of the {name} was not raised in {_FENCE_SECONDS:.0f} s")
        newest = raising.result()
        if newest >= role.token:  # Redis has lost what it knew; this role begins again at the next look
            await self._go_on_from(keys=self._keys[1:], args=[name, role.instance, newest, "0"])
            self.wake()
            return
        log.info("role_taken", role=name, token=role.token)
        context = copy_context()
        context.run(self._fencing.act, name, role.token)
        self._unfollow[name] = self._follow()
        try:
            await asyncio.create_task(self._services[name].__aenter__(), context=context)
        except BaseException:
            self._unfollow.pop(name)()
            raise
        self._held[name] = role

    async def _stop(self, names: Mapping[str, Role] | list[str]) -> None:
        """End what this node does for roles."""
        ending = {name: self._held.pop(name) for name in list(names)}
        for name in ending:
            log.info("role_left", role=name)
            self._unfollow.pop(name)()
        await asyncio.gather(*(self._services[name].__aexit__(None, None, None) for name in ending))

    async def _give_away(self) -> None:
        """Give all roles to other nodes, first of all: ending what is done for them may take long."""
        own = self._registry.own.instance
        for name, role in self._roles.items():
            if role.instance == own:
                await self._go_on_from(keys=self._keys[1:], args=[name, own, role.token, "0"])
        await self._stop(self._held)

    async def _resign(self) -> None:
        held = dict(self._held)
        await self._stop(held)
        for name, role in held.items():
            with suppress(RedisError, OSError):  # then the next one waits until this node is gone
                await self._go_on_from(keys=self._keys[1:], args=[name, role.instance, role.token, "0"])
        self._resigned.set()
