"""Child processes of a benchmark and the processor time that they use."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import IO

from farfalia_server.bench.checkouts import HERE, Checkout

_TICKS = os.sysconf("SC_CLK_TCK")
#: Bytes of one line of a process.
_LINE = 1 << 20


async def python_process(
    module: str,
    *arguments: str,
    checkout: Checkout = HERE,
    log: IO[bytes] | None = None,
    bench: bool = False,
    **environment: str,
) -> Process:
    """Start `python -m module` of a checkout; its standard input is a pipe, its output too or what `log` is."""
    return await asyncio.create_subprocess_exec(
        *checkout.command(module, *arguments),
        env=checkout.environment(bench=bench, **environment),
        stdin=PIPE,
        stdout=PIPE if log is None else log,
        stderr=None if log is None else log,
        limit=_LINE,
    )


async def standard_input() -> asyncio.StreamReader:
    """Return what this process is told, line by line. No thread waits for it: the process can end while it is open."""
    reader, loop = asyncio.StreamReader(limit=_LINE), asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def end(process: Process) -> None:
    """Close the standard input of a process and stop it, with a second signal if the first is not enough."""
    if process.stdin is not None:
        process.stdin.close()
    for _ in range(2):
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), 3)
            except TimeoutError:
                continue
    await process.wait()


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
