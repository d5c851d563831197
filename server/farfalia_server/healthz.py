"""Asks a server on this machine whether it is well: `python -m farfalia_server.healthz`, for health checks.

It needs the standard library only, so that asking every few seconds costs next to nothing.
"""

import os
import ssl
import sys
import urllib.request
from collections.abc import Mapping

_SECONDS = 8.0


def is_well(environment: Mapping[str, str]) -> bool:
    """Return whether the server with these settings answers, and says that nothing is wrong."""
    port = environment.get("FARFALIA_HTTP_PORT") or "7601"
    # The certificate names the host that others use, not this one.
    trusting = ssl._create_unverified_context() if environment.get("FARFALIA_TLS_CERT") else None  # noqa: S323
    scheme = "https" if trusting else "http"
    try:
        with urllib.request.urlopen(  # noqa: S310 - our own address
            f"{scheme}://127.0.0.1:{port}/healthz", timeout=_SECONDS, context=trusting
        ) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_well(os.environ) else 1)
