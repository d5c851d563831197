"""The HTTP port: uvicorn in the server's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

import uvicorn
from starlette.types import ASGIApp

from farfalia_server.net.client_address import Proxies, is_counted
from farfalia_server.net.http_connection import PATIENCE, HttpConnection, bounded
from farfalia_server.net.ports import bind
from farfalia_server.net.supervision import supervised
from farfalia_server.net.tls import Certificate


class HttpPort:
    """An application on one address, with TLS if there is a certificate; `async with` binds it and lets it go.

    `most` is how many connections are accepted at once, a quarter of them from one address, unless it is one of
    `proxies` or not counted; one more is closed. Proxies are believed where a request comes from. `patience` is how
    many seconds a client may take for a request, and for reading some of an answer. If it is `shared`, other
    processes may listen there, too.
    """

    def __init__(
        self,
        application: ASGIApp,
        host: str,
        port: int,
        *,
        most: int,
        certificate: Certificate | None = None,
        patience: float = PATIENCE,
        shared: bool = False,
        proxies: str = "",
        is_counted: Callable[[str], bool] = is_counted,
    ) -> None:
        believed = Proxies(proxies)
        self._host = host
        self._shared = shared
        #: The port, the real one once it is bound.
        self.port = port
        config = uvicorn.Config(
            application,
            http=bounded(most, patience, lambda host: is_counted(host) and host not in believed),
            forwarded_allow_ips=proxies,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._server = _Quiet(config, certificate, patience)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> HttpPort:
        """Bind the port; SettingsError if it is taken or not allowed."""
        listener = bind(self._host, self.port, "web pages", shared=self._shared)
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._task = supervised(self._server.serve([listener]), "http")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task
            self._listener.close()  # if it has failed before it could do so


class _Quiet(uvicorn.Server):
    """A server that leaves signals alone and limits the time of a TLS handshake."""

    def __init__(self, config: uvicorn.Config, certificate: Certificate | None, patience: float) -> None:
        super().__init__(config)
        self._certificate = certificate
        self._patience = patience

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen. uvicorn's own method waits for a handshake for a minute, and reads a certificate only once."""
        assert sockets is not None
        await self.lifespan.startup()
        secure = self._certificate is not None
        self.servers = [
            await asyncio.get_running_loop().create_server(
                self._accept,
                sock=listener,
                backlog=self.config.backlog,
                ssl=self._certificate.http_context() if self._certificate else None,
                ssl_handshake_timeout=self._patience if secure else None,
                ssl_shutdown_timeout=self._patience if secure else None,
            )
            for listener in sockets
        ]
        self.started = True

    def _accept(self) -> HttpConnection:
        if self._certificate is not None:
            self._certificate.http_context()
        protocol: type[HttpConnection] = self.config.http_protocol_class  # type: ignore[assignment]
        return protocol(self.config, self.server_state, self.lifespan.state)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing: the process handles signals elsewhere."""
        yield
