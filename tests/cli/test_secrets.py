"""A program that `farfalia run` starts, and servers' own processes, learn nothing of the server's secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.cli.command import environment
from tests.server.live import ADMIN, LiveServer, until

#: Plays, but first looks for a secret wherever Linux may show it.
SPY = """
import ctypes, json, os
from pathlib import Path
import farfalia

told, files, starter = [], [], os.getppid()
for process in Path("/proc").glob("[0-9]*"):
    try:
        if b"nobody-may-see-this" in (process / "environ").read_bytes():
            told.append((process / "cmdline").read_text())
    except OSError:
        pass
for number in range(256):
    try:
        files.append(os.readlink(f"/proc/{starter}/fd/{number}"))
    except OSError:
        pass
libc = ctypes.CDLL(None)
traced = libc.ptrace(0x4206, starter, 0, 0) == 0  # PTRACE_SEIZE
if traced:
    libc.ptrace(17, starter, 0, 0)  # PTRACE_DETACH
Path("seen.json").write_text(json.dumps({"told": told, "files": files, "traced": traced}))
farfalia.run(farfalia.Bot())
"""
#: Root may look at every process; without its capabilities it is as any user who looks at processes of its own.
AS_ANYBODY = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] if os.geteuid() == 0 else []

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")


def test_a_program_can_neither_read_the_admin_token_nor_trace_its_starter(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    program = [sys.executable, "-m", "farfalia_server"]
    done = subprocess.run(
        [*AS_ANYBODY, *program, "run", "--bot", "spy.py", "--bot", "greedy", "--game", "two", "--rounds", "1"],
        cwd=tmp_path,
        env=environment(FARFALIA_ADMIN_TOKEN="nobody-may-see-this"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "seen.json").read_text()) == {"told": [], "files": [], "traced": False}


@pytest.mark.parametrize("workers", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_no_process_that_a_server_starts_has_its_settings(tmp_path: Path, workers: int) -> None:
    server = LiveServer(tmp_path, {"workers": workers}, program=("-m", "farfalia_server"))
    server.start()
    try:
        answer = httpx.get(f"http://{server.http_address}/", timeout=60)
        assert "server" not in answer.headers
        told = [process for process in started_by(server.process.pid) if ADMIN in environ(process)]
        assert [Path(f"/proc/{process}/cmdline").read_text() for process in told] == []
        assert len(started_by(server.process.pid)) >= 2  # Redis, and what makes pages
        assert {path.name for path in (tmp_path / "data").iterdir()} <= {
            *("farfalia.db", "farfalia.db-shm", "farfalia.db-wal", "programs", "redis"),
        }
    finally:
        server.stop()


def started_by(process: int) -> list[int]:
    """All processes that a process has started, and those that they have."""
    children = [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return children + [below for child in children for below in started_by(child)]


def environ(process: int) -> str:
    return Path(f"/proc/{process}/environ").read_text(errors="replace")


def command_line(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text(errors="replace")


#: Says which of these processes another program of their user can look into: by a secret in /proc, or by tracing.
LOOK = """
import ctypes, os, sys
from pathlib import Path

libc = ctypes.CDLL(None)
for process in map(int, sys.argv[1:]):
    try:
        secret = b"nobody-may-see-this" in Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        secret = False
    if secret or libc.ptrace(0x4206, process, 0, 0) == 0:  # PTRACE_SEIZE
        print(process)
"""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["serve", "--data-dir", "data", "--grpc-port", "0", "--http-port", "0"], id="serve"),
        pytest.param(
            ["serve", "--data-dir", "data", "--workers", "2", "--grpc-port", "0", "--http-port", "0"], id="workers"
        ),
        pytest.param(["host", "--folder", "host", "--sandbox", "none", "--server", "127.0.0.1:1"], id="host"),
    ],
)
def test_no_other_program_of_its_user_looks_into_a_server_or_a_host(words: list[str], tmp_path: Path) -> None:
    secret = "nobody-may-see-this"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*AS_ANYBODY, sys.executable, "-m", "farfalia_server", *words],
            cwd=tmp_path,
            env=environment(FARFALIA_ADMIN_TOKEN=secret, FARFALIA_HOST_TOKEN=secret),
            stdout=log,
            stderr=log,
        )
    try:
        says = b"trying again" if words[0] == "host" else b"http://"
        until(lambda: says in (tmp_path / "log").read_bytes())
        ours = [pid for pid in (process.pid, *started_by(process.pid)) if "farfalia" in command_line(pid)]
        assert ours
        look = [*AS_ANYBODY, sys.executable, "-c", LOOK, *map(str, ours)]
        until(lambda: subprocess.run(look, capture_output=True, check=True).stdout == b"")
    finally:
        process.terminate()
        process.wait()
