"""Backups: everything that a database holds, in a file that either kind of database can be restored from."""

import asyncio
import gzip
import hashlib
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.postgres_fixture import Postgres
from tests.server.store_world import five_bots, match_ids, planned, play, started

from farfalia_server.cluster.lease import Holder, ServerLease
from farfalia_server.contract.errors import BackupError, StoreError
from farfalia_server.store import Store
from farfalia_server.store.lease import StoreLeasePlace
from farfalia_server.store.sql import migrate
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.schema import metadata

Rows = dict[str, list[tuple[Any, ...]]]


def nothing(done: int, total: int) -> None:
    """Nobody looks at the progress."""


async def full(store: Store) -> None:
    """Fill a store: bots, matches that are played, claimed and planned, a ladder's secret, a log."""
    bots = await five_bots(store)
    tournament = await started(store, bots, 3)
    first, second, _ = await match_ids(store, tournament)
    await play(store, first)
    assert await store.claims.claim(second, "here")
    await planned(store, bots, 2)
    await store.meta.set_admin_token("the admin's")


async def rows_of(url: str) -> Rows:
    """Everything in a database but the name that it has of its own."""

    def read(connection: sa.Connection) -> Rows:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in metadata.sorted_tables
        }

    database = await Database.open(url)
    rows = await database.read(read)
    await database.close()
    rows["meta"] = [row for row in rows["meta"] if row[0] != "database"]
    return rows


@pytest.fixture
async def backup(store_url: str, tmp_path: Path) -> Path:
    """A backup of a database of either kind that has something of everything."""
    path = tmp_path / "farfalia.backup"
    async with await Store.open(store_url) as store:
        await full(store)
        await store.backups.write(path, nothing)
    return path


async def restore(url: str, path: Path, *, replace: bool = False) -> None:
    async with await Store.open(url) as store:
        await store.backups.restore(path, nothing, replace=replace)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Another database without tables, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'other.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()


async def test_either_database_is_restored_from_either(store_url: str, backup: Path, empty_url: str) -> None:
    await restore(empty_url, backup)
    assert await rows_of(empty_url) == await rows_of(store_url)
    async with await Store.open(empty_url) as store:
        assert await store.meta.is_admin_token("the admin's")
        [new] = [(await store.bots.register("a new one"))[0]]  # numbers go on where they were
        assert new.id > max(bot.id for bot in await store.bots.all() if bot.id != new.id)


async def test_nobody_else_may_read_a_backup_and_nothing_is_left_beside_it(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    assert [path for path in backup.parent.iterdir() if path.name.startswith(".farfalia")] == []


async def test_a_backup_is_of_one_moment_while_a_server_goes_on(store_url: str, tmp_path: Path, empty_url: str) -> None:
    path = tmp_path / "farfalia.backup"
    async with await Store.open(store_url) as store:
        await full(store)
        before = await rows_of(store_url)
        wrote = asyncio.Event()
        loop = asyncio.get_running_loop()

        def meanwhile(done: int, total: int) -> None:
            if done == 0:
                writing.append(loop.create_task(write()))

        async def write() -> None:
            await store.bots.register("late")
            wrote.set()

        writing: list[asyncio.Task[None]] = []
        other = await Store.attach(store_url)
        await other.backups.write(path, meanwhile)
        await wrote.wait()
        await other.close()
    await restore(empty_url, path)
    assert await rows_of(empty_url) == before


async def test_a_database_that_is_not_empty_is_replaced_only_when_told_to(
    store_url: str, backup: Path, empty_url: str
) -> None:
    async with await Store.open(empty_url) as store:
        await store.bots.register("kept")
    kept = await rows_of(empty_url)
    with pytest.raises(BackupError, match=r"^the database at [^\n]+ is not empty: its table bot\w* has rows; [^\n]+$"):
        await restore(empty_url, backup)
    assert await rows_of(empty_url) == kept
    await restore(empty_url, backup, replace=True)
    assert await rows_of(empty_url) == await rows_of(store_url)


async def test_a_restored_database_has_another_name_so_that_no_old_journal_is_taken_up(
    store_url: str, backup: Path
) -> None:
    async with await Store.open(store_url) as store:
        before = await store.meta.database()
        await store.backups.restore(backup, nothing, replace=True)
        assert await store.meta.database() != before


async def test_the_server_that_uses_the_database_is_not_in_its_backup(
    store_url: str, tmp_path: Path, empty_url: str
) -> None:
    path = tmp_path / "farfalia.backup"
    async with await Store.open(store_url) as store, ServerLease(StoreLeasePlace(store), Holder.own("here")):
        await store.fencing.raise_to("director", 7)
        await store.backups.write(path, nothing)
    async with await Store.open(empty_url) as store:
        await store.fencing.raise_to("director", 9)  # a server that has played nothing yet
    await restore(empty_url, path)
    async with await Store.open(empty_url) as store:
        assert await store.fencing.raise_to("director", 1) == 0
        assert await StoreLeasePlace(store).read() == ""


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    late = len(data) * 3 // 4  # behind the header
    return data[:late] + bytes([data[late] ^ 0x10]) + data[late + 1 :]


def without_a_row(data: bytes) -> bytes:
    lines = gzip.decompress(data).splitlines(keepends=True)
    return gzip.compress(b"".join(lines[:3] + lines[4:]))


def with_another_name(data: bytes) -> bytes:
    return gzip.compress(gzip.decompress(data).replace(b"bot-1", b"bot-9"))


def of_a_newer_server(data: bytes) -> bytes:
    return with_header(data, schema="9999", version="7.0.0")


def of_a_newer_format(data: bytes) -> bytes:
    return with_header(data, format="farfalia backup 2", version="7.0.0")


def with_header(data: bytes, **changes: str) -> bytes:
    """The same rows below another header, with the right checksum."""
    head, *rows, _ = gzip.decompress(data).splitlines(keepends=True)
    head = json.dumps(json.loads(head) | changes).encode() + b"\n"
    digest = hashlib.sha256(b"".join([head, *rows])).hexdigest()
    end = json.dumps({"sha256": digest}, separators=(",", ":")).encode() + b"\n"
    return gzip.compress(b"".join([head, *rows, end]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (cut, "is broken: "),
        (flipped, "is broken"),
        (without_a_row, "is broken: it does not match its checksum"),
        (with_another_name, "is broken: it does not match its checksum"),
        (lambda data: b"", "is broken"),
        (lambda data: b"some text", "is not a backup"),
        (lambda data: gzip.compress(b"some text\n"), "is not a backup"),
        (lambda data: gzip.compress(b"{}\n"), "is not a backup"),
        (of_a_newer_server, "has the schema 9999 of a newer server, version 7.0.0; update this one"),
        (of_a_newer_format, "was written by a newer version of farfalia, 7.0.0; update this one"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
async def test_a_file_that_cannot_be_restored_is_one_sentence_and_changes_nothing(
    store_url: str, backup: Path, change: Callable[[bytes], bytes], words: str
) -> None:
    before = await rows_of(store_url)
    backup.write_bytes(change(backup.read_bytes()))
    with pytest.raises(BackupError) as refusal:
        await restore(store_url, backup, replace=True)
    assert words in str(refusal.value)
    assert str(backup) in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert await rows_of(store_url) == before


async def test_a_backup_whose_rows_do_not_fit_changes_nothing(store_url: str, backup: Path) -> None:
    before = await rows_of(store_url)
    text = gzip.decompress(backup.read_bytes()).replace(b'"bot-1"', b'"bot-2"')
    backup.write_bytes(with_header(gzip.compress(text)))
    with pytest.raises(BackupError, match=r"^[^\n]+ cannot be restored: [^\n]*(UNIQUE|unique)[^\n]*"):
        await restore(store_url, backup, replace=True)
    assert await rows_of(store_url) == before


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This version has become the one before: there is one more migration now, which adds and fills a column."""
    copytree(migrate.MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations/versions/9000_more.py").write_text(
        f"""
import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "{migrate.schemas()[0]}"

def upgrade():
    op.add_column("bot", sa.Column("motto", sa.Text(), nullable=False, server_default="none"))
    op.execute("UPDATE bot SET motto = 'I was ' || name")
"""
    )
    monkeypatch.setattr(migrate, "MIGRATIONS", tmp_path / "migrations")


async def mottos(url: str) -> set[str]:
    database = await Database.open(url)
    statement = sa.text("SELECT motto FROM bot")
    found = set(await database.read(lambda connection: connection.execute(statement).scalars().all()))
    await database.close()
    return found


async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    request: pytest.FixtureRequest, backup: Path, empty_url: str
) -> None:
    request.getfixturevalue("next_version")
    await restore(empty_url, backup)
    assert {f"I was bot-{number}" for number in range(5)} <= await mottos(empty_url)


async def test_a_database_of_an_older_version_is_brought_up_to_date_with_all_that_it_has(
    request: pytest.FixtureRequest, store_url: str, backup: Path
) -> None:
    before = await rows_of(store_url)
    request.getfixturevalue("next_version")
    await (await Store.open(store_url)).close()
    assert {f"I was bot-{number}" for number in range(5)} <= await mottos(store_url)
    assert await rows_of(store_url) == before


async def test_a_backup_is_made_with_the_version_that_uses_the_database(
    request: pytest.FixtureRequest, store_url: str, backup: Path
) -> None:
    request.getfixturevalue("next_version")
    store = await Store.attach(store_url)
    with pytest.raises(StoreError, match=r"expected 9000: make the backup with the version of the server that uses it"):
        await store.backups.write(backup, nothing)
    await store.close()


async def test_a_file_that_is_no_backup_is_not_overwritten(tmp_path: Path) -> None:
    database = tmp_path / "farfalia.db"
    async with await Store.open(str(database)) as store:
        await five_bots(store)
        with pytest.raises(BackupError, match="already exists and is not a backup; expected a new name"):
            await store.backups.write(database, nothing)
        assert len(await store.bots.all()) == 5
        for path, words in ((tmp_path, "is not a backup"), (tmp_path / "missing" / "a.backup", "No such file")):
            with pytest.raises(BackupError, match=words):
                await store.backups.write(path, nothing)
        for _ in range(2):  # the second in place of the first
            await store.backups.write(tmp_path / "a.backup", nothing)


async def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    async with await Store.open(str(tmp_path / "farfalia.db")) as store:
        await five_bots(store)
        await store.meta.put("noise", os.urandom(200_000).hex())
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
        try:
            with pytest.raises(BackupError, match=r"^[^\n]+a\.backup cannot be written: File too large$"):
                await store.backups.write(tmp_path / "a.backup", nothing)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not (tmp_path / "a.backup").exists()
    assert list(tmp_path.glob(".a.backup*")) == []


@pytest.mark.parametrize("interrupted", ["write", "restore"])
async def test_who_is_interrupted_leaves_neither_half_a_backup_nor_half_a_database(
    store_url: str, backup: Path, tmp_path: Path, interrupted: str
) -> None:
    before, loop = await rows_of(store_url), asyncio.get_running_loop()

    def interrupt(done: int, total: int) -> None:
        loop.call_soon_threadsafe(work.cancel)
        time.sleep(0.05)  # perhaps in a thread: the loop takes its turn

    async with await Store.open(store_url) as store:
        if interrupted == "write":
            work = asyncio.create_task(store.backups.write(tmp_path / "another.backup", interrupt))
        else:
            work = asyncio.create_task(store.backups.restore(backup, interrupt, replace=True))
        with pytest.raises(asyncio.CancelledError):
            await work
    assert sorted(file.name for file in tmp_path.glob("*.backup")) == ["farfalia.backup"]
    assert await rows_of(store_url) == before
