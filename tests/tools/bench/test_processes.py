"""Processes of a benchmark: they are gone at the end of their block, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import fcntl
import signal
import sys
from asyncio.subprocess import Process
from pathlib import Path

import pytest

from farfalia_server.contract.errors import ProgramError
from farfalia_tools.bench import processes
from farfalia_tools.bench.checkouts import HERE, Checkout
from farfalia_tools.bench.processes import output_of, python_process

#: Ends at the second SIGTERM, as a server does that lets its matches end first.
SLOW_TO_END = """
import signal
signals = signal.SIGTERM, signal.SIGINT
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
print("ready", flush=True)
for word in ("first", "second"):
    signal.sigwait(signals)
    print(word, flush=True)
"""
#: Starts another process, in its group and with its output, which outlives it.
WITH_ANOTHER = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
print("ready", flush=True)
sys.stdin.read()
"""
#: Starts a Redis as a server does, and leaves it behind.
WITH_REDIS = """
import asyncio, os, sys
from pathlib import Path
from farfalia_server.net.embedded_redis import EmbeddedRedis

async def main():
    await EmbeddedRedis(Path(sys.argv[1])).__aenter__()
    sys.stdout.flush()  # it has logged the start
    sys.stdin.read()
    os._exit(0)

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_ENDING", ((signal.SIGTERM, 0.2), *processes._ENDING[1:]))


def program(text: str, folder: Path) -> Checkout:
    """A checkout whose only module is `program`."""
    (folder / "program.py").write_text(text)
    return Checkout("the program", sys.executable, {**HERE.rooms, "": folder})


async def line(process: Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


async def test_a_second_cancellation_waits_for_the_process_as_the_first_does(tmp_path: Path) -> None:
    running: asyncio.Future[Process] = asyncio.get_running_loop().create_future()

    async def run() -> None:
        async with python_process("program", checkout=program(SLOW_TO_END, tmp_path)) as process:
            running.set_result(process)
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    process = await running
    assert await line(process) == "ready"
    task.cancel()
    assert await line(process) == "first"
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert process.returncode == 0
    assert await line(process) == "second"


async def test_what_a_process_has_started_in_its_group_is_ended_with_it(tmp_path: Path) -> None:
    async with python_process("program", checkout=program(WITH_ANOTHER, tmp_path)) as process:
        assert await line(process) == "ready"
    assert process.stdout is not None
    assert await process.stdout.read() == b""  # nobody has it open any more


async def test_the_redis_that_a_server_has_left_behind_is_ended(tmp_path: Path) -> None:
    redis, checkout = tmp_path / "data" / "redis", program(WITH_REDIS, tmp_path)
    async with python_process("program", str(redis), checkout=checkout, data=redis.parent) as process:
        assert "redis_started" in await line(process)
    with (redis / "server.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it would hold it


async def test_what_a_process_prints_is_returned_unless_it_fails(tmp_path: Path) -> None:
    assert await output_of("program", "7", checkout=program("import sys; print(sys.argv[1])", tmp_path)) == b"7\n"
    with pytest.raises(ProgramError, match="program of the program has failed"):
        await output_of("program", checkout=program("raise SystemExit(3)", tmp_path))
