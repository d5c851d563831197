"""Whether the certificate can be used, for which names, and for how long."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from farfalia_server.contract.errors import SettingsError
from farfalia_server.doctor.finding import Finding
from farfalia_server.net.addresses import is_loopback
from farfalia_server.net.tls import certificate_of, check_exposure
from farfalia_server.settings import Settings

#: Days before its end at which a certificate should have been renewed.
_SOON = 14
_DAY = 86_400.0
_RENEW = "Renew it; the server uses the new files without a restart."


def check_certificate(settings: Settings) -> Iterator[Finding]:
    """Say whether key and certificate fit, and whether others can trust them."""
    name = "certificate"
    try:
        certificate = certificate_of(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
        check_exposure(settings.host, certificate, insecure=settings.insecure)
    except SettingsError as error:
        yield Finding.problem(name, error, "Name the chain and its key, as PEM files that the server's user may read.")
        return
    if certificate is None and is_loopback(settings.host):
        yield Finding.ok(name, "The server does not use TLS; only this machine can reach it.")
        return
    if certificate is None:
        yield Finding.warning(
            name,
            f"Others reach {settings.host} without TLS, as --insecure says.",
            "Make sure that only a proxy with TLS or a private network can reach it.",
        )
        return
    file, key = Path(settings.tls_cert), Path(settings.tls_key)
    try:
        shown = _shown(file, key, "")
    except ssl.SSLCertVerificationError as error:
        yield Finding.problem(name, f"{file} is not valid: {error.verify_message}.", _RENEW)
        return
    names = [value for kind, value in shown.get("subjectAltName", ()) if kind in ("DNS", "IP Address")]
    days = (ssl.cert_time_to_seconds(shown["notAfter"]) - time.time()) / _DAY
    text = f"{file} is for {', '.join(names) or 'no name'} and ends in {days:.0f} days."
    host = _host(settings.public_address) or _host(settings.public_url)
    if host and not _is_for(file, key, host):
        yield Finding.problem(
            name,
            f"{text} Others reach this server as {host}.",
            "Get a certificate for that name, or correct public_address.",
        )
    elif days < _SOON:
        yield Finding.warning(name, text, _RENEW)
    else:
        yield Finding.ok(name, text)


def _host(address: str) -> str:
    return urlsplit(address if "://" in address else f"//{address}").hostname or ""


def _is_for(file: Path, key: Path, host: str) -> bool:
    try:
        _shown(file, key, host)
    except ssl.SSLCertVerificationError:
        return False
    return True


def _shown(file: Path, key: Path, host: str) -> dict[str, Any]:
    """Return what a client is shown that trusts this certificate itself, and reaches it as `host` if that is given."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file, key)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(file)
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.check_hostname = bool(host)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    there = server.wrap_bio(to_server, to_client, server_side=True)
    here = client.wrap_bio(to_client, to_server, server_hostname=host or None)
    while True:
        for side in (here, there):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            if side is here:
                return here.getpeercert() or {}
