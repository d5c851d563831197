"""The host that a server starts beside itself: a process of its own, which is started again when it ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from types import TracebackType
from typing import Final, Self

import structlog

from farfalia.backoff import Backoff
from farfalia_server.net.secrecy import without_settings
from farfalia_server.net.supervision import supervised

log = structlog.get_logger(__name__)

#: Seconds between two looks at whether it has ended, and how long it may take to give its programs away.
_LOOK: Final = 0.2
_PATIENCE: Final = 10.0


class OwnHost:
    """Runs a host while it is entered; `token` makes a token for it, `address` returns where it connects."""

    def __init__(
        self,
        name: str,
        folder: Path,
        sandbox: str,
        *,
        token: Callable[[], Awaitable[str]],
        address: Callable[[], str],
        environment: Mapping[str, str],
    ) -> None:
        self._words = ["--name", name, "--folder", str(folder), "--sandbox", sandbox, "--with-parent"]
        self._token = token
        self._address = address
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Self:
        """Start it."""
        self._task = supervised(self._keep(await self._token()), "host")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            await self._ended(_PATIENCE)
            if self._process.poll() is None:
                self._process.kill()
                await self._ended(_PATIENCE)

    async def _keep(self, token: str) -> None:
        backoff = Backoff(Random())
        told = {"FARFALIA_SERVER": self._address(), "FARFALIA_HOST_TOKEN": token}
        while True:
            began = monotonic()
            self._process = self._spawned(told)
            await self._ended()
            log.warning("host_ended", code=self._process.returncode)
            await asyncio.sleep(backoff.wait(monotonic() - began))

    def _spawned(self, told: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the process; not through the event loop: uvloop forks such that gRPC's fork handlers run."""
        return subprocess.Popen(  # noqa: S603  (this Python, with settings of ours)
            [sys.executable, "-m", "farfalia_server", "host", *self._words],
            env={**without_settings(), **self._environment, **told},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def _ended(self, seconds: float | None = None) -> None:
        assert self._process is not None
        deadline = None if seconds is None else monotonic() + seconds
        while self._process.poll() is None and (deadline is None or monotonic() < deadline):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK)
