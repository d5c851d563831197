"""The hostile bots and people of `farfalia torment` against a real server: all that must hold does.

Those that need a proxy are in `tests/test_proxies.py`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia_tools.torment.catalogue import Torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.suite import TORMENTS, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("torment"), ping_interval_ms=1500, registration="open", proxies="127.0.0.1"
    ) as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.mark.parametrize("name", [one.name for one in TORMENTS.values() if not one.needs_proxy])
async def test_the_server_withstands(server: LiveServer, name: str) -> None:
    async with Harness(
        server.grpc_address,
        ADMIN,
        patience=PATIENCE,
        judge_times=False,
        is_proxy=True,
        log=server.log_file,
        streams=60,
        bots=4,
        tables=2,
    ) as harness:
        (finding,) = [finding async for finding in run(harness, [TORMENTS[name]])]
    assert finding.held, finding.seen


async def test_metrics_tell_the_memory_that_the_field_watches(server: LiveServer) -> None:
    async with Harness(server.grpc_address, ADMIN) as harness:
        metrics = await harness.metrics()
    assert metrics["process_resident_memory_bytes"] > 1 << 20 or sys.platform != "linux"
    assert "farfalia_questions_total" in metrics


async def test_hostile_people_are_reported_with_the_pace_of_honest_bots(server: LiveServer) -> None:
    cores = os.sched_getaffinity(0) if sys.platform == "linux" else set()
    async with Harness(
        server.grpc_address,
        ADMIN,
        patience=PATIENCE,
        bots=4,
        judge_times=False,
        is_proxy=True,
        log=server.log_file,
        hostile_core=max(cores) if len(cores) > 1 else None,
    ) as harness:
        (finding,) = [finding async for finding in run(harness, [TORMENTS["people"]])]
    assert finding.held, finding.seen
    seen = re.search(r"made (\d+) .* decisions a second alone and (\d+) .* beside hostile people", finding.seen)
    assert seen
    assert all(int(pace) > 0 for pace in seen.groups())
    assert sys.platform != "linux" or os.sched_getaffinity(0) == cores


async def test_a_traceback_in_the_log_is_no_good_answer(server: LiveServer, tmp_path: Path) -> None:
    async def fails(harness: Harness) -> str:
        log.write_text("old\nTraceback (most recent call last):\n")
        return "all is well"

    log = tmp_path / "server.log"
    log.write_text("old\n")
    async with Harness(server.grpc_address, ADMIN, log=log) as harness:
        (finding,) = [finding async for finding in run(harness, [Torment("fails", "Fail.", "Hold.", fails)])]
    assert (finding.held, finding.seen) == (False, "the server's log has a traceback, and all is well")
