"""Why a server cannot be reached, from what gRPC says about it."""

from __future__ import annotations

import re

from farfalia.channels import proxy_in_use
from farfalia.settings import Server

_UNTRUSTED = re.compile(r"CERTIFICATE_VERIFY_FAILED(?:: ([^:]+))?")


def why_unreachable(details: str, server: Server) -> str:
    """Say what is wrong with the address or the certificate and what to do about it; gRPC's own words if unknown.

    A proxy on the way is named, too.
    """
    why = _why(details.rpartition("last error: UNKNOWN: ")[2], server)
    proxy = proxy_in_use(server.target)
    return f"{why}; it was dialled {proxy}" if proxy else why


def _why(details: str, server: Server) -> str:
    host = server.target.rpartition(":")[0]
    if untrusted := _UNTRUSTED.search(details):
        why = f" ({untrusted[1].strip()})" if untrusted[1] else ""
        return (
            f"its certificate cannot be checked{why}; if you trust it, name its file or its authority's in FARFALIA_CA"
        )
    if "Hostname Verification Check failed" in details or "does not match SSL server name" in details:
        return f"its certificate is not for {host}; connect to a name that the certificate holds"
    if "WRONG_VERSION_NUMBER" in details:
        return f"it does not speak TLS; connect to farfalia://{server.target}"
    if "errors resolving" in details or "DNS resolution failed" in details:
        return f"the name {host} cannot be resolved"
    if is_web(details):
        return "it answers as a web server does; bots and commands connect to another port, usually 7600"
    if server.tls and _cut_off(details):  # with TLS 1.3 that is all that a client learns
        if server.trust.certificate_chain:
            return "it ends the connection; it may not accept the certificate that FARFALIA_CLIENT_CERT names"
        return (
            "it ends the connection; if it asks for a certificate of yours, name its files in FARFALIA_CLIENT_CERT and "
            "FARFALIA_CLIENT_KEY"
        )
    if not server.tls and ("parsing HTTP/2" in details or _cut_off(details)):
        return f"it does not speak as a Farfalia server does; if it expects TLS, connect to farfalias://{server.target}"
    return details


def is_web(details: str) -> bool:
    """Return whether gRPC says that the other side answered in HTTP/1, as the port of the pages does."""
    return "http1.x" in details or "Expected SETTINGS frame" in details


def _cut_off(details: str) -> bool:
    """Return whether the other side closed the connection before a word was said, as one does that expects TLS."""
    return "failed to connect" in details and "Socket closed" in details
