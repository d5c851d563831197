"""Answers at the HTTP port: uvicorn, which leaves signals alone and lets nobody hold a connection open idly."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from farfalia_server.net.client_address import Proxies, is_counted
from farfalia_server.net.http_connection import PATIENCE, HttpConnection, bounded
from farfalia_server.net.tls import Certificate


class HttpServer(uvicorn.Server):
    """Serves an application on sockets, with TLS if there is a certificate, until it is told to exit.

    `most` is how many connections are accepted at a time, a quarter of them from one address, unless it is one of
    `proxies` or not counted; one more is closed. Proxies are believed where a request comes from. `patience` is how
    many seconds a client may take for a request, for reading some of an answer, and for a TLS handshake.
    """

    def __init__(
        self,
        application: ASGIApp,
        *,
        most: int,
        certificate: Certificate | None = None,
        patience: float = PATIENCE,
        proxies: str = "",
        is_counted: Callable[[str], bool] = is_counted,
    ) -> None:
        believed = Proxies(proxies)
        super().__init__(
            uvicorn.Config(
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
        )
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
