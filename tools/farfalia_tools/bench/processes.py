"""Child processes of a benchmark and the processor time that they use.

Each is in a session of its own: Ctrl-C and `timeout`, which reach all processes of a terminal or a group, reach the
command alone, and it ends them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO

from farfalia_server.contract.errors import ProgramError
from farfalia_server.net.embedded_redis import end_left_behind
from farfalia_tools.bench.checkouts import HERE, Checkout

_TICKS = os.sysconf("SC_CLK_TCK")
#: Bytes of one line of a process.
_LINE = 1 << 20
#: What a process is told to end with, and the seconds that it has then. A server lets its matches end at first.
_ENDING = ((signal.SIGTERM, 3.0), (signal.SIGTERM, 60.0), (signal.SIGKILL, None))
#: Seconds that what was killed may take to be gone.
_GROUP_SECONDS = 5.0


@asynccontextmanager
async def python_process(
    module: str,
    *arguments: str,
    checkout: Checkout = HERE,
    log: IO[bytes] | None = None,
    bench: bool = False,
    data: Path | None = None,
    **environment: str,
) -> AsyncIterator[Process]:
    """Run `python -m module` of a checkout; its standard input is a pipe, its output too or what `log` is.

    At the end of the block its input is closed, it is stopped, and it is gone, however often the block is cancelled. So
    is the embedded Redis of a server with this data directory.
    """
    process = await asyncio.create_subprocess_exec(
        *checkout.command(module, *arguments),
        env=checkout.environment(bench=bench, **environment),
        stdin=PIPE,
        stdout=PIPE if log is None else log,
        stderr=None if log is None else log,
        limit=_LINE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        await _finish(asyncio.create_task(_end(process, data)))


async def output_of(module: str, *arguments: str, checkout: Checkout = HERE, bench: bool = False) -> bytes:
    """Return what `python -m module` of a checkout prints; raises ProgramError unless it exits with 0."""
    async with python_process(module, *arguments, checkout=checkout, bench=bench) as process:
        assert process.stdout is not None
        output = await process.stdout.read()
        if await process.wait():
            raise ProgramError(f"{module} of {checkout.name} has failed; its last lines say why")
        return output


async def standard_input() -> asyncio.StreamReader:
    """Return what this process is told, line by line. No thread waits for it: the process can end while it is open."""
    reader, loop = asyncio.StreamReader(limit=_LINE), asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _end(process: Process, data: Path | None) -> None:
    """Close the standard input of a process and stop it, with more signals if the first is not enough."""
    assert process.stdin is not None
    process.stdin.close()
    for number, seconds in _ENDING:
        if process.returncode is None:
            process.send_signal(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), seconds)
    # A server that was stopped while it started has workers that do not know yet; they would use a folder that is gone.
    give_up = monotonic() + _GROUP_SECONDS
    with suppress(ProcessLookupError):
        while monotonic() < give_up:
            os.killpg(process.pid, signal.SIGKILL)
            await asyncio.sleep(0.02)
    if data is not None:
        await end_left_behind(data / "redis")


async def _finish(task: asyncio.Task[None]) -> None:
    """Wait until the task is done, even if this is cancelled meanwhile; that is passed on then.

    `timeout` sends its signal twice, and a user may press Ctrl-C again.
    """
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError


def cpu_seconds(pid: int) -> float:
    """Return user and system time that a living process has used so far, in seconds (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_bytes(pid: int) -> int:
    """Return the memory that a living process has in RAM (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    """Return a TCP port of this machine that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
