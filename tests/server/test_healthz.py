"""The health check of a container."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import environment
from tests.server.live import PATIENCE, live_server


def asked(**settings: str) -> int:
    return subprocess.run(
        [sys.executable, "-m", "farfalia_server.healthz"], env=environment(**settings), timeout=PATIENCE
    ).returncode


def test_a_server_is_well_while_it_runs_and_says_so(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        port = server.http_address.rpartition(":")[2]
        assert asked(FARFALIA_HTTP_PORT=port) == 0
        assert asked(FARFALIA_HTTP_PORT=port, FARFALIA_TLS_CERT="chain.pem") == 1
        server.stop()
    assert asked(FARFALIA_HTTP_PORT=port) == 1


@pytest.mark.parametrize("host", ["::1", "::", "0.0.0.0"])
def test_a_server_is_asked_where_it_listens(tmp_path: Path, host: str) -> None:
    with live_server(tmp_path, host=host, insecure=True) as server:
        port = server.http_address.rpartition(":")[2]
        assert asked(FARFALIA_HTTP_PORT=port, FARFALIA_HOST=host) == 0


def test_asking_imports_none_of_the_libraries_of_the_server() -> None:
    program = "import sys, farfalia_server.healthz; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert not {"sqlalchemy", "grpc", "starlette", "typer", "pydantic"} & set(done.stdout.split())
