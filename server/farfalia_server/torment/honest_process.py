"""The process with the honest bots of the field, which ends with its starter."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from farfalia_server.torment.ground import TormentBot
from farfalia_server.torment.stream import DidNotHold

#: Sample bots that take turns.
_SAMPLES = ("cautious", "greedy")


class HonestProcess:
    """A running process with honest bots."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def check(self) -> None:
        """Raise DidNotHold if the process has ended: the server has turned a bot without fault away."""
        if self._process.returncode is not None:
            assert self._process.stdout is not None
            said = (await self._process.stdout.read()).decode().strip()
            raise DidNotHold(f"the honest bots ended: {said or f'exit code {self._process.returncode}'}")


@asynccontextmanager
async def honest_bots(address: str, bots: Sequence[TormentBot]) -> AsyncIterator[HonestProcess]:
    """Start the bots, and end them afterwards."""
    # Tokens on the input: nobody sees them in a list of processes. A Ctrl-C is for this process alone.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "farfalia_server.torment.honest",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("FARFALIA_")},
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        chosen = [(_SAMPLES[at % len(_SAMPLES)], bot.token) for at, bot in enumerate(bots)]
        process.stdin.write(json.dumps({"server": address, "bots": chosen}).encode() + b"\n")
        await process.stdin.drain()
        yield HonestProcess(process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()
