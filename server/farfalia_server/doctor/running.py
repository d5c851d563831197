"""Whether a server runs with these settings, and who has its ports."""

from __future__ import annotations

import asyncio
import json
import ssl
import urllib.error
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from farfalia_server.contract.errors import SettingsError
from farfalia_server.doctor.finding import Finding
from farfalia_server.doctor.processes import listener, name_of
from farfalia_server.healthz import directly, reachable
from farfalia_server.net.ports import bind, with_port
from farfalia_server.settings import Settings

#: Seconds that a server may take to say how it is; for the first one who asks, it starts a process.
_SECONDS = 10.0


async def running_server(settings: Settings) -> Mapping[str, Any] | None:
    """Return what the server with these settings says about its health; None if none answers."""
    return await asyncio.to_thread(_ask, settings) if settings.http_port else None


def check_server(running: Mapping[str, Any] | None) -> Iterator[Finding]:
    """Say whether a server runs, and what it says is wrong."""
    if running is None:
        yield Finding.ok("server", "No server runs with these settings.")
        return
    wrong = {name: text for name, text in running["checks"].items() if text != "ok"}
    if not wrong:
        yield Finding.ok("server", "A server runs with these settings, and reports no problems.")
    for name, text in wrong.items():
        yield Finding.problem("server", f"The running server reports about its {name}: {text}.", "See its log.")


def check_ports(settings: Settings, *, running: bool) -> Iterator[Finding]:
    """Say whether both ports can be had, or are the running server's."""
    for name, port, use in (("grpc-port", settings.grpc_port, "gRPC"), ("http-port", settings.http_port, "web pages")):
        where = with_port(settings.host, port)
        if not port:
            yield Finding.ok(name, "The server takes any port that is free.")
            continue
        try:
            bind(settings.host, port, use).close()
        except SettingsError as error:
            if running:
                yield Finding.ok(name, f"The running server listens on {where}.")
                continue
            holder = _holder(port)
            remedy = f"Stop {holder}, or choose another port with --{name}." if holder else "Choose another address."
            yield Finding.problem(name, error, remedy)
        else:
            if running:
                yield Finding.problem(
                    name,
                    f"A server runs, but nothing listens on {where}.",
                    "Give doctor the settings of the running server.",
                )
            else:
                yield Finding.ok(name, f"{where} is free.")


def _ask(settings: Settings) -> Mapping[str, Any] | None:
    # The certificate names the host that others use, not this one.
    trusting = ssl._create_unverified_context() if settings.tls_cert else None  # noqa: S323
    address = reachable(settings.host, settings.http_port)
    url = f"{'https' if trusting else 'http'}://{address}/healthz"
    try:
        with directly(url, _SECONDS, trusting) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as error:  # 503: it is not well, and says why
        try:
            with error:
                found = json.load(error)
        except ValueError:
            return None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("checks"), dict) else None


def _holder(port: int) -> str:
    """Return the process that listens on a port, as part of a sentence; empty if this user may not see it."""
    found = listener(port)
    with suppress(OSError):
        if found is not None and found.process is not None:
            return f"process {found.process} ({name_of(found.process)})"
    return ""
