"""Child processes of a benchmark and the processor time that they use."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


async def python_process(
    module: str, *arguments: str, env: dict[str, str] | None = None, piped: bool = False
) -> Process:
    """Starts `python -m module` with this interpreter."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, env=env, stdout=PIPE if piped else None
    )


def cpu_seconds(pid: int) -> float:
    """User and system time that a living process has used so far, in seconds (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def free_port() -> int:
    """A TCP port of this machine that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
