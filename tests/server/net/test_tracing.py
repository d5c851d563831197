"""Traces: each match is one, and a collector that is named gets them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import structlog
from tests.server.live import live_server
from tests.server.outages import until
from tests.server.rawbot import RawBot, first_legal

from farfalia_server.net import trace_sending
from farfalia_server.net.trace_sending import is_wanted, sending

trace_service_pb2: Any = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")


class Collector(ThreadingHTTPServer):
    """A receiver of OTLP over HTTP that keeps the spans, and who sent them."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.senders: list[dict[str, str]] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                for resource in trace_service_pb2.ExportTraceServiceRequest.FromString(body).resource_spans:
                    attributes = resource.resource.attributes
                    collector.senders.append({pair.key: pair.value.string_value for pair in attributes})
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def count(self, name: str) -> int:
        return Counter(span.name for span in list(self.spans))[name]


@contextmanager
def running_collector() -> Iterator[Collector]:
    with Collector() as receiver:
        thread = threading.Thread(target=receiver.serve_forever)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector that the environment names."""
    with running_collector() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
        yield receiver


@pytest.mark.slow
def test_each_match_is_one_trace_with_its_steps_and_decisions(tmp_path: Path, collector: Collector) -> None:
    with (
        live_server(tmp_path, node="north") as server,
        RawBot(server.grpc_address, server.register("ada"), react=first_legal),
    ):
        server.wait_for(server.tournament(["ada", "house-greedy-1"], rounds=2, ruleset="two"))
        until(lambda: collector.count("rate") == collector.count("match") == 2, "both matches are over and rated")
        assert "Traceback" not in server.log()
    traces = {span.trace_id for span in collector.spans}
    assert len(traces) == 2
    for trace in traces:
        spans = {span.span_id: span for span in collector.spans if span.trace_id == trace}
        (match,) = (span for span in spans.values() if span.name == "match")
        steps = [span for span in spans.values() if span.parent_span_id == match.span_id]
        steps.sort(key=lambda span: span.start_time_unix_nano)
        assert [step.name for step in steps] == ["claim", "seats", "play", "store"]
        decisions = [span for span in spans.values() if span.name == "decision"]
        assert decisions
        assert {span.parent_span_id for span in decisions} == {steps[2].span_id}
        journals = {span.parent_span_id: span for span in spans.values() if span.name == "journal"}
        for decision in decisions:
            times = [decision.start_time_unix_nano, journals[decision.span_id].start_time_unix_nano]
            assert [*times, decision.end_time_unix_nano] == sorted([*times, decision.end_time_unix_nano])
    assert collector.senders[0]["service.name"] == "farfalia"
    assert collector.senders[0]["service.instance.id"] == "north"


def test_a_server_without_a_collector_imports_nothing_for_it() -> None:
    look = "print([name for name in sys.modules if name.startswith(parts)])"
    parts = ("opentelemetry.exporter", "farfalia_server.net.otel")
    program = f"import sys, farfalia_server.app; parts = {parts}; {look}"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://host:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://host:4318", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_the_variables_of_opentelemetry_switch_traces_on(environment: dict[str, str], wanted: bool) -> None:
    assert is_wanted(environment) == wanted


async def test_a_server_without_the_extra_says_so_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setattr(trace_sending, "_PARTS", ("opentelemetry.nowhere.at.all",))
    with structlog.testing.capture_logs() as logged:
        async with sending("node", "1", "database"):
            pass
    assert [line["event"] for line in logged] == ["tracing_unavailable"]
