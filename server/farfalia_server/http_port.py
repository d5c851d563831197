"""The HTTP port: uvicorn in the server's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

import uvicorn
from starlette.applications import Starlette

from farfalia_server.errors import SettingsError


class HttpPort:
    """An application on one address; `async with` binds it and lets it go."""

    def __init__(self, application: Starlette, host: str, port: int) -> None:
        self._host = host
        #: The port, the real one once it is bound.
        self.port = port
        config = uvicorn.Config(
            application, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        self._server = _Quiet(config)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> HttpPort:
        """Binds the port; SettingsError if it cannot be had."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self._host, self.port))
        except OSError as error:
            listener.close()
            where = f"{self._host}:{self.port}"
            raise SettingsError(f"cannot listen on {where} for web pages: {error.strerror}") from None
        self.port = listener.getsockname()[1]
        self._task = asyncio.create_task(self._server.serve([listener]), name="http")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task


class _Quiet(uvicorn.Server):
    """A server that leaves the signals to the one whose process it is."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: they are not ours."""
        yield
