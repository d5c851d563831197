"""Spans through OpenTelemetry's SDK, sent by OTLP over HTTP; its own environment variables configure the rest."""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from farfalia_server.net.tracing import Decided

#: Bytes of a trace id.
_TRACE_BYTES = 16

#: The id of a trace that begins in this context; 0 for any.
_number: ContextVar[int] = ContextVar("number", default=0)


class _Numbers(RandomIdGenerator):
    def generate_trace_id(self) -> int:
        return _number.get() or int(super().generate_trace_id())


class OtelSpans:
    """Spans of one server on their way to a collector."""

    def __init__(self, node: str, version: str, database: str) -> None:
        logging.getLogger("opentelemetry").setLevel(logging.ERROR)
        named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        resource = {"service.instance.id": node, "service.version": version}
        self._database = database
        self._provider = TracerProvider(
            resource=Resource.create(resource if named else {**resource, "service.name": "farfalia"}),
            id_generator=_Numbers(),
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("farfalia_server", version)

    @contextmanager
    def span(self, name: str, match: int = 0) -> Iterator[None]:
        """Measure the block; with a match it is in the trace of this match."""
        if not match:
            with self._tracer.start_as_current_span(name):
                yield
            return
        number = _number.set(self._trace_of(match))
        try:
            with self._tracer.start_as_current_span(name, Context(), attributes={"farfalia.match": match}):
                yield
        finally:
            _number.reset(number)

    def decisions(self) -> Decided:
        """Return what makes two spans of each decision, all of it and the journal, in the span around the caller."""
        around = trace.set_span_in_context(trace.get_current_span(), Context())

        def decided(answered: float, saved: float, seat: int, question: int) -> None:
            zero = time.time() - monotonic()
            begin, written, end = (round(1e9 * (zero + moment)) for moment in (answered, saved, monotonic()))
            asked = {"farfalia.seat": seat, "farfalia.question": question}
            one = self._tracer.start_span("decision", around, start_time=begin, attributes=asked)
            inside = trace.set_span_in_context(one, Context())
            self._tracer.start_span("journal", inside, start_time=written).end(end)
            one.end(end)

        return decided

    def close(self) -> None:
        """Send what is left; takes seconds if the collector does not answer."""
        self._provider.shutdown()

    def _trace_of(self, match: int) -> int:
        digest = hashlib.sha256(f"{self._database}:{match}".encode()).digest()
        return int.from_bytes(digest[:_TRACE_BYTES], "big") or 1
