"""The address of a client, as rate limits count it."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

#: The prefix of an IPv6 address that belongs to one site; its owner can choose the other bits freely.
_SITE_BITS = 64
#: What a list of proxies looks like, as messages name it.
PROXIES = "addresses and networks, separated by commas, such as 10.0.0.5,172.16.0.0/12"


class Proxies:
    """The proxies that are trusted to name the client of a request; ValueError if the text is not such a list."""

    def __init__(self, text: str = "") -> None:
        self._networks: list[IPv4Network | IPv6Network] = [
            ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip()
        ]

    def __contains__(self, host: str) -> bool:
        try:
            address = ip_address(plain(host))
        except ValueError:
            return False
        return any(address in network for network in self._networks)

    def counts(self, host: str) -> bool:
        """Return whether limits per address apply to this host: not to this machine, and not to a proxy."""
        return is_counted(host) and host not in self

    def client(self, host: str, forwarded: str) -> str:
        """Return the address of a client: `host`, or, if that is a proxy, the last of `forwarded` that is not one."""
        for before in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):
            if host not in self:
                break
            host = before
        return host


def plain(host: str) -> str:
    """Return the IPv4 address that an IPv6 socket shows as `::ffff:10.0.0.1`; any other host as it is."""
    try:
        mapped = getattr(ip_address(host), "ipv4_mapped", None)
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


def peer_host(peer: str) -> str:
    """Return the host of what gRPC calls a peer, such as `ipv4:10.0.0.1:5000` or `ipv6:%5B::1%5D:5000`."""
    kind, _, rest = unquote(peer).partition(":")
    return plain(rest.rpartition(":")[0].strip("[]")) if kind in ("ipv4", "ipv6") else kind


def is_counted(host: str) -> bool:
    """Return whether limits per address apply to this host: not to this machine."""
    try:
        return not ip_address(plain(host)).is_loopback  # versions of Python differ on mapped addresses
    except ValueError:
        return host != "unix"


def counted_as(host: str) -> str:
    """Return the key under which limits count an address: itself, or the network of an IPv6 address."""
    try:
        address = ip_address(plain(host))
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, _SITE_BITS), strict=False)) if not address.is_loopback else str(address)
    return str(address)
