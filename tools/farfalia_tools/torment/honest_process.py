"""The process with the honest bots of the field, which ends with its starter."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

from farfalia_server.net.secrecy import without_settings
from farfalia_tools.torment.harness import TormentBot
from farfalia_tools.torment.stream import DidNotHold

#: Sample bots that take turns.
_SAMPLES = ("cautious", "greedy")
#: What says whom to trust with TLS, and who we are.
_TRUST = ("FARFALIA_CA", "FARFALIA_CLIENT_CERT", "FARFALIA_CLIENT_KEY")


class HonestProcess:
    """A running process with honest bots."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def check(self) -> None:
        """Raise DidNotHold if the process has ended: the server has turned a bot without fault away."""
        if self._process.returncode is not None:
            assert self._process.stdout is not None
            await self._ended((await self._process.stdout.read()).decode())

    async def decisions(self) -> int:
        """Return how many decisions the bots have made so far; DidNotHold as for `check`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(ConnectionError):
            self._process.stdin.write(b"\n")
            await self._process.stdin.drain()
        line = (await self._process.stdout.readline()).decode()
        if not line.strip().isdigit():
            await self._ended(line)
        return int(line)

    async def _ended(self, said: str) -> NoReturn:
        code = await self._process.wait()
        raise DidNotHold(f"the honest bots ended: {said.strip() or f'exit code {code}'}")


@asynccontextmanager
async def honest_bots(address: str, bots: Sequence[TormentBot], matches: int = 64) -> AsyncIterator[HonestProcess]:
    """Start the bots, each of which takes so many matches at a time, and end them afterwards."""
    # Tokens on the input: nobody sees them in a list of processes. A Ctrl-C is for this process alone.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "farfalia_tools.torment.honest",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=without_settings() | {name: os.environ[name] for name in _TRUST if name in os.environ},
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        chosen = [(_SAMPLES[at % len(_SAMPLES)], bot.token) for at, bot in enumerate(bots)]
        process.stdin.write(json.dumps({"server": address, "bots": chosen, "matches": matches}).encode() + b"\n")
        await process.stdin.drain()
        yield HonestProcess(process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()
