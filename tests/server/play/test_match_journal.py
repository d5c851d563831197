"""What every journal of matches promises: the one in Redis, and those in memory that tests use in its place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import pytest
import structlog
from tests.server.play.journal_writer import Writer, append, append_all
from tests.server.shared_redis import empty_redis

from farfalia_server.net.redis_connection import connect
from farfalia_server.play.journal import EarlierPlay, Journal, JournalCorrupt, JournalLost
from farfalia_server.play.match_journal import MatchJournal
from farfalia_tools.testing import MemoryJournal, MemoryRedis


@asynccontextmanager
async def in_memory() -> AsyncIterator[MatchJournal]:
    yield MemoryJournal()


@asynccontextmanager
async def in_redis(search_path: str | None) -> AsyncIterator[MatchJournal]:
    async with empty_redis(search_path) as url, connect(url) as redis, Journal(redis, "test") as journal:
        yield journal


@asynccontextmanager
async def in_redis_in_memory() -> AsyncIterator[MatchJournal]:
    redis = MemoryRedis().client()
    async with Journal(redis, "test", redis) as journal:
        yield journal


#: Scripts must mean the same to the Redis on the PATH and to the Valkey of the package.
JOURNALS: dict[str, Callable[[], AbstractAsyncContextManager[MatchJournal]]] = {
    "memory": in_memory,
    "redis": partial(in_redis, None),
    "valkey": partial(in_redis, "/nowhere"),
    "redis in memory": in_redis_in_memory,
}


@pytest.fixture(params=JOURNALS.values(), ids=list(JOURNALS))
async def journal(request: pytest.FixtureRequest) -> AsyncIterator[MatchJournal]:
    made: AbstractAsyncContextManager[MatchJournal] = request.param()
    async with made as journal:
        yield journal


async def test_entries_are_read_as_they_were_written_each_attempt_by_itself(journal: MatchJournal) -> None:
    await journal.claim(7, 1, "node")
    await journal.claim(8, 1, "node")
    await append_all(journal, Writer(7), 3)
    assert await append(journal, Writer(7, attempt=2), 1, b"again")
    assert await append(journal, Writer(8), 1, b"another match")
    assert await journal.read(7, 1) == [b"entry 1", b"entry 2", b"entry 3"]
    assert [*await journal.read(7, 2), *await journal.read(8, 1)] == [b"again", b"another match"]
    assert await journal.read(9, 1) == []


async def test_the_highest_epoch_owns_a_match_and_no_other_writes(journal: MatchJournal) -> None:
    assert (await journal.claim(7, 2, "node")).epoch == 0
    assert await append(journal, Writer(7, 2), 1, b"mine")
    assert (await journal.claim(7, 3, "node")).epoch == 2
    assert not await append(journal, Writer(7, 2), 2)
    assert (await journal.claim(7, 1, "node")).epoch == 3
    assert not await append(journal, Writer(7, 1), 2)
    assert await append(journal, Writer(7, 3), 2, b"the new owner's")
    assert await journal.read(7, 1) == [b"mine", b"the new owner's"]


async def test_each_claim_is_known_with_its_epoch_and_its_node_until_the_match_is_over(journal: MatchJournal) -> None:
    await journal.claim(7, 2, "north@1")
    await journal.claim(7, 1, "south@1")
    await journal.forget(7, 1)
    assert await journal.knows(7, 2, "north@1")
    assert await journal.knows(7, 1, "south@1")
    for epoch, node in [(1, "north@1"), (2, "south@1"), (2, "north@2")]:
        assert not await journal.knows(7, epoch, node)
    await journal.claim(7, 3, "")  # whose entries are to be written again first
    assert not await journal.knows(7, 3, "")
    assert (await journal.claim(7, 3, "north@1")).epoch == 3
    await journal.drop(7, 1)
    assert not await journal.knows(7, 2, "north@1")


async def test_a_match_that_nobody_has_claimed_is_lost_and_no_other(journal: MatchJournal) -> None:
    await journal.claim(8, 1, "node")
    writer = Writer(7)
    journal.append(writer, 1, b"entry 1")
    assert await append(journal, Writer(8), 1)
    error = await writer.failed
    assert isinstance(error, JournalLost)
    assert str(error) == "entry 1 cannot be written: redis does not know the match"


async def test_a_match_of_which_only_an_earlier_claim_is_known_is_lost(journal: MatchJournal) -> None:
    await journal.claim(7, 1, "node")
    writer = Writer(7, 2)
    journal.append(writer, 1, b"entry 1")
    error = await writer.failed
    assert isinstance(error, JournalLost)
    assert str(error) == "entry 1 cannot be written: redis does not know this claim of the match"


async def test_an_entry_stands_once_and_another_one_in_its_place_is_refused(journal: MatchJournal) -> None:
    await journal.claim(7, 1, "node")
    await journal.claim(8, 1, "node")
    for _ in range(2):
        await append_all(journal, Writer(7), 2)
    writer = Writer(7)
    journal.append(writer, 1, b"another")
    assert await append(journal, Writer(8), 1)
    with pytest.raises(
        JournalCorrupt, match=r"^entry 1 cannot be written: the journal has another entry in its place$"
    ):
        raise await writer.failed
    assert await journal.read(7, 1) == [b"entry 1", b"entry 2"]


async def test_entries_that_lack_are_taken_from_their_author(journal: MatchJournal) -> None:
    await journal.claim(7, 1, "node")
    with structlog.testing.capture_logs() as logged:
        written = await asyncio.gather(append(journal, Writer(7), 3), append(journal, Writer(7), 4))
    assert all(written)
    assert await journal.read(7, 1) == Writer(7).payloads(4)
    assert [line["event"] for line in logged] == ["journal_repaired"]


async def test_an_author_that_cannot_give_what_lacks_has_a_gap(journal: MatchJournal) -> None:
    class Forgetful(Writer):
        def payloads(self, count: int) -> list[bytes]:
            raise LookupError

    await journal.claim(7, 1, "node")
    writer = Forgetful(7)
    with structlog.testing.capture_logs():
        journal.append(writer, 2, b"entry 2")
        error = await writer.failed
    assert isinstance(error, JournalCorrupt)
    assert str(error) == "entry 2 cannot be written: the journal lacks entries before this one"
    assert await journal.read(7, 1) == []


async def test_what_waits_for_a_flush_comes_once_all_are_told_that_share_a_call(journal: MatchJournal) -> None:
    told: list[str] = []
    flushed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    class First(Writer):
        def written(self, number: int, ok: bool) -> None:
            told.append("written")
            journal.after_flush(lambda: told.append("flushed"))

    class Second(Writer):
        def written(self, number: int, ok: bool) -> None:
            journal.after_flush(lambda: flushed.set_result(None))

    journal.after_flush(lambda: told.append("no call is reported"))
    await asyncio.sleep(0)
    assert told == ["no call is reported"]
    for match in (7, 8):
        await journal.claim(match, 1, "node")
    for match in (7, 8):
        journal.append(First(match), 1, b"entry 1")
    journal.append(Second(7), 2, b"entry 2")
    await flushed
    assert told == ["no call is reported", "written", "written", "flushed", "flushed"]


async def test_an_error_of_a_table_or_of_what_waits_ends_nothing_else(journal: MatchJournal) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    class Failing(Writer):
        def written(self, number: int, ok: bool) -> None:
            fail()

    class FailingLater(Writer):
        def written(self, number: int, ok: bool) -> None:
            journal.after_flush(fail)

    await journal.claim(7, 1, "node")
    await journal.claim(8, 1, "node")
    writer = Failing(7)
    with structlog.testing.capture_logs() as logged:
        journal.append(writer, 1, b"entry 1")
        journal.append(FailingLater(8), 1, b"entry 1")
        assert await append(journal, Writer(8), 2)
    assert isinstance(await writer.failed, ZeroDivisionError)
    assert [line["event"] for line in logged] == ["entry_report_failed", "after_flush_failed"]


async def test_void_attempts_are_forgotten_and_a_match_that_is_over_is_dropped(journal: MatchJournal) -> None:
    await journal.claim(7, 3, "node")
    for attempt in (1, 2, 3):
        await append_all(journal, Writer(7, 3, attempt), attempt)
    await journal.forget(7, 2)
    assert [len(await journal.read(7, attempt)) for attempt in (1, 2, 3)] == [0, 0, 3]
    assert await journal.claim(7, 4, "node") == EarlierPlay(epoch=3, ended=2)
    await journal.drop(7, 3)
    assert await journal.read(7, 3) == []
    assert await journal.claim(7, 1, "node") == EarlierPlay(epoch=4, ended=3)
    await journal.forget(7, 1)
    assert await journal.claim(7, 2, "node") == EarlierPlay(epoch=4, ended=3)
