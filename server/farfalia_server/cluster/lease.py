"""One server (or cluster) for each database and each Redis database: the running server keeps renewing its lease.

Two servers would both play what is queued, each without the bots that are connected to the other. So a server writes
its name into both places before it does anything else, and renews it every few seconds. If a name is not renewed for a
whole lease, its server is dead and may be replaced; on the same machine a dead process is known at once. (When a node
of a cluster counts as dead is in `cluster.node_entries`.) A server that finds another's name in place of its own was
taken for dead, and exits; a node of a cluster exits only if the other one is alive and no node of its cluster.

The nodes of one cluster share both places: each may overwrite the name of another.

Renewing the lease also shows whether the database and Redis can be written to.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.contract.errors import AnotherServer, RedisUnavailable, StoreError
from farfalia_server.net import redis_keys
from farfalia_server.net.redis_connection import is_worth_a_new_connection, shown
from farfalia_server.net.service import Service

log = structlog.get_logger(__name__)

#: Seconds without renewal after which a server is dead, and seconds between two renewals.
_SERVER_LEASE_SECONDS, _RENEWAL_SECONDS = 6.0, 2.0
#: Seconds from one look to the next at what another server or node should write meanwhile.
LOOK_SECONDS: Final = 0.25
#: Seconds that writing it may take before the place counts as not answering.
_TIMEOUT_SECONDS = 5.0
#: The name's key in the database; `redis_keys.SERVER` is the one in Redis.
LEASE_KEY = "server"

#: KEYS: the name's key. ARGV: what should be there, empty for nothing; what shall be there, empty for nothing.
_REPLACE = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1
"""


class LeasePlace(Protocol):
    """A place that keeps a name; raises StoreError, redis-py's RedisError, or OSError if it is unreachable."""

    #: As part of a sentence.
    address: str
    #: As the name of a part of the server.
    part: str

    async def read(self) -> str:
        """Return what is there; empty for nothing."""

    async def replace(self, old: str, new: str) -> bool:
        """Write it if the old one is still there; empty for nothing."""


class RedisLeasePlace:
    """The name in Redis."""

    part = "redis lease"

    def __init__(self, redis: Redis, url: str) -> None:
        self._redis = redis
        self._replace = redis.register_script(_REPLACE)
        self.address = f"Redis at {shown(url)}"

    async def read(self) -> str:
        """Return what is there."""
        found: Any = await self._redis.get(redis_keys.SERVER())
        return "" if found is None else str(found, "utf-8", "replace")

    async def replace(self, old: str, new: str) -> bool:
        """Write it if the old one is still there."""
        try:
            return bool(await self._replace(keys=[redis_keys.SERVER()], args=[old, new]))
        except RedisError as error:
            if is_worth_a_new_connection(error):
                await self._redis.connection_pool.disconnect(inuse_connections=False)
            raise


@dataclass(frozen=True, slots=True)
class Holder:
    """Who is there. `machine` is empty where processes of it cannot be looked up for certain."""

    node: str
    host: str
    pid: int
    machine: str
    started: str
    mark: str
    beat: int = 0

    @classmethod
    def own(cls, node: str) -> Holder:
        """Return the one of this process."""
        pid = os.getpid()
        return cls(node, socket.gethostname(), pid, _machine(), _started(pid), secrets.token_hex(8))

    @classmethod
    def parse(cls, text: str) -> Holder | None:
        """Return what `str` made, without what only other versions say; None for anything else."""
        try:
            values = json.loads(text)
            return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})
        except (ValueError, TypeError):
            return None

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @property
    def process(self) -> Holder:
        """The same for as long as its process lives, whatever its mark."""
        return replace(self, mark="", beat=0)

    @property
    def is_alive(self) -> bool | None:
        """Whether its process lives; None if this machine cannot tell."""
        if not self.machine or self.machine != _machine():
            return None
        return _started(self.pid) == self.started


async def alone(other: Holder) -> bool:
    """Return False: a server that plays alone shares its lease with no other."""
    return False


class ServerLease(Service):
    """The name of this server in one place; `async with` writes it, keeps it there and removes it.

    `shares` says whether this server shares the place with another one; it raises RedisUnavailable if Redis does not
    say. Raises AnotherServer if there is another one that lives.
    """

    def __init__(self, place: LeasePlace, own: Holder, shares: Callable[[Holder], Awaitable[bool]] = alone) -> None:
        super().__init__(place.part)
        self._place = place
        self._name = own
        self._shares = shares
        self._problem = ""
        self._asking_since = 0.0

    @property
    def problem(self) -> str:
        """Why the place cannot be written to, a sentence; empty if it can."""
        if self._asking_since:
            seconds = asyncio.get_running_loop().time() - self._asking_since
            if seconds > _TIMEOUT_SECONDS:
                return f"{self._place.address} does not answer: nothing for {seconds:.0f} s"
        return self._problem

    @property
    def beat(self) -> int:
        """How often the name was written, as far as it is known; 0 before the first time."""
        return self._name.beat

    async def __aenter__(self) -> Self:
        self._name = replace(self._name, beat=1)
        found = await self._wait_out_dead_server(await self._place.read())
        while not await self._place.replace(found, str(self._name)):
            found = await self._place.read()
            if found and not await self._is_shared(found):
                raise self._another_server(found)
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            with contextlib.suppress(StoreError, RedisError, OSError):  # then the next one waits for a lease
                await self._place.replace(str(self._name), "")

    async def _wait_out_dead_server(self, found: str) -> str:
        """Return what may be replaced: the name that was found, once its server is known to be dead, or nothing."""
        name = Holder.parse(found) if found else None
        if await self._is_shared(found):
            return found
        alive = name.is_alive if name is not None else None
        if alive:
            raise self._another_server(found)
        if not found or alive is False:
            return found
        log.info(
            "lease_held",
            address=self._place.address,
            node=name.node if name is not None else "",
            seconds=_SERVER_LEASE_SECONDS,
        )
        end = asyncio.get_running_loop().time() + _SERVER_LEASE_SECONDS
        while asyncio.get_running_loop().time() < end:
            await asyncio.sleep(LOOK_SECONDS)
            now = await self._place.read()
            if not now or await self._is_shared(now):
                return now
            if now != found:
                raise self._another_server(now)
        return found

    async def _is_shared(self, found: str) -> bool:
        name = Holder.parse(found)
        return name is not None and await self._shares(name)

    def _another_server(self, found: str) -> AnotherServer:
        name = Holder.parse(found)
        who = f"node {name.node}, process {name.pid} on {name.host}" if name is not None else "its name is not readable"
        return AnotherServer(
            f"another server uses {self._place.address}: {who}; stop that one, name another database and another "
            "Redis, or let both play together: with the same --database-url and the same --redis-url"
        )

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while await self._goes_on(_RENEWAL_SECONDS):
            self._asking_since = loop.time()
            try:
                await self._renew()
            except (StoreError, RedisUnavailable) as error:
                self._complain(str(error))
            except (RedisError, OSError) as error:
                self._complain(f"{self._place.address} does not answer: {error}")
            else:
                self._problem = ""
            finally:
                self._asking_since = 0.0

    def _complain(self, text: str) -> None:
        if not self._problem:
            log.warning("heartbeat_failed", error=text)
        self._problem = text

    async def _renew(self) -> None:
        name = replace(self._name, beat=self._name.beat + 1)
        if await self._place.replace(str(self._name), str(name)):
            self._name = name
            return
        found = await self._place.read()
        other = Holder.parse(found)
        if other is not None and other.mark == name.mark:  # an earlier try got through without our hearing of it
            self._name = other
        elif await self._is_shared(found):
            if await self._place.replace(found, str(name)):  # otherwise a third one was quicker, which is as good
                self._name = name
        elif found and self._shares is alone:
            raise self._another_server(found)
        elif found:
            # Perhaps a node that came and died while Redis could not be reached, or had lost everything.
            dead = await self._wait_out_dead_server(found)
            if await self._place.replace(dead, str(name)):
                self._name = name
        elif await self._place.replace("", str(name)):  # a Redis that has lost everything
            self._name = name


def _machine() -> str:
    """Return this boot of this machine, and within it those processes that see each other; empty where nobody tells."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    """Return when a process started, in ticks since the boot, so that its number is not taken for another's;
    empty if gone.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]
