"""The gRPC port: options that were measured, health, reflection, and the services."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from farfalia.v1 import arena_pb2, arena_pb2_grpc, play_pb2
from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.ports import with_port
from farfalia_server.net.tls import Certificate

#: The largest message that a bot may send, bytes.
LARGEST_MESSAGE = 256 << 10

_OPTIONS: list[tuple[str, Any]] = [
    # A peer that froze is noticed after half a minute; without the third option after more than a minute.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Bots behind NAT may ping every ten seconds and more.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", 16 << 20),
    ("grpc.max_concurrent_streams", 64),
    # A peer that connects and says nothing holds a descriptor only this long; gRPC waits for two minutes.
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Messages are small: gRPC need not measure how many bytes are on their way, with pings of its own, nor keep counts
    # that nobody reads.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.enable_channelz", 0),
]
_SERVICES = (
    play_pb2.DESCRIPTOR.services_by_name["PlayService"].full_name,
    arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name,
)


class GrpcPort:
    """A server on one address, with TLS if there is a certificate; `start` binds it.

    `most` is how many connections are accepted at a time; one more is closed. Unless it is `shared`, a second server on
    this port fails, instead of getting half of the connections.
    """

    def __init__(
        self,
        play: grpc.GenericRpcHandler,
        arena: arena_pb2_grpc.ArenaServiceServicer,
        *,
        most: int,
        certificate: Certificate | None = None,
        shared: bool = False,
    ) -> None:
        own = [("grpc.max_allowed_incoming_connections", most), ("grpc.so_reuseport", int(shared))]
        self._server = grpc.aio.server(options=[*_OPTIONS, *own])
        self._certificate = certificate
        self._health = health.aio.HealthServicer()
        self._server.add_generic_rpc_handlers((play,))
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(arena, self._server)  # type: ignore[no-untyped-call]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((*_SERVICES, reflection.SERVICE_NAME, health.SERVICE_NAME), self._server)

    async def start(self, host: str, port: int, socket: Path | None = None) -> int:
        """Start listening and return the port; SettingsError if it is in use or not allowed.

        `socket` is a path at which it listens as well, as a Unix socket that every user may open who gets that far.
        """
        address = with_port(host, port)
        try:
            if self._certificate is None:
                bound = self._server.add_insecure_port(address)
            else:
                bound = self._server.add_secure_port(address, self._certificate.grpc_credentials())
        except RuntimeError:
            raise SettingsError(
                f"cannot listen on {address} for gRPC: it is in use, or not an address of this machine"
            ) from None
        if socket is not None:
            self._listen_at(socket)
        await self._server.start()
        return bound

    def _listen_at(self, socket: Path) -> None:
        try:
            self._server.add_insecure_port(f"unix:{socket}")
        except RuntimeError:
            raise SettingsError(
                f"cannot listen on {socket} for gRPC: it is in use, or longer than a socket's"
            ) from None
        socket.chmod(0o666)  # programs in a sandbox have other users; the folder says who gets here

    async def tell_health(self, well: bool) -> None:
        """Set whether the health service reports SERVING; after `drain` it stays at NOT_SERVING."""
        status = health_pb2.HealthCheckResponse.SERVING if well else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in ("", *_SERVICES):
            await self._health.set(service, status)

    async def drain(self) -> None:
        """Report NOT_SERVING through the health service, so that no new calls come."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float) -> None:
        """Stop; calls that are still open after `grace` seconds are cut."""
        await self._server.stop(grace)
