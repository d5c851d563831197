"""Runs one program in a sandbox, in this process or, as a script, in one of another user; reports what came of it."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from farfalia_server.sandbox import Limits, Program, choose
from farfalia_server.sandbox.user_ids import DEFAULT_IDS

SYSTEM_PYTHON = Path("/usr/bin/python3")
#: The Python that programs are written for: the system's, which every user may start, or else this one.
PYTHON = str(SYSTEM_PYTHON) if SYSTEM_PYTHON.exists() else sys.executable
RUNTIMES = () if SYSTEM_PYTHON.exists() else (Path(sys.prefix), Path(sys.base_prefix))

#: The beginning of a program that tells what it could do, or by which error it could not.
TRY = """
def attempt(name, what):
    try:
        print(name, repr(what()))
    except Exception as error:
        print(name, type(error).__name__)
"""


@dataclass(frozen=True)
class Order:
    """What is run, how, and after which line it is told to end."""

    source: str
    driver: str = "bwrap"
    limits: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    socket: str = ""
    end_at: str = ""
    ids: tuple[int, int] = (DEFAULT_IDS.start, DEFAULT_IDS.stop)


@dataclass(frozen=True)
class Outcome:
    """How it ended, in words and by its parts, and each line that was told of."""

    said: str
    limit: str | None
    exit_code: int | None
    signal: int | None
    stopped: bool
    peak_memory: int
    cpu_seconds: float
    lines: list[str]
    address: str


async def run(order: Order) -> Outcome:
    """Run the source as a Python program; it is told to end when it has written the line `end_at`."""
    sandbox = await choose(order.driver, range(*order.ids))
    lines: list[str] = []
    written = asyncio.Event()

    def tell(line: str) -> None:
        lines.append(line)
        if line == order.end_at:
            written.set()

    with tempfile.TemporaryDirectory(prefix="farfalia-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "program.py").write_text(order.source)
        (folder / "program.py").chmod(0o644)
        socket = Path(order.socket) if order.socket else None
        # A test that fails must end as well.
        limits = Limits(**{"wall_seconds": 30, **order.limits})
        program = Program((PYTHON, "program.py"), folder, order.environment, RUNTIMES)
        running = sandbox.start(program, limits, socket, tell)
        if order.end_at:
            await written.wait()
            ending = await running.end()
        else:
            ending = await running.wait()
    return Outcome(
        said=str(ending),
        limit=ending.limit,
        exit_code=ending.exit_code,
        signal=ending.signal,
        stopped=ending.stopped,
        peak_memory=ending.peak_memory,
        cpu_seconds=ending.cpu_seconds,
        lines=lines,
        address="" if socket is None else sandbox.address(socket),
    )


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(run(Order(**json.load(sys.stdin)))))))
