"""The process that reads."""

from __future__ import annotations

import gc
from pathlib import Path

from tests.server.migrated import sqlite_url

from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.web.reading_process import Site, page_of
from farfalia_server.web.rendered_page import PageRequest


async def test_the_garbage_collector_does_not_look_at_modules_while_pages_are_made(tmp_path: Path) -> None:
    site = Site(sqlite_url(tmp_path / "arena.db"), "arena", "1", "trueskill")
    async with WorkerProcess() as worker:
        page = await worker.run(page_of, site, PageRequest("GET", "/rules", b"/rules", b"", gzip=False))
        assert page.status == 200
        looked_at = len(await worker.run(eval, "[None for _ in __import__('gc').get_objects()]"))
        assert looked_at * 5 < await worker.run(gc.get_freeze_count)
