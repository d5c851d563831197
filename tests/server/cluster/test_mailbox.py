"""The post between nodes, when Redis is another one than before, or was not there for a while."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.shared_redis import empty_redis

from farfalia_server.cluster import streams
from farfalia_server.cluster.mailbox import Mailbox
from farfalia_server.net.redis_connection import connect

MAILBOX = "farfalia:arena:node:two:in"
#: An entry of a primary whose clock was far ahead.
AHEAD = "99999999999999-0"


async def test_post_arrives_from_a_new_primary_whose_clock_is_behind_that_of_the_old_one() -> None:
    heard: list[bytes] = []
    async with empty_redis() as url, connect(url) as redis:
        sender = Mailbox(redis, "arena", "one", lambda node, data: None)
        receiver = Mailbox(redis, "arena", "two", lambda node, data: heard.append(data))
        async with sender, receiver, asyncio.timeout(60):
            await redis.xadd(MAILBOX, {"from": "one", "items": "early"}, id=AHEAD)
            while not heard:
                await asyncio.sleep(0.01)
            await redis.delete(MAILBOX)
            await redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")  # type: ignore[no-untyped-call]
            while heard == [b"early"]:
                sender.send("two", b"late")  # again and again, as senders do with what matters
                await asyncio.sleep(0.05)


async def test_of_what_waits_while_redis_cannot_be_reached_the_newest_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MOST_BYTES", 100)
    heard: list[bytes] = []
    async with empty_redis() as url, connect(url) as redis:
        sender = Mailbox(redis, "arena", "one", lambda node, data: None)
        for number in range(1000):
            sender.send("two", b"%10d" % number)
        receiver = Mailbox(redis, "arena", "two", lambda node, data: heard.append(data))
        async with receiver, sender, asyncio.timeout(60):
            while not heard:
                await asyncio.sleep(0.01)
    assert heard == [b"".join(b"%10d" % number for number in range(990, 1000))]
