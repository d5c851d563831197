"""The sandbox for machines without user namespaces: what it keeps programs from, and that nothing of them is left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.server.sandbox import run_one
from tests.server.sandbox.conftest import IDS
from tests.server.sandbox.run_one import TRY, Order, Outcome

from farfalia_server.sandbox import landlock_start

pytestmark = pytest.mark.skipif(not landlock_start.version(), reason="the kernel has no Landlock")


async def run(source: str, *, end_at: str = "", path: str = "", **limits: Any) -> Outcome:
    return await run_one.run(Order(source, "landlock", limits, {}, path, end_at, (IDS.start, IDS.stop)))


async def test_limits_end_a_program() -> None:
    forks = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    assert (await run(forks, processes=40)).limit == "processes"
    assert (await run("kept = []\nwhile True: kept.append(bytearray(1 << 20))", memory=100 << 20)).limit == "memory"
    assert (await run("while True: pass", cpu_seconds=0.5)).limit == "cpu"
    assert (await run("import time; time.sleep(60)", wall_seconds=0.5)).limit == "time"


async def test_only_the_folder_for_temporary_files_can_be_written_and_it_is_bounded() -> None:
    files = "import os\nfor i in range(100_000): open(f'{os.environ[\"TMPDIR\"]}/{i}', 'w').close()\nwhile True: pass"
    assert (await run(files)).said == "was ended: it had more than 10,000 temporary files"
    elsewhere = ["/tmp/new", "/dev/shm/new", "/program", "new", "/usr/new"]
    outcome = await run(TRY + "".join(f"attempt('w', lambda: open({path!r}, 'w'))\n" for path in elsewhere))
    assert outcome.lines == ["w PermissionError"] * len(elsewhere)


async def test_folders_that_nobody_may_enter_are_removed_as_well() -> None:
    outcome = await run(
        "import os\nos.chdir(os.environ['TMPDIR'])\nos.makedirs('a/b')\nos.chmod('a', 0)\nprint(os.getcwd())"
    )
    assert not Path(outcome.lines[0]).exists()


async def test_files_processes_and_network_of_the_host_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the server's")
    environment = {"PATH": os.environ["PATH"], "FARFALIA_TOKEN": "another's"}
    with (
        socket.create_server(("127.0.0.1", 0)) as redis,
        subprocess.Popen(  # noqa: ASYNC220
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=environment
        ) as other,
    ):
        outcome = await run(
            TRY + "import os, socket\n"
            "attempt('shadow', lambda: open('/etc/shadow').read())\n"
            f"attempt('secret', lambda: open({str(secret)!r}).read())\n"
            f"attempt('environ', lambda: open('/proc/{other.pid}/environ').read())\n"
            f"attempt('kill', lambda: os.kill({other.pid}, 9))\n"
            f"attempt('redis', lambda: socket.create_connection(('127.0.0.1', {redis.getsockname()[1]}), 2))\n"
            "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))\n"
        )
        assert other.poll() is None
        other.communicate(b"\n")
    kinds = [line.split()[0] + " " + line.split()[1] for line in outcome.lines]
    refused = [f"{name} PermissionError" for name in ("shadow", "secret", "environ", "kill")]
    assert kinds == [*refused, "redis OSError", "udp OSError"]


async def test_children_that_are_left_behind() -> None:
    source = (
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nreading, writing = os.pipe()\n"
        "if not os.fork():\n    os.setsid()\n    if not os.fork():\n        os.write(writing, b'.')\n"
        "        time.sleep(1e6)\n    os._exit(0)\nos.read(reading, 1)\nprint('ready', flush=True)\n"
    )
    assert (await run(source)).exit_code == 0
    assert (await run(source + "time.sleep(60)", end_at="ready")).stopped


async def test_the_socket_of_the_server_is_reached(short_folder: Path) -> None:
    path = short_folder / "server.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen()
        outcome = await run(
            f"import socket\nsocket.socket(socket.AF_UNIX).connect({str(path)!r})\nprint('in')", path=str(path)
        )
    assert outcome.lines == ["in"]
    assert outcome.address == f"unix:{path}"
