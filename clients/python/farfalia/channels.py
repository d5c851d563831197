"""How a client dials: the only place that opens a gRPC channel, and the only one that knows of HTTP proxies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import grpc
import grpc.aio

from farfalia.settings import Server

#: Where gRPC looks for a proxy, the first that is set counts, and for what is reached without one.
_PROXY = ("grpc_proxy", "https_proxy", "http_proxy")
_DIRECT = ("no_grpc_proxy", "no_proxy")


def open_channel(
    server: Server, options: Sequence[tuple[str, Any]] = (), target: str | None = None
) -> grpc.aio.Channel:
    """Return a channel to a server, or to `target` in its place; nothing is dialled yet.

    This machine is dialled directly, whatever `http_proxy` and its like say: no proxy leads back here.
    """
    channel: grpc.aio.Channel = _opened(grpc.aio, server, options, target or server.target)
    return channel


def open_sync_channel(server: Server) -> grpc.Channel:
    """Return a channel as `open_channel` does, whose calls wait for their answers."""
    channel: grpc.Channel = _opened(grpc, server, (), server.target)
    return channel


def _opened(kind: Any, server: Server, options: Sequence[tuple[str, Any]], target: str) -> Any:
    """Return a channel of grpc or of grpc.aio."""
    if is_this_machine(target):
        options = [*options, ("grpc.enable_http_proxy", 0)]
    if server.tls:
        return kind.secure_channel(target, grpc.ssl_channel_credentials(*server.trust), options=options)
    return kind.insecure_channel(target, options=options)


def is_this_machine(target: str) -> bool:
    """Return whether an address, `host:port` or a Unix socket, is one that only this machine can reach."""
    if target.startswith("unix:"):
        return True
    host = target.rpartition(":")[0].strip("[]").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def proxy_in_use(target: str) -> str:
    """Return which proxy gRPC dials in place of an address, and why, as the end of a sentence; empty if none."""
    named = next((name for name in _PROXY if os.environ.get(name)), None)
    if named is None or is_this_machine(target):
        return ""
    host = target.rpartition(":")[0].strip("[]")
    direct = next((os.environ[name] for name in _DIRECT if os.environ.get(name)), "")
    if any(host.endswith(entry.strip()) for entry in direct.split(",") if entry.strip()):
        return ""
    proxy = urlsplit(os.environ[named])
    if proxy.scheme != "http":  # gRPC knows no other kind, and then dials directly
        return ""
    shown = proxy.netloc.rpartition("@")[2]  # without the password
    return f"through the proxy {shown}, which {named} names; to connect without it, add {host} to no_proxy"
