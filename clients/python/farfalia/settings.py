"""Where to connect, and as whom."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from farfalia.errors import BadSetting

DEFAULT_SERVER = "127.0.0.1:7600"
_DEFAULT_PORT = 7600
_HTTPS_PORT = 443


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


def server(address: str | None = None, token: str | None = None, tls: bool | None = None) -> Server:
    """Complete what is None from FARFALIA_SERVER, FARFALIA_TOKEN and the defaults.

    An address is `host`, `host:port` or either after `http://` or `https://`; the latter means TLS. Then FARFALIA_CA
    names a PEM file with the authority to trust in place of the public ones, and FARFALIA_CLIENT_CERT and
    FARFALIA_CLIENT_KEY the certificate to show to a server that asks for one.
    Raises BadSetting, naming what was expected.
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
    scheme, separator, rest = address.rpartition("://")
    if separator and scheme not in ("http", "https"):
        raise BadSetting(f"The server's address is {address!r}; expected host:port, http://host:port or https://host.")
    secure = scheme == "https" if tls is None else tls
    target = _with_port(rest.rstrip("/"), _HTTPS_PORT if scheme == "https" else _DEFAULT_PORT)
    return Server(target, secure, token, _trust() if secure else Trust())


def quiet(chosen: bool | None = None) -> bool:
    """Complete what is None from FARFALIA_QUIET, where everything but nothing and 0 means yes."""
    return os.environ.get("FARFALIA_QUIET", "") not in ("", "0") if chosen is None else chosen


def _trust() -> Trust:
    key, chain = _file("FARFALIA_CLIENT_KEY"), _file("FARFALIA_CLIENT_CERT")
    if (key is None) != (chain is None):
        raise BadSetting("FARFALIA_CLIENT_CERT and FARFALIA_CLIENT_KEY belong together; only one of them is set.")
    return Trust(_file("FARFALIA_CA"), key, chain)


def _file(variable: str) -> bytes | None:
    """Return what is in the file that a variable names; None if it names none."""
    name = os.environ.get(variable)
    if not name:
        return None
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise BadSetting(f"{variable} is {name!r}, which cannot be read: {error.strerror}.") from None


def _with_port(host: str, default: int) -> str:
    bare = host.startswith("[") and host.endswith("]")
    name, colon, port = (host, "", "") if bare else host.rpartition(":")
    if not colon:
        name, port = host, str(default)
    if not name or not port.isdigit() or not 0 < int(port) < 65536 or "/" in name:
        raise BadSetting(f"The server's address is {host!r}; expected host:port, for example {DEFAULT_SERVER}.")
    return f"{name}:{port}"
