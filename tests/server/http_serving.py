"""An application at a port of its own, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import ASGIApp

from farfalia_server.net.http_server import HttpServer
from farfalia_server.net.ports import bind


@asynccontextmanager
async def http_server(application: ASGIApp, **settings: Any) -> AsyncIterator[int]:
    """The port at which the server's own HTTP server serves the application."""
    listener = bind("127.0.0.1", 0, "web pages")
    server = HttpServer(application, **settings)
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
