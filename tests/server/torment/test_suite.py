"""The hostile bots of `farfalia torment` against a real server: all that must hold does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia_server.torment.catalogue import Finding
from farfalia_server.torment.ground import Ground
from farfalia_server.torment.suite import TORMENTS, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("torment"), ping_interval_ms=500) as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.mark.parametrize("name", TORMENTS)
def test_the_server_withstands(server: LiveServer, name: str) -> None:
    async def tried() -> list[Finding]:
        async with Ground(server.grpc_address, ADMIN, patience=PATIENCE, streams=60, judge_times=False) as ground:
            return [finding async for finding in run(ground, [TORMENTS[name]])]

    (finding,) = asyncio.run(tried())
    assert finding.held, finding.seen
