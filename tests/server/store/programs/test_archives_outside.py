"""Larger archives are in a folder or a bucket, whole or not at all, and nothing is left there that nobody uses."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from tests.server.object_stores import S3Server, s3_server
from tests.server.store_world import run_sql

from farfalia_server.contract.errors import (
    BackupError,
    FailedPrecondition,
    NotFound,
    SettingsError,
    StoreError,
    StoreUnavailable,
)
from farfalia_server.net import wall_clock
from farfalia_server.store import Bot, Program, Store
from farfalia_server.store.programs import archives
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.sql import schema

_LARGE = random.Random(1).randbytes(3_000_000)
_HASH = sha256(_LARGE).digest()


class Outside:
    """A place for archives: its address, and the names of the objects that are there."""

    def __init__(self, address: str, objects: Callable[[], list[str]]) -> None:
        self.address = address
        self.objects = objects


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with s3_server(monkeypatch) as server:
        yield server


@pytest.fixture(params=["folder", "s3"])
def outside(request: pytest.FixtureRequest, tmp_path: Path) -> Outside:
    if request.param == "s3":
        server: S3Server = request.getfixturevalue("s3")
        return Outside(server.address, server.objects)
    folder = tmp_path / "kept here"
    return Outside(folder.as_uri(), lambda: sorted(file.name for file in folder.iterdir()))


@pytest.fixture
async def store(store_url: str, outside: Outside) -> AsyncIterator[Store]:
    async with await Store.open(store_url, archives=outside.address) as store:
        yield store


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets two hours pass."""
    passed = [timedelta()]
    monkeypatch.setattr(archives, "now", lambda: wall_clock.now() + passed[0])

    def pass_() -> None:
        passed[0] += timedelta(hours=2)

    return pass_


async def upload(store: Store, contents: bytes) -> bytes:
    hash, there = sha256(contents).digest(), 0
    while there < len(contents):
        there = await store.archives.add(hash, there, contents[there : there + (128 << 10)])
    return hash


async def hand_in(store: Store, bot: Bot, contents: bytes) -> Program:
    hash = await upload(store, contents)
    return await store.programs.hand_in(bot, hash, await store.archives.complete(hash), activates=False)


async def contents(store: Store, hash: bytes) -> bytes:
    read = b""
    while part := await store.archives.read(hash, len(read)):
        assert len(part) <= 128 << 10
        read += part
    return read


async def a_bot(store: Store, name: str = "ada") -> Bot:
    return (await store.bots.register(name))[0]


async def test_a_large_archive_is_outside_once_and_a_small_one_is_not(store: Store, outside: Outside) -> None:
    ada, ben = await a_bot(store), await a_bot(store, "ben")
    for bot in (ada, ben):
        await hand_in(store, bot, _LARGE)
    assert [name.partition("-")[0] for name in outside.objects()] == [_HASH.hex()]
    assert await contents(store, _HASH) == _LARGE
    assert await store.archives.read(_HASH, len(_LARGE)) == b""
    small = await hand_in(store, ada, b"small")
    assert len(outside.objects()) == 1
    assert await contents(store, small.hash) == b"small"


async def test_an_object_is_removed_an_hour_after_the_last_program_that_had_it(
    store: Store, outside: Outside, later: Callable[[], None]
) -> None:
    for name in ("ada", "ben"):
        await hand_in(store, await a_bot(store, name), _LARGE)
    later()
    await store.renaming.remove_bot("ada", who="the admin")
    later()
    await store.archives.sweep()
    assert await contents(store, _HASH) == _LARGE
    await store.renaming.remove_bot("ben", who="the admin")
    with pytest.raises(NotFound):
        await store.archives.read(_HASH, 0)
    await store.archives.sweep()
    assert len(outside.objects()) == 1  # a host may be reading it
    later()
    await store.archives.sweep()
    assert outside.objects() == []


async def test_what_is_never_handed_in_is_removed_after_an_hour(
    store: Store, outside: Outside, later: Callable[[], None]
) -> None:
    half, small = await upload(store, _LARGE[:2_000_000]), await upload(store, b"small")
    await store.archives.complete(small)
    await store.archives.complete(await upload(store, _LARGE))
    await store.archives.sweep()
    assert await contents(store, _HASH) == _LARGE
    for _ in range(2):
        later()
        await store.archives.sweep()
    for hash in (half, small, _HASH):
        with pytest.raises(NotFound):
            await store.archives.read(hash, 0)
    assert outside.objects() == []


async def test_an_archive_that_comes_again_survives_the_removal_of_its_old_object(
    store: Store, outside: Outside, later: Callable[[], None]
) -> None:
    await hand_in(store, await a_bot(store), _LARGE)
    await store.renaming.remove_bot("ada", who="the admin")
    await hand_in(store, await a_bot(store, "ben"), _LARGE)
    assert len(outside.objects()) == 2
    later()
    await store.archives.sweep()
    assert len(outside.objects()) == 1
    assert await contents(store, _HASH) == _LARGE


async def test_an_object_that_was_lost_comes_again_when_its_program_is_handed_in(
    store: Store, outside: Outside
) -> None:
    bot = await a_bot(store)
    await hand_in(store, bot, _LARGE)
    [name] = outside.objects()
    await ObjectStore(outside.address).remove(name)
    with pytest.raises(StoreError, match="hand the program in again"):
        await store.archives.read(_HASH, 0)
    assert "expected program_archives as before" in await store.archives.lost()
    with pytest.raises(FailedPrecondition, match="was lost; upload it again"):
        await hand_in(store, bot, _LARGE)
    await hand_in(store, bot, _LARGE)
    assert await contents(store, _HASH) == _LARGE
    assert await store.archives.lost() == ""


async def test_a_database_that_gets_an_object_store_moves_what_is_large(
    store_url: str, outside: Outside, later: Callable[[], None]
) -> None:
    async with await Store.open(store_url) as store:
        await hand_in(store, await a_bot(store), _LARGE)
    async with await Store.open(store_url, archives=outside.address) as store:
        await store.archives.sweep()
        assert len(outside.objects()) == 1
        assert await contents(store, _HASH) == _LARGE
    async with await Store.open(store_url) as store:
        assert "expected program_archives" in await store.archives.lost()
        with pytest.raises(StoreError, match="expected program_archives"):
            await store.archives.read(_HASH, 0)


async def test_a_hand_in_is_refused_while_the_server_is_away_and_leaves_nothing_half_done(
    store_url: str, s3: S3Server, later: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    async with await Store.open(store_url, archives=s3.address) as store:
        bot, hash = await a_bot(store), await upload(store, _LARGE)
        with pytest.raises(
            StoreUnavailable, match=r"^the archives at s3://[^\n]* cannot be written: Connection refused$"
        ):
            await store.archives.complete(hash)
        with pytest.raises(FailedPrecondition, match="upload it again"):
            await store.programs.hand_in(bot, hash, len(_LARGE), activates=False)
        assert await contents(store, hash) == _LARGE
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.endpoint)
    async with await Store.open(store_url, archives=s3.address) as store:
        await hand_in(store, bot, _LARGE)
        later()
        await store.archives.sweep()
        assert await contents(store, hash) == _LARGE
    assert len(s3.objects()) == 1


async def test_an_object_whose_move_was_interrupted_is_removed(
    store_url: str, store: Store, outside: Outside, later: Callable[[], None]
) -> None:
    await ObjectStore(outside.address).put("half-done", _parts(_LARGE))
    await run_sql(store_url, schema.archive_leftover.insert().values(object="half-done", since=wall_clock.now()))
    await store.archives.sweep()
    assert len(outside.objects()) == 1
    later()
    await store.archives.sweep()
    assert outside.objects() == []


async def _parts(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def test_a_place_that_can_be_written_is_left_as_it_was(outside: Outside) -> None:
    await ObjectStore(outside.address).check()
    assert outside.objects() == []


@pytest.mark.parametrize(
    ("address", "endpoint", "sentence"),
    [
        (
            "s3://nobody/programs",
            "",
            r"NoSuchBucket, The specified bucket does not exist; expected a bucket, with the ",
        ),
        ("s3://arena/programs", "http://127.0.0.1:1", "Connection refused; expected a bucket"),
        ("{tmp_path}/file/programs", "", "Not a directory; expected a folder that can be written"),
    ],
)
async def test_a_place_that_cannot_be_written_is_one_sentence(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, endpoint: str, sentence: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint or s3.endpoint)
    with pytest.raises(SettingsError, match=r"^program_archives: the archives at [^\n]+$") as refusal:
        await ObjectStore(address.format(tmp_path=tmp_path)).check()
    assert sentence in str(refusal.value)


def nothing(done: int, total: int) -> None:
    """Nobody looks at the progress."""


async def test_a_backup_has_the_archives_wherever_they_are(
    store_url: str, store: Store, outside: Outside, tmp_path: Path, later: Callable[[], None]
) -> None:
    bot, backup = await a_bot(store), tmp_path / "farfalia.backup"
    for data in (_LARGE, b"small"):
        await hand_in(store, bot, data)
    assert (await store.backups.write(backup, nothing)).lost == 0
    async with await Store.open(str(tmp_path / "other.db")) as other:
        await other.backups.restore(backup, nothing, replace=False)
        assert await contents(other, _HASH) == _LARGE
        assert await contents(other, sha256(b"small").digest()) == b"small"
    await store.backups.restore(backup, nothing, replace=True)
    for _ in range(2):  # the larger one leaves the database again, and the object of before is removed
        await store.archives.sweep()
        assert await contents(store, _HASH) == _LARGE
        later()
    assert len(outside.objects()) == 1


async def test_a_backup_says_which_archives_are_missing(
    store_url: str, store: Store, outside: Outside, tmp_path: Path
) -> None:
    await hand_in(store, await a_bot(store), _LARGE)
    backup = tmp_path / "farfalia.backup"
    async with await Store.open(store_url) as without:
        with pytest.raises(BackupError, match=r"^archives of programs are outside of the database; expected --program"):
            await without.backups.write(backup, nothing)
    [name] = outside.objects()
    await ObjectStore(outside.address).put(name, _parts(_LARGE[::-1]))
    with pytest.raises(BackupError, match=r"is damaged; delete it there, and hand its program in again$"):
        await store.backups.write(backup, nothing)
    await ObjectStore(outside.address).remove(name)
    assert (await store.backups.write(backup, nothing)).lost == 1
    async with await Store.open(str(tmp_path / "other.db")) as other:
        await other.backups.restore(backup, nothing, replace=False)
        with pytest.raises(NotFound):
            await other.archives.read(_HASH, 0)
