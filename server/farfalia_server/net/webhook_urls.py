"""Addresses of strangers to which this server sends something: which of them it may."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from enum import StrEnum
from typing import Final
from urllib.parse import SplitResult, urlsplit

from farfalia_server.contract.said import Said, either, said

#: Most characters of a URL.
LONGEST_URL: Final = 500
_HOST = re.compile(r"[0-9A-Za-z]([0-9A-Za-z.-]*[0-9A-Za-z])?\.?|\[[0-9A-Fa-f:.]+\]")
#: Where IPv6 addresses have an IPv4 address in them (RFC 6052), which a gateway would connect to.
_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class WebhookTargets(StrEnum):
    """Where webhooks may lead."""

    OFF = "off"  #: nowhere: there are none
    PUBLIC = "public"  #: by https to addresses that the whole internet has
    ANY = "any"  #: to every address, those of the server's own network as well, and by http, too


class UrlRefused(Exception):
    """Raised for a URL to which nothing is sent: `text` is a fragment that says what was expected."""

    def __init__(self, text: Said) -> None:
        super().__init__(text)
        self.text = text


def checked_url(url: str, targets: WebhookTargets) -> SplitResult:
    """Return the parts of a URL of this form, without looking its host up; UrlRefused."""
    schemes = ("https", "http") if targets is WebhookTargets.ANY else ("https",)
    expected = said(
        "expected %(form)s in at most %(most)s characters of ASCII, without a user",
        form=either([f"{scheme}://HOST/PATH" for scheme in schemes]),
        most=LONGEST_URL,
    )
    if len(url) > LONGEST_URL or not re.fullmatch(r"[!-~]+", url):
        raise UrlRefused(expected)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UrlRefused(expected) from None
    plain = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc
    if parts.scheme not in schemes or not _HOST.fullmatch(plain) or parts.fragment or port == 0:
        raise UrlRefused(expected)
    try:
        literal = ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        return parts
    check_address(literal, targets)
    return parts


async def address_of(parts: SplitResult, targets: WebhookTargets) -> str:
    """Return the address to connect to for a URL; UrlRefused, OSError if its host has none.

    All addresses of the host have to be allowed. Connect to the one that is returned: the name may have another one a
    moment later.
    """
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    for address in addresses:
        check_address(address, targets)
    return str(addresses[0])


def check_address(address: _Address, targets: WebhookTargets) -> None:
    """Raise UrlRefused for an address to which nothing is sent."""
    if targets is not WebhookTargets.ANY and not all(map(_is_public, _meant(address))):
        raise UrlRefused(
            said("%(address)s is no public address; expected one that the whole internet has", address=str(address))
        )


def _meant(address: _Address) -> list[_Address]:
    """Return an address, and the IPv4 address that it stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _NAT64):
        inner.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    return [address, *(one for one in inner if one is not None)]


def _is_public(address: _Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved
