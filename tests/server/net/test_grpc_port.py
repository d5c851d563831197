"""What any gRPC tool expects of a server: health, reflection, a port of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from tests.cli import forked
from tests.server.live import PATIENCE, LiveServer


@pytest.mark.parametrize("service", ["", "farfalia.v1.PlayService", "farfalia.v1.ArenaService"])
def test_every_service_says_that_it_is_well(server: LiveServer, service: str) -> None:
    with grpc.insecure_channel(server.grpc_address) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE
        )
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_the_contract_can_be_asked_for_by_reflection(server: LiveServer) -> None:
    with grpc.insecure_channel(server.grpc_address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        (answer,) = stub.ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=PATIENCE
        )
    names = {service.name for service in answer.list_services_response.service}
    assert {"farfalia.v1.PlayService", "farfalia.v1.ArenaService", "grpc.health.v1.Health"} <= names


@pytest.mark.parametrize("port", ["grpc_port", "http_port"])
def test_a_port_that_is_taken_is_one_clear_sentence(server: LiveServer, tmp_path: Path, port: str) -> None:
    taken = (server.grpc_address if port == "grpc_port" else server.http_address).rpartition(":")[2]
    settings = {"grpc_port": "0", "http_port": "0", "data_dir": str(tmp_path), port: taken}
    environment = os.environ | {f"FARFALIA_{name.upper()}": value for name, value in settings.items()}
    done = forked.run(["serve"], tmp_path, environment, PATIENCE)
    assert done.returncode != 0
    assert f"cannot listen on 127.0.0.1:{taken}" in done.stderr
    assert "Traceback" not in done.stderr
