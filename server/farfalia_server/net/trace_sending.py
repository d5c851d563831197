"""Sends spans to a collector if OpenTelemetry's environment variables name one; otherwise imports none of it."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import structlog

from farfalia_server.net.tracing import told

log = structlog.get_logger(__name__)

#: Seconds in which the last spans may reach the collector when the server stops.
_FAREWELL_SECONDS = 5.0
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
#: What the extra `otel` installs.
_PARTS = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


def is_wanted(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the environment names a collector and does not switch OpenTelemetry off."""
    named = any(environment.get(name) for name in _ENDPOINTS)
    return named and environment.get("OTEL_SDK_DISABLED", "").lower() != "true"


@asynccontextmanager
async def sending(node: str, version: str, database: str) -> AsyncIterator[None]:
    """Send the spans of this block to the collector that the environment names, if it names one."""
    if not is_wanted():
        yield
        return
    if not all(map(_is_installed, _PARTS)):
        log.warning("tracing_unavailable", error="no traces are sent: the extra farfalia[otel] is not installed")
        yield
        return
    from farfalia_server.net.otel import OtelSpans

    spans = OtelSpans(node, version, database)
    try:
        with told(spans):
            yield
    finally:
        await asyncio.wait((asyncio.create_task(asyncio.to_thread(spans.close)),), timeout=_FAREWELL_SECONDS)


def _is_installed(part: str) -> bool:
    try:
        return importlib.util.find_spec(part) is not None
    except ModuleNotFoundError:
        return False
