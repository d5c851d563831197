"""Connections to Redis, checked once so that what is wrong shows at the start, in one sentence.

Every command has a time limit: a host that vanishes says nothing, and the kernel waits a quarter of an hour for it. A
command that takes longer loses its connection, so that no reply of it can come to the next one, and is repeated; all
commands of ours may be.

No Redis call is ever cancelled: a command that is torn off its connection can leave its reply to the next one. Put
calls that somebody may give up on into tasks of their own and shield them.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import redis.utils
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, MasterDownError, ReadOnlyError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from farfalia_server.errors import RedisUnavailable
from farfalia_server.net.embedded_redis import OLDEST
from farfalia_server.net.redis_sentinels import SCHEMES, is_sentinel, sentinel_client

#: Seconds that a command may take, and one that waits for news: Docket's longest such read takes 60.
_COMMAND_SECONDS, _READ_SECONDS = 3.0, 65.0
#: Connections of one client at most. Docket holds one for each match that is played, and the client's own limit is 100.
_CONNECTIONS = 25_000
_SCHEMES = ("redis", "rediss", "unix", *SCHEMES)

# The client looks its own version up among all installed packages for each new connection: some milliseconds in which
# the event loop stands still, hundreds of times when as many matches begin. Docket's connections are made by it, too.
redis.utils.get_lib_version = cache(redis.utils.get_lib_version)


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[Redis]:
    """Connect to `redis://`, `rediss://`, `unix://` or Sentinels for the length of the block.

    The client may not block for news.

    Raises RedisUnavailable if nothing answers there, or a Redis older than 6.2.
    """
    _check(url)
    client = _client(url)
    try:
        await _check_version(client, shown(url))
        yield client
    finally:
        await client.aclose()


def blocking(url: str) -> str:
    """Return the same address for somebody else's client that blocks for news: its reads end, if late."""
    # Of an option that is there twice the first one counts.
    return f"{url}{'&' if '?' in url else '?'}socket_timeout={_READ_SECONDS:g}&max_connections={_CONNECTIONS}"


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
        raise RedisUnavailable(f"redis_url {where} has an option that is not known: {error}") from None
    except (RedisError, OSError, ValueError) as error:
        raise RedisUnavailable(f"Redis at {where} does not answer: {error}") from None
    if "cluster" in (info.get("redis_mode"), info.get("server_mode")):
        raise RedisUnavailable(
            f"Redis at {where} is a Redis Cluster, whose keys are in several places; expected one Redis, perhaps with "
            "replicas"
        )
    version = str(info.get("redis_version", "0"))
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise RedisUnavailable(f"Redis at {where} is version {version}; expected {oldest} or later")
