"""`farfalia doctor` as a command: before a server, beside one, and what it ends with."""

import json
import re
from pathlib import Path

from tests.cli.command import Command
from tests.server.live import live_server


def test_doctor_says_how_each_thing_is_and_whether_anything_is_wrong(tmp_path: Path, farfalia: Command) -> None:
    done = farfalia("doctor", "--grpc-port", 0, "--http-port", 0)
    assert done.returncode == 0, done.stdout
    assert "ok       database: There is no " in done.stdout
    wrong = farfalia("doctor", "--redis-url", "redis://127.0.0.1:1/0", "--json", FARFALIA_HTTP_PORT="0")
    assert wrong.returncode == 1
    found = json.loads(wrong.stdout)
    assert found["problems"] == 1
    [problem] = [finding for finding in found["findings"] if finding["state"] == "problem"]
    assert problem["name"] == "redis"
    assert problem["remedy"] == "Start Redis, or correct redis_url."


def test_a_wrong_setting_is_what_doctor_finds(farfalia: Command) -> None:
    done = farfalia("doctor", FARFALIA_GRPC_PORT="70000")
    assert done.returncode == 1
    assert done.stdout.startswith("problem  settings: FARFALIA_GRPC_PORT is '70000'; expected ")


def test_beside_a_running_server_its_ports_are_its_own(tmp_path: Path, farfalia: Command) -> None:
    with live_server(tmp_path) as server:
        ports = {
            "FARFALIA_GRPC_PORT": server.grpc_address.rpartition(":")[2],
            "FARFALIA_HTTP_PORT": server.http_address.rpartition(":")[2],
        }
        done = farfalia("doctor", "--data-dir", tmp_path / "data", **ports)
        assert done.returncode == 0, done.stdout
        assert "A server runs with these settings, and reports no problems." in done.stdout
        assert len(re.findall(r"The running server listens on 127\.0\.0\.1:\d+\.", done.stdout)) == 2
        assert "can be written to" in done.stdout
