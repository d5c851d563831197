"""A server that is killed leaves no program behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.server.sandbox.conftest import IDS
from tests.server.sandbox.run_one import Order

from farfalia_server.sandbox.process_tree import tree

#: Has a child in a session of its own, which says when it is there.
SOURCE = """
import os, time
if not os.fork():
    os.setsid()
    print("ready", flush=True)
time.sleep(1e6)
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_programs_of_a_server_that_is_killed_end_with_it() -> None:
    order = Order(SOURCE, ids=(IDS.start, IDS.stop))
    command = [sys.executable, "-m", "tests.server.sandbox.run_one"]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=root) as server:
        assert server.stdin is not None
        server.stdin.write(json.dumps(asdict(order)).encode())
        server.stdin.close()
        while len(programs := [one.pid for one in tree(server.pid) if one.depth >= 3]) < 2:
            time.sleep(0.05)
        server.kill()
    deadline = time.monotonic() + 20
    while left := [pid for pid in programs if alive(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
    for folder in Path("/tmp").glob("farfalia-test-*"):  # which the killed process could not remove
        if folder.stat().st_uid == os.getuid() and (folder / "program.py").read_text() == SOURCE:
            shutil.rmtree(folder)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
