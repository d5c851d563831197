"""A worker, in its own process: a server that does what its control says."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence

from farfalia_server.app import Server
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.settings import Settings
from farfalia_server.workers.control import Control, WorkerCommand, WorkerReport
from farfalia_server.workers.metrics import MetricsOfWorker

#: How long a worker of which a part has failed may take to shut down.
_SHUTDOWN_SECONDS = 20.0
#: Tells the user how to connect.
Introduce = Callable[[Server], Awaitable[None]]


async def serve(chosen: Settings, workers: Sequence[str], control: Control, introduce: Introduce) -> None:
    """Serve until the control says stop, or until the process at its other end is gone; what goes wrong is told there.

    Raises FarfaliaServerError if the server cannot be started or a part of it fails.
    """
    metrics = MetricsOfWorker(control)
    server, stop = Server(chosen, workers=workers, metrics=metrics.page), asyncio.Event()
    starting = asyncio.current_task()
    assert starting is not None
    up = False

    async def obey() -> None:
        while (line := await control.receive()) is not None and line["what"] != WorkerCommand.STOP:
            if line["what"] == WorkerCommand.INTRODUCE:
                await introduce(server)
                control.send(WorkerReport.INTRODUCED)
            elif line["what"] == WorkerCommand.DRAIN and up:
                server.drain().add_done_callback(lambda _: control.send(WorkerReport.IDLE))
            elif line["what"] in (WorkerCommand.MEASURE, WorkerCommand.METRICS):
                metrics.told(line)
            else:
                break
        if not up:
            starting.cancel()

    obeying = asyncio.create_task(obey(), name="control")
    obeying.add_done_callback(lambda _: stop.set())
    try:
        async with server:
            up = True
            control.send(WorkerReport.UP)
            try:
                await server.serve_until(stop)
            except FarfaliaServerError as error:
                asyncio.get_running_loop().call_later(_SHUTDOWN_SECONDS, os._exit, error.exit_code)
                raise
        if obeying.done():
            obeying.result()
    except FarfaliaServerError as error:
        control.send(WorkerReport.FAILED, error=str(error), exit_code=error.exit_code)
        raise
    finally:
        obeying.cancel()
        await control.close()
