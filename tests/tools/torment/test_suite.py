"""The hostile bots of `farfalia torment` against a real server: all that must hold does.

Those that need a proxy are in `tests/test_proxies.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.suite import TORMENTS, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("torment"), ping_interval_ms=1500) as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.mark.parametrize("name", [one.name for one in TORMENTS.values() if not one.needs_proxy])
async def test_the_server_withstands(server: LiveServer, name: str) -> None:
    async with Harness(
        server.grpc_address, ADMIN, patience=PATIENCE, streams=60, bots=4, tables=2, judge_times=False
    ) as harness:
        (finding,) = [finding async for finding in run(harness, [TORMENTS[name]])]
    assert finding.held, finding.seen


async def test_metrics_tell_the_memory_that_the_field_watches(server: LiveServer) -> None:
    async with Harness(server.grpc_address, ADMIN) as harness:
        metrics = await harness.metrics()
    assert metrics["process_resident_memory_bytes"] > 1 << 20 or sys.platform != "linux"
    assert "farfalia_questions_total" in metrics
