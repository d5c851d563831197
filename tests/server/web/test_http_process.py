"""The process that answers at the HTTP port may end or hang, and so may the one that plays: readers learn of it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, LiveServer, live_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc"),
]

IMPATIENT = {"farfalia_server.net.http_port._PATIENCE": 2.0, "farfalia_server.web.monitoring._SECONDS": 0.5}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, constants=IMPATIENT) as server:
        yield server


def answering(server: LiveServer) -> list[int]:
    """The processes besides the one that plays that have the HTTP port."""
    port = int(server.http_address.rpartition(":")[2])
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (inode,) = [row[9] for row in sockets if row[1].endswith(f":{port:04X}") and row[3] == "0A"]
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if any(str(file.readlink()) == f"socket:[{inode}]" for file in (process / "fd").iterdir()):
                found.append(int(process.name))
    return [process for process in found if process != server.process.pid]


def asked(server: LiveServer, path: str) -> tuple[int, dict[str, object]]:
    status, text = server.page(path)
    return status, json.loads(text) if text.startswith("{") else {"said": text}


def test_the_process_is_started_by_the_first_connection_and_again_when_it_has_died(server: LiveServer) -> None:
    assert answering(server) == []
    assert asked(server, "/api/bots")[0] == 200
    (first,) = answering(server)
    for _ in range(2):
        os.kill(first, signal.SIGKILL)
        assert asked(server, "/healthz") == (200, {"status": "ok", "checks": ok("database", "redis", "server")})
        (second,) = answering(server)
        assert second != first
        first = second
    assert server.log().count("http_process_ended") == 2
    assert "Traceback" not in server.log()


def test_a_process_that_hangs_is_ended_and_the_next_one_says_that_the_server_is_well(server: LiveServer) -> None:
    assert asked(server, "/healthz")[0] == 200
    (hanging,) = answering(server)
    os.kill(hanging, signal.SIGSTOP)
    deadline = time.monotonic() + PATIENCE
    while answering(server) == [hanging]:
        with suppress(OSError):  # the one that hangs may have accepted it
            assert asked(server, "/livez")[0] == 200
        assert time.monotonic() < deadline
    assert asked(server, "/healthz")[0] == 200
    assert "http_process_hangs" in server.log()


def test_readers_learn_that_the_process_that_plays_hangs(server: LiveServer) -> None:
    assert asked(server, "/healthz")[0] == 200
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        time.sleep(1.2)  # what was said before is good for a second
        code, said = asked(server, "/healthz")
        assert (code, said["status"]) == (503, "unavailable")
        assert "has not answered" in str(said["checks"])
        assert asked(server, "/livez")[0] == 503
        assert asked(server, "/metrics")[0] == 503
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    time.sleep(1.2)
    assert asked(server, "/healthz")[0] == 200
    assert "http_process_hangs" not in server.log()


def test_a_server_that_is_killed_leaves_its_port_to_the_next(server: LiveServer) -> None:
    assert asked(server, "/api/bots")[0] == 200
    assert len(answering(server)) == 1
    server.kill()
    server.start()
    assert asked(server, "/api/bots")[0] == 200


def ok(*parts: str) -> dict[str, str]:
    return dict.fromkeys(parts, "ok")
