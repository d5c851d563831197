"""Connections that ask for nothing cost a server nothing: neither its pages nor the bots."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.server.live import PATIENCE, LiveServer, live_server

SILENT = 300


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with fewer descriptors than a laptop can open connections."""
    with live_server(tmp_path_factory.mktemp("few"), descriptors=256) as server:
        yield server


def connect(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def is_closed(connection: socket.socket) -> bool:
    """Waits until the server has closed a connection."""
    try:
        while connection.recv(4096):
            pass  # gRPC introduces itself first
        return True
    except ConnectionResetError:
        return True


@pytest.mark.slow
def test_silent_http_connections_keep_neither_bots_nor_readers_out(server: LiveServer) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(connect(server.http_address)) for _ in range(SILENT)]
        with grpc.insecure_channel(server.grpc_address) as channel:
            check = health_pb2_grpc.HealthStub(channel).Check
            answer = check(health_pb2.HealthCheckRequest(), timeout=PATIENCE, wait_for_ready=True)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        assert all(is_closed(connection) for connection in silent)
        assert httpx.get(f"http://{server.http_address}/", timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_half_a_request_is_not_waited_for_forever(server: LiveServer) -> None:
    with connect(server.http_address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: anybody\r\n")
        assert is_closed(connection)


@pytest.mark.slow
def test_a_client_that_reads_no_answer_loses_the_connection(server: LiveServer) -> None:
    with connect(server.http_address) as connection, pytest.raises((ConnectionResetError, BrokenPipeError)):
        ask_without_reading(connection)


def ask_without_reading(connection: socket.socket) -> None:
    """Asks again and again, until the server has ended the connection; TimeoutError if it lets this one wait."""
    while True:
        connection.sendall(b"GET /api/openapi.json HTTP/1.1\r\nhost: anybody\r\n\r\n")


@pytest.mark.slow
def test_silent_connections_of_bots_do_not_keep_readers_out(server: LiveServer) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(connect(server.grpc_address)) for _ in range(SILENT)]
        assert httpx.get(f"http://{server.http_address}/", timeout=PATIENCE).status_code == 200
        assert all(is_closed(connection) for connection in silent)
