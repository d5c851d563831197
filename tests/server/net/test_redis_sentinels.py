"""Addresses of Sentinels, and connections to the primary that they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.redis_sentinels import Sentinels, sentinels

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.net.redis_connection import connect, shown
from farfalia_server.net.redis_pipe import RedisPipe
from farfalia_server.net.redis_sentinels import SentinelAddress


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sentinels]:
    with sentinels(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.mark.parametrize(
    ("url", "hosts", "name", "options", "of_sentinels"),
    [
        ("redis+sentinel://one:1,two:2/arena/3", [("one", 1), ("two", 2)], "arena", {"db": 3}, {}),
        ("redis+sentinel://one/arena", [("one", 26379)], "arena", {"db": 0}, {}),
        (
            "redis+sentinel://me:pass%20word%2F@one,two:2/arena/3?socket_timeout=7&sentinel_password=x%20y",
            [("one", 26379), ("two", 2)],
            "arena",
            {"db": 3, "username": "me", "password": "pass word/", "socket_timeout": 7.0},
            {"password": "x y"},
        ),
        (
            "redis+sentinel://:word@[::1]:1,[::2]/arena/0?sentinel_username=me",
            [("::1", 1), ("::2", 26379)],
            "arena",
            {"db": 0, "password": "word"},
            {"username": "me"},
        ),
        (
            "rediss+sentinel://one:1/arena/0?ssl_ca_certs=/ca.pem",
            [("one", 1)],
            "arena",
            {"db": 0, "ssl": True, "ssl_ca_certs": "/ca.pem"},
            {"ssl": True, "ssl_ca_certs": "/ca.pem"},
        ),
    ],
)
def test_an_address_names_sentinels_primary_and_options(
    url: str, hosts: list[tuple[str, int]], name: str, options: dict[str, Any], of_sentinels: dict[str, Any]
) -> None:
    found = SentinelAddress.parse(url)
    assert list(found.sentinels) == hosts
    assert found.name == name
    assert {key: found.options.get(key) for key in options} == options
    assert found.sentinel_options == of_sentinels


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("redis+sentinel:///arena", "a host is missing"),
        ("redis+sentinel://one:1,,two/arena", "a host is missing"),
        ("redis+sentinel://one:1,two", "it names no primary"),
        ("redis+sentinel://one:port/arena", "port"),
        ("redis+sentinel://one/arena/first", "its database is 'first'; expected a number"),
    ],
)
async def test_an_address_that_is_wrong_is_refused_in_one_sentence(url: str, wrong: str) -> None:
    with pytest.raises(RedisUnavailable, match=rf"^redis_url [^\n]*is not an address: [^\n]*{wrong}[^\n]*$"):
        async with connect(url):
            pass


async def test_an_option_that_redis_does_not_have_is_refused_in_one_sentence(watched: Sentinels) -> None:
    with pytest.raises(RedisUnavailable, match=r"^redis_url [^\n]*has an unknown option: [^\n]*'colour'"):
        async with connect(f"{watched.url}&colour=green"):
            pass


def test_no_password_of_an_address_is_shown() -> None:
    url = "redis+sentinel://me:secret@one:1,two:2/arena/0?sentinel_password=secret&socket_timeout=1"
    assert shown(url) == "redis+sentinel://one:1,two:2/arena/0?sentinel_password=***&socket_timeout=1"


async def test_the_sentinels_lead_to_the_primary_with_every_password(watched: Sentinels) -> None:
    async with connect(watched.url) as redis:
        await redis.set("key", "value")
        pipe = RedisPipe(redis)
        assert await pipe.call("GET", "key") == b"value"
        assert (await redis.info("replication"))["role"] == "master"
        await pipe.aclose()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("/arena/", "/circus/"), "does not know it"),
        (("to%20the%20sentinels", "wrong"), "does not answer: [^;]*(username-password|password)"),
    ],
    ids=["another name", "another password"],
)
async def test_what_each_sentinel_says_is_in_the_sentence(
    watched: Sentinels, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(
        RedisUnavailable, match=rf"^Redis at [^\n]* does not answer: no Sentinel[^\n]*{said}"
    ) as refusal:
        async with connect(watched.url.replace(*change)):
            pass
    assert str(refusal.value).count(": 127.0.0.1:") + str(refusal.value).count("; 127.0.0.1:") == 3
    assert "to the" not in str(refusal.value)
    assert "to%20the" not in str(refusal.value)
