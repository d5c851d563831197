"""What gRPC is told before it is imported."""

import os
import subprocess
import sys

import pytest

from farfalia_server.net import grpc_experiments

_SERVER = """
import sys
import farfalia_server.cli.serve
from farfalia_server.net import grpc_experiments
assert "grpc" not in sys.modules, "gRPC has read its environment before the server chooses"
grpc_experiments.choose()
import asyncio, grpc.aio
async def main():
    server = grpc.aio.server()
    server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await server.stop(0)
asyncio.run(main())
"""


def test_grpc_is_told_in_time_and_knows_what_it_is_told() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "GRPC_EXPERIMENTS"}
    told = subprocess.run([sys.executable, "-c", _SERVER], env=environment, capture_output=True, text=True, timeout=120)
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize(
    ("release", "before", "chosen"),
    [
        ("1.85.1", None, grpc_experiments._CHOSEN),
        ("1.85.1", "", ""),
        ("1.86.0", None, None),
        ("2.0.0", None, None),
    ],
)
def test_the_users_choice_and_unknown_releases_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, release: str, before: str | None, chosen: str | None
) -> None:
    monkeypatch.setattr(grpc_experiments, "version", lambda _: release)
    monkeypatch.delenv("GRPC_EXPERIMENTS", raising=False)
    if before is not None:
        monkeypatch.setenv("GRPC_EXPERIMENTS", before)
    grpc_experiments.choose()
    assert os.environ.get("GRPC_EXPERIMENTS") == chosen
    os.environ.pop("GRPC_EXPERIMENTS", None)
