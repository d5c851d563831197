"""Connections to Redis, checked once at the start, so that a mistake shows at once, in one sentence.

Every command has a time limit: if a host vanishes, the kernel waits a quarter of an hour for it. A command that takes
longer loses its connection, so that the next command cannot receive its reply, and is repeated; all our commands may
be repeated.

Never cancel a Redis call: the next command on its connection could receive its reply. Put calls that somebody may give
up on into tasks of their own and shield them.
"""

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import redis.utils
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, MasterDownError, ReadOnlyError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.net.redis_program import OLDEST
from farfalia_server.net.redis_sentinels import SCHEMES, is_sentinel, sentinel_client

#: Seconds that a command may take, a blocking read included.
_COMMAND_SECONDS = 3.0
#: Most connections of one client: one for each command under way. The client's own limit is 100.
_CONNECTIONS = 25_000
_SCHEMES = ("redis", "rediss", "unix", *SCHEMES)

# For each new connection the client looks its own version up among all installed packages, which blocks the event loop
# for some milliseconds.
redis.utils.get_lib_version = cache(redis.utils.get_lib_version)

_send = AbstractConnection.send_packed_command


async def _send_or_lose(
    self: AbstractConnection, command: bytes | str | Iterable[bytes], check_health: bool = True
) -> None:
    """Send a command; raise ConnectionError, as for any lost connection, where uvloop raises a RuntimeError."""
    try:
        await _send(self, command, check_health)
    except RuntimeError as error:
        if "closed" not in str(error):
            raise
        raise RedisConnectionError(f"the connection has closed: {error}") from error


# uvloop refuses to write to a connection that has just closed, for instance while it is made.
AbstractConnection.send_packed_command = _send_or_lose  # type: ignore[method-assign]


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[Redis]:
    """Connect to `redis://`, `rediss://`, `unix://` or Sentinels for the length of the block.

    A blocking read counts as a command: it must end within the time that one may take.

    Raises RedisUnavailable if nothing answers there, or a Redis older than 6.2.
    """
    _check(url)
    client = _client(url)
    try:
        await _check_version(client, shown(url))
        yield client
    finally:
        await client.aclose()


def is_worth_a_new_connection(error: BaseException) -> bool:
    """Return whether the connection is lost, or leads to a server that may not be written to, as after a failover."""
    lost = (RedisConnectionError, RedisTimeoutError, OSError, ReadOnlyError, MasterDownError)
    return isinstance(error, lost) or "READONLY" in str(error)  # which a script may put into words of its own


def shown(url: str) -> str:
    """Return the address without its passwords."""
    return re.sub(r"(password=)[^&]*", r"\1***", re.sub(r"//[^@/]*@", "//", url))


def _check(url: str) -> None:
    """Raise RedisUnavailable if the address is none of Redis."""
    scheme = url.partition(":")[0]
    if scheme not in _SCHEMES:
        raise RedisUnavailable(
            f"redis_url begins with {scheme!r}; expected redis://, rediss://, unix:// or redis+sentinel://"
        )


def _client(url: str) -> Redis:
    options: dict[str, Any] = {
        "socket_timeout": _COMMAND_SECONDS,
        "socket_connect_timeout": _COMMAND_SECONDS,
        "max_connections": _CONNECTIONS,
        "retry": Retry(NoBackoff(), 1),  # one new connection at once; the caller decides how to wait
    }
    if not url.startswith("unix:"):
        options["socket_keepalive"] = True
    try:
        return sentinel_client(url, **options) if is_sentinel(url) else Redis.from_url(url, **options)
    except ValueError as error:
        raise RedisUnavailable(f"redis_url {shown(url)} is not an address: {error}") from None


async def _check_version(client: Redis, where: str) -> None:
    try:
        info = await client.info("server")
    except AuthenticationError as error:
        raise RedisUnavailable(f"Redis at {where} refuses the password: {error}") from None
    except TypeError as error:  # of redis-py, which hands its options on as arguments
        raise RedisUnavailable(f"redis_url {where} has an unknown option: {error}") from None
    except (RedisError, OSError, ValueError) as error:
        raise RedisUnavailable(f"Redis at {where} does not answer: {error}") from None
    if "cluster" in (info.get("redis_mode"), info.get("server_mode")):
        raise RedisUnavailable(
            f"Redis at {where} is a Redis Cluster, which spreads keys over several servers; expected one Redis, "
            "with or without replicas"
        )
    version = str(info.get("redis_version", "0"))
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise RedisUnavailable(f"Redis at {where} is version {version}; expected {oldest} or later")
