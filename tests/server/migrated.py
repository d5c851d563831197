"""Databases whose tables are there already: the migrations run once in a process, not once for every test."""

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from farfalia_server.store import Store


def migrate(url: str) -> None:
    """Make the tables of a database, also where an event loop runs."""

    async def open_and_close() -> None:
        await (await Store.open(url)).close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, open_and_close()).result()


@cache
def _tables() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store.db"
        migrate(str(file))
        assert [path for path in file.parent.iterdir() if path.suffix != ".opening"] == [file]
        return file.read_bytes()


def sqlite_url(file: Path) -> str:
    """Where a SQLite file is that has all tables; it is made if it is missing."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_tables())
    return f"sqlite:///{file}"
