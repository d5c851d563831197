"""Where to connect, and as whom."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from farfalia.errors import BadSetting

DEFAULT_SERVER = "127.0.0.1:7600"
#: What each certificate begins with.
_PEM = b"-----BEGIN CERTIFICATE-----"
#: What the address of a Unix socket begins with.
_UNIX = "unix:"
#: By scheme of an address: whether it means TLS, and the port where none is named.
_SCHEMES = {
    "": (False, 7600),
    "farfalia": (False, 7600),
    "farfalias": (True, 7600),
    "http": (False, 7600),
    "https": (True, 443),
}


class Trust(NamedTuple):
    """What a TLS connection is made with, as PEM: whom we trust, and who we are; None for what is not chosen."""

    root_certificates: bytes | None = None
    private_key: bytes | None = None
    certificate_chain: bytes | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """An address to dial and the token to show there; the token stays out of the repr."""

    target: str
    tls: bool
    token: str = field(repr=False)
    trust: Trust = field(default=Trust(), repr=False)


def server(
    address: str | None = None,
    token: str | None = None,
    tls: bool | None = None,
    ca: str | os.PathLike[str] | None = None,
) -> Server:
    """Complete what is None from FARFALIA_SERVER, FARFALIA_TOKEN, FARFALIA_CA and the defaults.

    An address is `host`, `host:port` or either after a scheme: `farfalias://` and `https://` mean TLS, `farfalia://`
    and `http://` none. `unix:/run/farfalia.sock` is a socket on this machine. With TLS, `ca` is a PEM file with the
    authority to trust in place of the public ones, and FARFALIA_CLIENT_CERT and FARFALIA_CLIENT_KEY name the
    certificate to show to a server that asks for one.
    Raises BadSetting, naming what was expected.

    >>> server("farfalias://arena.example", "token").target
    'arena.example:7600'
    """
    address = address or os.environ.get("FARFALIA_SERVER") or DEFAULT_SERVER
    token = token or os.environ.get("FARFALIA_TOKEN")
    if not token:
        raise BadSetting(
            "There is no token: pass token=… or set FARFALIA_TOKEN to the token of your bot "
            "(farfalia bot register NAME prints one)."
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise BadSetting("The token holds characters that no token has; was it copied whole, and nothing else?")
    if address.startswith(_UNIX):
        return Server(_UNIX + _path(address), False, token)
    scheme, separator, rest = address.rpartition("://")
    if scheme not in _SCHEMES or (separator and not scheme):
        raise BadSetting(
            f"The server's address is {address!r}; expected host:port, farfalia://host:port or farfalias://host:port."
        )
    means_tls, port = _SCHEMES[scheme]
    secure = means_tls if tls is None else tls
    return Server(_with_port(rest.rstrip("/"), port), secure, token, _trust(ca) if secure else Trust())


def _path(address: str) -> str:
    """Return the path of a Unix socket, written as `unix:/path` or `unix:///path`."""
    path = address.removeprefix(_UNIX)
    path = path.removeprefix("//") if path.startswith("///") else path
    if not path.startswith("/") or path.startswith("//"):
        raise BadSetting(f"The server's address is {address!r}; expected unix:/path, such as unix:/run/farfalia.sock.")
    return path


def quiet(chosen: bool | None = None) -> bool:
    """Complete what is None from FARFALIA_QUIET, where everything but nothing and 0 means yes."""
    return os.environ.get("FARFALIA_QUIET", "") not in ("", "0") if chosen is None else chosen


def _trust(ca: str | os.PathLike[str] | None) -> Trust:
    key, chain = _file("FARFALIA_CLIENT_KEY"), _file("FARFALIA_CLIENT_CERT")
    if (key is None) != (chain is None):
        raise BadSetting("FARFALIA_CLIENT_CERT and FARFALIA_CLIENT_KEY belong together; only one of them is set.")
    authority = _file("FARFALIA_CA") if ca is None else _read("ca", os.fspath(ca))
    if authority is not None and _PEM not in authority:
        named = "FARFALIA_CA" if ca is None else "ca"
        raise BadSetting(f"{named} names a file that holds no certificate; expected one in PEM format.")
    return Trust(authority, key, chain)


def _file(variable: str) -> bytes | None:
    """Return what is in the file that a variable names; None if it names none."""
    name = os.environ.get(variable)
    return _read(variable, name) if name else None


def _read(what: str, name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise BadSetting(f"{what} is {name!r}, which cannot be read: {error.strerror}.") from None


def _with_port(host: str, default: int) -> str:
    bare = host.startswith("[") and host.endswith("]")
    name, colon, port = (host, "", "") if bare else host.rpartition(":")
    if not colon:
        name, port = host, str(default)
    if not name or not port.isdigit() or not 0 < int(port) < 65536 or "/" in name:
        raise BadSetting(f"The server's address is {host!r}; expected host:port, for example {DEFAULT_SERVER}.")
    return f"{name}:{port}"
