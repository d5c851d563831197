"""From where a call comes, as limits count it."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote

#: Of an IPv6 address, what one site has: its other bits are chosen as its owner likes.
_SITE_BITS = 64


def peer_host(peer: str) -> str:
    """Return the host of what gRPC calls a peer, such as `ipv4:10.0.0.1:5000` or `ipv6:%5B::1%5D:5000`."""
    kind, _, rest = unquote(peer).partition(":")
    return rest.rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else kind


def counted_as(host: str) -> str:
    """Return what an address is counted as: itself, or the network of an IPv6 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((address, _SITE_BITS), strict=False)) if not address.is_loopback else str(address)
    return str(address)
