"""A Redis whose Sentinels know its primary, at the start and after every failover.

Every new connection asks the Sentinels first. So a failover is like any other lost connection: the caller tries again
and is led to the new primary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

SCHEMES = ("redis+sentinel", "rediss+sentinel")
_PORT = 26379
#: Seconds that a Sentinel may take: its host may have died with the primary, and the next one knows as much.
_SENTINEL_SECONDS = 1.0
_URL = re.compile(r"(?P<scheme>[^:]+)://(?:(?P<user>[^/?]*)@)?(?P<hosts>[^/?@]*)(?P<path>[^?]*)(?:\?(?P<query>.*))?")


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """What `redis+sentinel://user:password@host:port,host:port/name/database?options` says; `rediss` for TLS.

    `options` are for connections to the primary, `sentinel_options` for those to the Sentinels.
    """

    sentinels: tuple[tuple[str, int], ...]
    name: str
    options: dict[str, Any]
    sentinel_options: dict[str, Any]

    @classmethod
    def parse(cls, url: str) -> SentinelAddress:
        """Return the parts of an address; ValueError, with what is wrong, if it is none."""
        found = _URL.fullmatch(url)
        if found is None:
            raise ValueError("it has no hosts")
        sentinels = tuple(_host_and_port(member) for member in found["hosts"].split(","))
        name, _, database = found["path"].strip("/").partition("/")
        if not name:
            raise ValueError("it names no primary; expected redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE")
        if database and not database.isdecimal():
            raise ValueError(f"its database is {database!r}; expected a number")
        user = f"{found['user']}@" if found["user"] else ""
        # redis-py reads user, password and options here as it does in any address.
        options: dict[str, Any] = dict(parse_url(f"redis://{user}/{database or 0}?{found['query'] or ''}"))
        sentinel_options = {
            kind: options.pop(f"sentinel_{kind}") for kind in ("username", "password") if f"sentinel_{kind}" in options
        }
        if found["scheme"] == "rediss+sentinel":
            options["ssl"] = True
            sentinel_options |= {key: value for key, value in options.items() if key.startswith("ssl")}
        return cls(sentinels, name, options, sentinel_options)


class Sentinels(Sentinel):
    """Sentinels that are asked one after the other, each for a second at most."""

    def __init__(
        self, sentinels: Sequence[tuple[str, int]], *, sentinel_kwargs: dict[str, Any] | None = None, **more: Any
    ) -> None:
        limits = {
            "socket_timeout": _SENTINEL_SECONDS,
            "socket_connect_timeout": _SENTINEL_SECONDS,
            "retry": Retry(NoBackoff(), 0),
        }
        super().__init__(sentinels, sentinel_kwargs={**limits, **(sentinel_kwargs or {})}, **more)  # type: ignore[no-untyped-call]
        self._names = ", ".join(f"{host}:{port}" for host, port in sentinels)

    async def discover_master(self, service_name: str) -> Any:
        """Return host and port of the primary; MasterNotFoundError, which is a ConnectionError, if nobody knows it."""
        said: dict[str, str] = {}
        for sentinel in tuple(self.sentinels):
            options = sentinel.connection_pool.connection_kwargs
            where = f"{options['host']}:{options['port']}"
            try:
                primaries: Any = await sentinel.sentinel_masters()
            except (RedisError, OSError) as error:
                said[where] = f"{where} does not answer: {error}"
                continue
            state = primaries.get(service_name)
            if state is None:
                said[where] = f"{where} does not know it"
            elif not self.check_master_state(state, service_name):
                said[where] = f"{where} takes it for down"
            else:
                self.sentinels.sort(key=lambda one: one is not sentinel)  # the next question begins here
                return state["ip"], state["port"]
        raise MasterNotFoundError(f"no Sentinel knows a primary named {service_name}: {'; '.join(said.values())}")


class _Pool(SentinelConnectionPool):
    async def aclose(self) -> None:
        await super().aclose()
        for sentinel in self.sentinel_manager.sentinels:
            await sentinel.aclose()


def is_sentinel(url: str) -> bool:
    """Return whether an address is of Sentinels."""
    return url.partition("://")[0] in SCHEMES


def sentinel_client(url: str, **options: Any) -> Redis:
    """Return a client of the primary that the Sentinels at this address name; ValueError if it is none.

    Options in the address override `options`, as with every other address.
    """
    address = SentinelAddress.parse(url)
    sentinels = Sentinels(address.sentinels, sentinel_kwargs=address.sentinel_options)
    return Redis.from_pool(_Pool(address.name, sentinels, **{**options, **address.options}))  # type: ignore[no-untyped-call]


def _host_and_port(member: str) -> tuple[str, int]:
    parts = urlsplit(f"//{member}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or _PORT
