"""What tests of doctor share: settings of a server, and what a check says of them."""

from __future__ import annotations

from pathlib import Path

from farfalia_server.doctor import Finding, FindingState
from farfalia_server.doctor.redis_servers import check_redis
from farfalia_server.settings import Settings
from farfalia_server.settings_loading import load


def settings(folder: Path, **more: object) -> Settings:
    return load({"data_dir": folder / "data", "grpc_port": 0, "http_port": 0, **more})


def bad(findings: list[Finding]) -> list[Finding]:
    """What is not as it should be, each with what to do."""
    found = [finding for finding in findings if finding.state is not FindingState.OK]
    assert all(finding.remedy for finding in found)
    return found


async def redis(chosen: Settings) -> list[Finding]:
    return [finding async for finding in check_redis(chosen)]
