"""The workers of one command, seen from the process that has started them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from farfalia_server.settings_loading import load
from farfalia_server.workers.group import Workers


@pytest.mark.slow
async def test_when_the_worker_that_tells_how_to_connect_is_killed_another_one_tells(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = load({"data_dir": tmp_path, "grpc_port": 0, "http_port": 0, "workers": 2, "node": "here"})
    with capture_logs() as logged:
        async with asyncio.timeout(120), Workers(settings) as workers:
            processes = {line["worker"]: line["process"] for line in logged if line["event"] == "worker_started"}
            assert sorted(processes) == ["here-1", "here-2"]
            os.kill(processes["here-1"], signal.SIGSTOP)
            introducing = asyncio.create_task(workers.introduce())
            await asyncio.sleep(0.1)
            assert not introducing.done()
            os.kill(processes["here-1"], signal.SIGKILL)
            await introducing
    told = capfd.readouterr().out
    assert told.count("Bots connect to ") == 1
    assert "--admin-token" in told
