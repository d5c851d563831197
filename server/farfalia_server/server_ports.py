"""Both ports of a server, HTTP for pages and gRPC for bots and calls, and the addresses at which others reach them."""

from __future__ import annotations

import socket
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc

from farfalia_server.arena.service import ArenaService
from farfalia_server.contract.errors import NotReady
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses, addresses
from farfalia_server.net.grpc_port import GrpcPort
from farfalia_server.net.ports import bind, with_port
from farfalia_server.net.tls import Certificate
from farfalia_server.settings import Settings


class ServerPorts:
    """The ports that the settings name, with TLS if there is a certificate; `stack` closes what is opened.

    If they are `shared`, other processes listen there, too.
    """

    def __init__(
        self, settings: Settings, certificate: Certificate | None, stack: AsyncExitStack, *, shared: bool = False
    ) -> None:
        self._settings = settings
        self._shared = shared
        self._certificate = certificate
        self._stack = stack
        self._public: Addresses | None = None
        #: Address of the first page on this machine, with the real port.
        self.pages = ""
        #: host:port for bots on this machine, with the real port; after https:// if there is TLS.
        self.grpc_address = ""
        #: Where the process that answers browsers opens streams for persons.
        self._door = ""

    def bind_http(self) -> socket.socket:
        """Return the socket for pages, which does not listen yet; the port comes before the one for gRPC."""
        settings = self._settings
        listener = bind(settings.host, settings.http_port, "web pages", shared=self._shared)
        self._stack.callback(listener.close)
        self._http_port = listener.getsockname()[1]
        scheme = "https" if self._certificate else "http"
        self.pages = f"{scheme}://{with_port(settings.host, self._http_port)}/"
        return listener

    async def open_grpc(
        self, play: grpc.GenericRpcHandler, arena: ArenaService, *, most: int, unix_socket: Path | None = None
    ) -> None:
        """Let bots and calls in, at most by this many connections at a time, and through a Unix socket, too.

        Without one it is made for this user alone: there, no certificate is needed.
        """
        settings, tls = self._settings, self._certificate is not None
        if unix_socket is None:
            folder = self._stack.enter_context(TemporaryDirectory(prefix="farfalia-", ignore_cleanup_errors=True))
            unix_socket = Path(folder) / "door.sock"
        self._door = f"unix:{unix_socket}"
        self._grpc = GrpcPort(play, arena, most=most, certificate=self._certificate, shared=self._shared)
        port = await self._grpc.start(settings.host, settings.grpc_port, unix_socket)
        self._stack.push_async_callback(self._grpc.stop, 0.5)
        self.grpc_address = f"{'https://' if tls else ''}{with_port(settings.host, port)}"
        self._public = addresses(
            settings.host,
            port,
            self._http_port,
            tls=tls,
            public_address=settings.public_address,
            public_url=settings.public_url,
        )

    @property
    def public(self) -> Addresses:
        """Both addresses as others reach them; NotReady before the ports are open."""
        if self._public is None:
            raise NotReady(said("the server is starting; try again in a moment"))
        return self._public

    async def tell_public(self) -> Addresses:
        """Return `public`, for another process that asks."""
        return self.public

    async def tell_door(self) -> str:
        """Return where streams are opened from this machine, for the process that plays for persons."""
        return self._door

    def public_pages(self) -> str:
        """Return what bots are told of the pages' address; nothing if nobody has said how others reach it."""
        public = self._public
        if public is None or (public.guessed and not self._settings.public_url):
            return ""
        return public.pages.rstrip("/")

    async def tell_health(self, well: bool) -> None:
        """Set what gRPC's health service reports."""
        await self._grpc.tell_health(well)

    async def drain(self) -> None:
        """Report through the health service that no new calls should come."""
        await self._grpc.drain()
