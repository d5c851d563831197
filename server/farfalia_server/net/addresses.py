"""The addresses that a server announces or is given: where bots connect, where the pages are, where it keeps things."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from farfalia_server.net.ports import with_port

#: Forms of `public_address` and `public_url`, as messages name them.
ADDRESS = "HOST, HOST:PORT or https://HOST:PORT, with a host that others can reach"
URL = "http://HOST:PORT or https://HOST:PORT, with a host that others can reach"
#: The same of the issuer of identities.
ISSUER = "https://HOST or https://HOST/PATH without ? and #; http:// only for a provider on this machine"
#: The same of the place for archives of programs.
ARCHIVE_PLACE = "an absolute path, file:///PATH or s3://BUCKET/PREFIX"

_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9._-]{1,61}[a-z0-9](/[^?#\s]*)?")
_ADDRESS = re.compile(
    r"(?P<scheme>https?://)?(?P<host>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z]([0-9A-Za-z._-]*[0-9A-Za-z])?)(:(?P<port>[0-9]{1,5}))?/?"
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """What bots have as FARFALIA_SERVER, and the address of the first page, which ends with a slash."""

    bots: str
    pages: str
    #: Whether this machine's own name stands in, since no public address was configured.
    guessed: bool = False


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_wildcard(host: str) -> bool:
    """Return whether the host is a wildcard: every address of this machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def is_address(text: str) -> bool:
    """Return whether it has the form of a public address."""
    return _split(text) is not None


def is_url(text: str) -> bool:
    """Return whether it has the form of the pages' public address."""
    return text.startswith(("http://", "https://")) and is_address(text)


def is_issuer(text: str) -> bool:
    """Return whether it can be the issuer of identities: nobody on the way may read or change what it says."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))
    return bool(safe and host and text.isprintable() and not set(" ?#@") & set(text))


def is_archive_place(text: str) -> bool:
    """Return whether it can be a folder or a bucket where archives of programs are kept."""
    if "://" not in text:
        return Path(text).is_absolute()
    return bool(_BUCKET.fullmatch(text)) or text.startswith("file:///")


def addresses(
    host: str, grpc_port: int, http_port: int, *, tls: bool, public_address: str = "", public_url: str = ""
) -> Addresses:
    """Return the addresses of a server that listens on these ports; those that are public go before its own."""
    guessed = is_wildcard(host) and not public_address
    scheme, name, port = _split(public_address) or ("", socket.gethostname() if guessed else host, 0)
    own = f"{'https://' if tls else ''}{with_port(name, port or grpc_port)}"
    bots = public_address.rstrip("/") if scheme else own
    pages = public_url.rstrip("/") or f"{'https' if tls else 'http'}://{with_port(name, http_port)}"
    return Addresses(bots, f"{pages}/", guessed)


def _split(text: str) -> tuple[str, str, int] | None:
    """Return scheme, host without brackets and port, 0 if there is none; None if it is no public address."""
    if text.count(":") > 1 and "//" not in text and not text.startswith("["):
        text = f"[{text}]"  # an IPv6 address by itself
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return None
    scheme, host, port = found["scheme"] or "", found["host"], found["port"]
    if host.startswith("["):
        host = host[1:-1]
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return None
    if is_wildcard(host) or (port is not None and not 0 < int(port) < 65536):
        return None
    return scheme, host, int(port or 0)
