"""Ports of this machine: binding them, and checking whether they are free."""

import errno
import socket

from farfalia_server.contract.errors import SettingsError


def with_port(host: str, port: int) -> str:
    """Return an address: `host:port`, or `[host]:port` for IPv6."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def bind(host: str, port: int, use: str, *, shared: bool = False) -> socket.socket:
    """Return a socket that is bound but does not listen yet; SettingsError, which names the use, if the port is taken.

    If it is shared, other sockets of this user that are shared may use the same port, and each gets some connections.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        option = "--grpc-port" if use == "gRPC" else "--http-port"
        why = f"{error.strerror}; is another server up? Choose another port with {option} (0 for any that is free)"
        if error.errno == errno.EADDRNOTAVAIL:
            why = f"this machine has no such address; choose another with --host, such as {loopback()}"
        raise SettingsError(f"cannot listen on {with_port(host, port)} for {use}: {why}") from None
    return listener


def loopback() -> str:
    """Return the address at which a machine reaches itself: 127.0.0.1, or ::1 where there is IPv6 alone."""
    with socket.socket(socket.AF_INET) as probe:
        try:
            probe.bind(("127.0.0.1", 0))
        except OSError:
            return "::1"
    return "127.0.0.1"


def try_both(host: str, grpc_port: int, http_port: int) -> None:
    """Raise SettingsError if one of the ports is taken. Nobody can connect to them yet."""
    if grpc_port == http_port != 0:
        raise SettingsError(f"grpc_port and http_port are both {grpc_port}; each needs a port of its own")
    for port, use in ((grpc_port, "gRPC"), (http_port, "web pages")):
        bind(host, port, use).close()
