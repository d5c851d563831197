"""The journal on a real Redis: order, fencing, and what happens when Redis is unreachable."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from redis.asyncio import Redis
from tests.server.play.journal_writer import Writer, append, append_all
from tests.server.shared_redis import empty_redis

from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.redis_connection import connect
from farfalia_server.play.journal import EarlierPlay, Journal, JournalCorrupt

DATABASE = "0123456789abcdef"


@pytest.fixture(params=["the one on the PATH", "the one that comes with the package"])
def search_path(request: pytest.FixtureRequest) -> str | None:
    """Where the embedded Redis is looked for: scripts must mean the same to Redis and to Valkey."""
    return None if "PATH" in request.param else "/nowhere"


@pytest.fixture
async def redis(search_path: str | None) -> AsyncIterator[Redis]:
    async with empty_redis(search_path) as url, connect(url) as redis:
        yield redis


@pytest.fixture
async def journal(redis: Redis) -> AsyncIterator[Journal]:
    async with Journal(redis, DATABASE) as journal:
        yield journal


async def test_many_matches_share_one_call_and_keep_their_own_entries(journal: Journal, redis: Redis) -> None:
    for match in range(1, 51):
        await journal.claim(match, 1, "node")
    calls = (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"]
    written = await asyncio.gather(*(append(journal, Writer(match), 1, b"%d" % match) for match in range(1, 51)))
    assert all(written)
    assert (await redis.info("commandstats"))["cmdstat_evalsha"]["calls"] - calls < 5
    for match in range(1, 51):
        assert await journal.read(match, 1) == [b"%d" % match]


async def test_a_redis_that_was_emptied_does_not_know_the_claims_from_before(journal: Journal, redis: Redis) -> None:
    await journal.claim(7, 2, "node")
    assert await journal.knows(7, 2, "node")
    await redis.flushall()
    assert (await journal.claim(7, 1, "late")).epoch == 0
    assert (await journal.claim(7, 2, "late")).epoch == 1
    assert not await journal.knows(7, 2, "node")
    assert await journal.knows(7, 1, "late")


async def test_a_key_that_holds_something_else_ends_its_table_and_no_other(journal: Journal, redis: Redis) -> None:
    await journal.claim(7, 1, "node")
    await journal.claim(8, 1, "node")
    await redis.set(f"farfalia:{DATABASE}:match:7:1:log", "no stream")
    writer = Writer(7)
    journal.append(writer, 1, b"entry 1")
    assert await append(journal, Writer(8), 1)
    assert isinstance(await writer.failed, JournalCorrupt)


@pytest.mark.parametrize("lost", [1, 3, 5])
async def test_entries_that_redis_has_lost_are_written_again(journal: Journal, redis: Redis, lost: int) -> None:
    """As after a failover to a replica that had not heard of the newest entries."""

    await journal.claim(7, 1, "node")
    writer, key = Writer(7), f"farfalia:{DATABASE}:match:7:1:log"
    await append_all(journal, writer, 5)
    kept = writer.payloads(5 - lost)
    await redis.delete(key)
    for number, payload in enumerate(kept, start=1):
        await redis.xadd(key, {"e": payload}, id=f"{number}-0")
    with structlog.testing.capture_logs() as logged:
        assert all(await asyncio.gather(append(journal, writer, 6), append(journal, writer, 7)))
    assert await journal.read(7, 1) == writer.payloads(7)
    assert [line["event"] for line in logged] == ["journal_repaired"]


async def test_a_journal_with_an_entry_missing_is_not_read_nor_written_on(journal: Journal, redis: Redis) -> None:
    await journal.claim(7, 1, "node")
    writer = Writer(7)
    await append_all(journal, writer, 5)
    await redis.xdel(f"farfalia:{DATABASE}:match:7:1:log", "3-0")
    with pytest.raises(JournalCorrupt, match="entry 3 of the journal is missing; entry 4-0 stands there"):
        await journal.read(7, 1)
    journal.append(writer, 6, b"entry 6")
    with pytest.raises(JournalCorrupt, match="lacks entries before this one"):
        raise await writer.failed


async def test_an_answer_of_the_wrong_length_is_not_believed(
    journal: Journal, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server gives one; a reply that belongs to another command might look like this."""

    await journal.claim(7, 1, "node")
    call, short = journal._pipe.call, [[1, 1], b"OK"]

    async def call_short(*arguments: str | int | bytes) -> object:
        reply = await call(*arguments)
        return short.pop() if short and isinstance(reply, list) else reply

    monkeypatch.setattr(journal._pipe, "call", call_short)
    await append_all(journal, Writer(7), 3)
    assert not short
    assert await journal.read(7, 1) == Writer(7).payloads(3)


async def test_databases_on_one_redis_do_not_see_each_others_matches(journal: Journal, redis: Redis) -> None:
    async with Journal(redis, "89abcdef01234567") as other:
        await journal.claim(7, 1, "node")
        assert await other.claim(7, 1, "node") == EarlierPlay()
        await append_all(journal, Writer(7), 2)
        assert await append(other, Writer(7), 1, b"of another match")
        assert await other.read(7, 1) == [b"of another match"]
        assert await journal.read(7, 1) == [b"entry 1", b"entry 2"]


async def test_the_sweep_deletes_what_is_left_of_matches_that_are_over(journal: Journal, redis: Redis) -> None:
    async def attempts(matches: Sequence[int]) -> dict[int, int]:
        return {match: 2 for match in matches if match % 2 == 0}

    for match in range(1, 1201):
        await journal.claim(match, 1, "node")
    await append_all(journal, Writer(7), 2)
    await append_all(journal, Writer(8), 2)
    await append_all(journal, Writer(8, attempt=2), 1)
    await redis.set("farfalia:another:match:7:own", "1")
    assert await journal.sweep(attempts) == 600 + 2  # odd matches, the log of match 7, the first one of match 8
    left = {f"farfalia:{DATABASE}:match:{match}:own" for match in range(2, 1201, 2)}
    left |= {f"farfalia:{DATABASE}:match:8:2:log", "farfalia:another:match:7:own"}
    left |= {f"farfalia:{DATABASE}:finished:{match}" for match in (7, 8)}
    assert set(await redis.keys("*")) == {key.encode() for key in left}


async def test_a_redis_that_is_unreachable_for_a_moment_loses_nothing(journal: Journal, redis: Redis) -> None:
    await journal.claim(7, 1, "node")
    assert await append(journal, Writer(7), 1, b"before")
    await redis.client_pause(300)
    await redis.client_kill_filter(_type="normal", skipme=False)
    assert await append(journal, Writer(7), 2, b"after")
    assert await journal.read(7, 1) == [b"before", b"after"]


async def test_a_node_that_may_have_been_taken_for_dead_writes_nothing_until_it_knows(redis: Redis) -> None:
    node = SimpleNamespace(holds=True, instance="one")
    async with Journal(redis, DATABASE, owner=node) as journal:
        await journal.claim(7, 1, "node")
        assert await append(journal, Writer(7), 1, b"mine")
        node.holds = False
        waiting = asyncio.create_task(append(journal, Writer(7), 2, b"after a pause"))
        await asyncio.sleep(0.2)
        assert await journal.read(7, 1) == [b"mine"]
        node.holds = True
        assert await waiting
        node.holds = False
        waiting = asyncio.create_task(append(journal, Writer(7), 3, b"of one that was dead"))
        await asyncio.sleep(0.1)
        node.holds, node.instance = True, "two"
        assert not await waiting
        assert await append(journal, Writer(7), 3, b"of one that lives")
        assert await journal.read(7, 1) == [b"mine", b"after a pause", b"of one that lives"]


async def test_a_redis_that_stands_still_is_left_after_a_while_and_each_entry_stands_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.net.redis_connection._COMMAND_SECONDS", 1.0)

    async with (
        EmbeddedRedis(tmp_path) as embedded,
        connect(embedded.url) as redis,
        Journal(redis, DATABASE) as journal,
    ):
        await journal.claim(7, 1, "node")
        assert await append(journal, Writer(7), 1, b"before")
        process = (await redis.info("server"))["process_id"]
        os.kill(process, signal.SIGSTOP)
        try:
            with structlog.testing.capture_logs() as logged:
                waiting = asyncio.create_task(append(journal, Writer(7), 2, b"meanwhile"))
                reading = asyncio.create_task(journal.read(7, 1))
                while {line["what"] for line in logged} != {"append", "read"}:
                    await asyncio.sleep(0.01)
            assert {line["event"] for line in logged} == {"redis_unreachable"}
        finally:
            os.kill(process, signal.SIGCONT)
        assert await waiting
        assert (await reading)[0] == b"before"
        assert await append(journal, Writer(7), 3, b"after")
        assert await journal.read(7, 1) == [b"before", b"meanwhile", b"after"]


async def test_after_a_failover_the_new_server_is_looked_up_at_the_same_address(tmp_path: Path) -> None:
    async with (
        EmbeddedRedis(tmp_path / "old") as old,
        EmbeddedRedis(tmp_path / "new") as new,
        connect(old.url) as redis,
        connect(new.url) as promoted,
        Journal(redis, DATABASE) as journal,
    ):
        await journal.claim(7, 1, "node")
        assert await append(journal, Writer(7), 1, b"before")
        for key in await redis.keys("*"):  # as replication would have brought them
            await promoted.restore(key, 0, await redis.dump(key) or b"")
        (tmp_path / "new" / "redis.sock").replace(tmp_path / "old" / "redis.sock")
        await redis.slaveof("127.0.0.1", 1)
        assert await append(journal, Writer(7), 2, b"after")
        assert (await journal.claim(7, 2, "node")).epoch == 1
        assert await journal.read(7, 1) == [b"before", b"after"]
        assert await promoted.xlen(f"farfalia:{DATABASE}:match:7:1:log") == 2
