"""Opening a SQLite file: one process at a time."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from farfalia_server.store.sql.engines import normalise

_LOOK_SECONDS = 0.05


@asynccontextmanager
async def one_at_a_time(url: str) -> AsyncIterator[None]:
    """Keep others from opening this SQLite file within the block; other databases need no such lock.

    Opening a new file switches it to write-ahead logging and migrates it. Two processes that do so at once
    can wait for each other until both give up.
    """
    parsed = normalise(url)
    file = Path(str(parsed.database))
    if parsed.get_backend_name() != "sqlite":
        yield
        return
    try:
        lock = os.open(file.parent, os.O_RDONLY)  # the directory, so that no other file is left behind
    except OSError:  # a file that cannot be written is reported when it is opened
        yield
        return
    try:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(_LOOK_SECONDS)
        yield
    finally:
        os.close(lock)
