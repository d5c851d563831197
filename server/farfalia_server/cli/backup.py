"""`farfalia backup` and `farfalia restore`: everything that SQL holds, as a file, and back."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farfalia_server.cli.output import Bar, note, say
from farfalia_server.cli.server_files import ArchivesOption, ConfigOption, DatabaseOption, DataDirOption, load
from farfalia_server.settings import LogLevel, Settings

if TYPE_CHECKING:  # only a command that works on a database imports what that takes
    from farfalia_server.store.sql.backup_file import BackupHeader


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    for command in (backup, restore):
        app.command()(command)


def backup(
    file: Annotated[
        Path, typer.Argument(help="Where the backup goes; an older backup is replaced when it is complete.")
    ],
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    database_url: DatabaseOption = None,
    program_archives: ArchivesOption = None,
) -> None:
    """Back up the whole database and all programs to a file.

    The server may keep running. The file holds the database, SQLite or PostgreSQL, as it was at one moment, and can be
    restored into either. It also holds the archives of programs that are kept outside of the database. It contains
    secrets of deals and hashes of tokens: only your user may read it.
    """
    settings = load(config, data_dir=data_dir, database_url=database_url, program_archives=program_archives)
    header, address = asyncio.run(_backup(settings, file))
    size = file.stat().st_size / 1e6
    say(f"{file} has {header.rows} rows of {address}, schema {header.schema}, in {size:.1f} MB.")
    if header.lost:
        place = settings.effective_program_archives
        note(f"Archives of programs that are missing from {place}, and so from the backup: {header.lost}.")


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that `farfalia backup` wrote.")],
    replace: Annotated[bool, typer.Option("--replace", help="Delete what the database holds now.")] = False,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    database_url: DatabaseOption = None,
) -> None:
    """Restore a backup into a database that no server is using.

    The database must be empty unless you give --replace. It is changed as a whole or not at all. A backup of an older
    version is brought up to date. Matches that were being played when the backup was made are void: the server plays
    them again on new boards. Archives of programs come into the database; the server then moves larger ones to where
    its settings say.
    """
    settings = load(config, data_dir=data_dir, database_url=database_url)
    header, address = asyncio.run(_restore(settings, file, replace=replace))
    say(
        f"{address} has the {header.rows} rows of {file}, made {header.made} by version {header.version} "
        f"from {header.source}."
    )


async def _backup(settings: Settings, file: Path) -> "tuple[BackupHeader, str]":
    from farfalia_server.store import Store

    store = await Store.attach(settings.effective_database_url, archives=settings.effective_program_archives)
    try:
        with Bar("rows") as bar:
            return await store.backups.write(file, bar.update), store.address
    finally:
        await store.close()


async def _restore(settings: Settings, file: Path, *, replace: bool) -> "tuple[BackupHeader, str]":
    from farfalia_server import logs
    from farfalia_server.cluster.lease import Holder, ServerLease
    from farfalia_server.store.lease import StoreLeasePlace
    from farfalia_server.store.opening import open_store

    logs.configure(LogLevel.INFO)  # it may have to wait until it is certain that another server is dead
    async with await open_store(settings) as store, ServerLease(StoreLeasePlace(store), Holder.own("restore")):
        with Bar("rows") as bar:
            return await store.backups.restore(file, bar.update, replace=replace), store.address
