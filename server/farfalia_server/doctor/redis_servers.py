"""Whether Redis can be reached, and keeps what it is given."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from redis.exceptions import RedisError

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.doctor.clock import check_clock
from farfalia_server.doctor.finding import Finding
from farfalia_server.doctor.redis_access import look_at_access, look_at_door
from farfalia_server.net.embedded_redis import wrote_last
from farfalia_server.net.redis_connection import connect, shown
from farfalia_server.net.redis_program import choose_redis
from farfalia_server.net.redis_sentinels import SentinelAddress, is_sentinel
from farfalia_server.settings import Settings

#: Sentinels that can agree on a failover when one of them has died with the primary.
_FEW_SENTINELS = 3


async def check_redis(settings: Settings) -> AsyncIterator[Finding]:
    """Say how the Redis is that is named, or that there is a program for one of our own."""
    if not settings.redis_url:
        try:
            wrote = wrote_last(settings.redis_dir)
            program, why = choose_redis(wrote)
        except RedisUnavailable as error:
            yield Finding.problem("redis", error, "Do one of these.")
            return
        if why:
            yield Finding.ok("redis", f"The server starts its own: {program.path} ({program}), since {why}.")
        else:
            yield Finding.warning(
                "redis",
                f"{program.path} ({program}) cannot open the data in {settings.redis_dir}, which {wrote} wrote; the "
                "server would set it aside and play open matches again.",
                f"Install {wrote} or later before you start it.",
            )
        return
    where = f"Redis at {shown(settings.redis_url)}"
    try:
        async with connect(settings.redis_url) as client:
            info: Mapping[str, Any] = await client.info()
            before = time.time()
            seconds, microseconds = await client.time()
            after = time.time()
            door = await look_at_door(where, settings.redis_url, client)
    except RedisUnavailable as error:
        yield Finding.problem("redis", error, "Start Redis, or correct redis_url.")
        return
    except (RedisError, OSError) as error:
        yield Finding.problem("redis", f"{where} does not answer: {error}.", "Start Redis, or correct redis_url.")
        return
    found = [*look_at_access(where, settings.redis_url), *door, *_tick(where, info)]
    if is_sentinel(settings.redis_url):
        found += _look_at_failover(where, settings.redis_url, info)
    for finding in found or [Finding.ok("redis", f"{where} is version {info['redis_version']} and keeps its data.")]:
        yield finding
    yield check_clock("redis", before, seconds + microseconds / 1e6, after)


def _tick(where: str, info: Mapping[str, Any]) -> Iterator[Finding]:
    if info.get("role") != "master":
        yield Finding.problem("redis", f"{where} is a replica.", "Name the primary in redis_url.")
    if not info.get("aof_enabled"):
        yield Finding.warning(
            "redis",
            f"{where} has no append-only file; if it restarts, open matches are void and played again.",
            "Set appendonly to yes.",
        )
    if info.get("aof_last_write_status", "ok") != "ok":
        yield Finding.problem(
            "redis", f"{where} cannot write its append-only file.", "Check its log and the free space on its disk."
        )
    policy, most = info.get("maxmemory_policy", "noeviction"), int(info.get("maxmemory", 0))
    if policy != "noeviction":
        text = f"{where} deletes data when its memory is full: its maxmemory-policy is {policy}."
        make = Finding.problem if most else Finding.warning
        yield make("redis", text, "Set maxmemory-policy to noeviction.")
    if most and int(info.get("used_memory", 0)) > 0.9 * most:
        yield Finding.warning("redis", f"{where} uses more than 90 % of its maxmemory.", "Raise maxmemory.")


def _look_at_failover(where: str, url: str, info: Mapping[str, Any]) -> Iterator[Finding]:
    if len(SentinelAddress.parse(url).sentinels) < _FEW_SENTINELS:
        yield Finding.warning(
            "redis",
            f"redis_url names fewer than {_FEW_SENTINELS} Sentinels.",
            "Name all of them: a server that starts must find one that is alive.",
        )
    if not info.get("connected_slaves"):
        yield Finding.warning("redis", f"{where} has no replica that could replace it.", "Start a replica.")
