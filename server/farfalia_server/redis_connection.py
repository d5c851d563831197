"""Connections to Redis, checked once so that what is wrong shows at the start, in one sentence.

No Redis call is ever cancelled: a command that is torn off its connection can leave its reply to the next one. Put
calls that somebody may give up on into tasks of their own and shield them.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError
from redis.exceptions import RedisError as AnyRedisError

from farfalia_server.embedded_redis import OLDEST
from farfalia_server.errors import RedisError

_SCHEMES = ("redis", "rediss", "unix")


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[Redis]:
    """A client for `redis://`, `rediss://` or `unix://`, closed at the end.

    Its reads have no time limit, so that it may block for news; whoever loses the server is told by the
    connection. Raises RedisError if nobody answers there, or who answers is older than 6.2.
    """
    shown = _checked(url)
    client = _client(url, shown)
    try:
        await _check_version(client, shown)
        yield client
    finally:
        await client.aclose()


def _checked(url: str) -> str:
    """The address without its password; RedisError if it is not one of ours."""
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise RedisError(f"redis_url begins with {parts.scheme or url!r}; expected redis://, rediss:// or unix://")
    return re.sub(r"//[^@/]*@", "//", url)


def _client(url: str, shown: str) -> Redis:
    keepalive = {} if url.startswith("unix:") else {"socket_keepalive": True}
    try:
        return Redis.from_url(
            url,
            socket_timeout=None,
            socket_connect_timeout=5,
            retry=Retry(NoBackoff(), 1),  # one new connection at once; whoever calls decides how to wait
            **keepalive,
        )
    except ValueError as error:
        raise RedisError(f"redis_url {shown} is not an address: {error}") from None


async def _check_version(client: Redis, shown: str) -> None:
    try:
        info = await client.info("server")
    except AuthenticationError as error:
        raise RedisError(f"Redis at {shown} refuses our password: {error}") from None
    except (AnyRedisError, OSError, ValueError) as error:
        raise RedisError(f"Redis at {shown} does not answer: {error}") from None
    version = str(info.get("redis_version", "0"))
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise RedisError(f"Redis at {shown} is version {version}; expected {oldest} or later")
