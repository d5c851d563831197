"""The HTTP port: this process listens there, and a worker process, started with the first connection, answers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import structlog

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.service import Service
from farfalia_server.net.worker_process import WorkerProcess

log = structlog.get_logger(__name__)

#: Connections that wait until they are accepted: as many as uvicorn lets wait.
_BACKLOG = 2048
#: Seconds between two looks at whether the process responds, seconds in which it must, and in which it must have begun.
_LOOK, _PATIENCE, _BEGINNING = 1.0, 10.0, 60.0
#: Seconds before the process that has ended is started again, and seconds that it may take to stop.
_AGAIN, _STOPPING = 0.5, 3.0


@dataclass(frozen=True, slots=True)
class Application:
    """What answers in the worker process: `serve` runs with the settings until `stop` has."""

    serve: Callable[[Any], Awaitable[None]]
    stop: Callable[[], Awaitable[None]]
    settings: Any


class HttpPort(Service):
    """Has `worker`, which inherits the listener, answer there.

    If the process ends, it is started again with the next connection; if it hangs, it is ended. Meanwhile, connections
    wait: this process keeps the port.
    """

    def __init__(self, listener: socket.socket, worker: WorkerProcess, application: Application) -> None:
        super().__init__("http")
        self._listener = listener
        self._worker = worker
        self._application = application

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.tell(self._application.stop)
        killing = asyncio.get_running_loop().call_later(_STOPPING, self._worker.kill)
        await super().__aexit__(kind, error, trace)
        killing.cancel()

    async def _run(self) -> None:
        self._listener.listen(_BACKLOG)
        while await self._is_connected_to():
            try:
                await self._serve()
            except (FarfaliaServerError, OSError) as error:
                if not self._stopping:
                    log.error("http_process_ended", error=str(error), retry_seconds=_AGAIN)
                    await self._goes_on(_AGAIN)

    async def _is_connected_to(self) -> bool:
        """Wait for a connection; return False if the server stops."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._listener, self.wake)
        try:
            return await self._goes_on(None)
        finally:
            loop.remove_reader(self._listener)
            self._woken.clear()

    async def _serve(self) -> None:
        """Return when the process has been told to stop; raises FarfaliaServerError if it ends otherwise."""
        serving = asyncio.ensure_future(self._worker.run(self._application.serve, self._application.settings))
        patience = _BEGINNING
        while not serving.done():
            if not await self._worker.responds(patience):
                log.error("http_process_hangs", seconds=patience)
                self._worker.kill()
            await asyncio.wait((serving,), timeout=_LOOK)
            patience = _PATIENCE
        await serving
