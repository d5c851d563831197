"""Asks a server on this machine whether it is well: `python -m farfalia_server.healthz`, for health checks.

It needs the standard library only, so that asking every few seconds costs next to nothing.
"""

import os
import ssl
import sys
import urllib.request
from collections.abc import Mapping
from typing import Any

_SECONDS = 8.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where to ask a server that listens there


def is_well(environment: Mapping[str, str]) -> bool:
    """Return whether the server with these settings answers, and says that nothing is wrong."""
    host, port = environment.get("FARFALIA_HOST") or "127.0.0.1", environment.get("FARFALIA_HTTP_PORT") or "7601"
    # The certificate names the host that others use, not this one.
    trusting = ssl._create_unverified_context() if environment.get("FARFALIA_TLS_CERT") else None  # noqa: S323
    scheme = "https" if trusting else "http"
    try:
        with directly(f"{scheme}://{reachable(host, port)}/healthz", _SECONDS, trusting) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def reachable(host: str, port: int | str) -> str:
    """Return the address at which this machine reaches a server that listens on a host: with brackets for IPv6."""
    host = _EVERYWHERE.get(host, host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def directly(
    url: str | urllib.request.Request, seconds: float = _SECONDS, context: ssl.SSLContext | None = None
) -> Any:
    """Open an address of this machine, which no proxy leads to, whatever the environment says."""
    handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)]
    return urllib.request.build_opener(*handlers).open(url, timeout=seconds)


if __name__ == "__main__":
    sys.exit(0 if is_well(os.environ) else 1)
