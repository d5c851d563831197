"""Connections that ask for nothing cost a server nothing: neither its pages nor the bots."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from starlette.responses import PlainTextResponse
from tests.server.http_serving import http_server
from tests.server.live import PATIENCE, LiveServer, live_server

SILENT = 300


def connect(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server has closed a connection."""
    try:
        while connection.recv(4096):
            pass  # gRPC introduces itself first
        return True
    except ConnectionResetError:
        return True


@pytest.mark.slow
def test_silent_connections_keep_neither_bots_nor_readers_out(tmp_path: Path) -> None:
    # Two servers with fewer descriptors than a laptop can open connections: they wait for ten seconds at the same time.
    with ExitStack() as stack:

        def server(name: str) -> LiveServer:
            (tmp_path / name).mkdir()
            return stack.enter_context(live_server(tmp_path / name, descriptors=256))

        def silent(address: str) -> list[socket.socket]:
            return [stack.enter_context(connect(address)) for _ in range(SILENT)]

        bots, readers = server("bots"), server("readers")
        silent_bots, silent_readers = silent(bots.grpc_address), silent(readers.http_address)
        assert httpx.get(f"http://{bots.http_address}/", timeout=PATIENCE).status_code == 200
        with grpc.insecure_channel(readers.grpc_address) as channel:
            check = health_pb2_grpc.HealthStub(channel).Check
            answer = check(health_pb2.HealthCheckRequest(), timeout=PATIENCE, wait_for_ready=True)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        assert all(is_closed(connection) for connection in (*silent_bots, *silent_readers))
        assert httpx.get(f"http://{readers.http_address}/", timeout=PATIENCE).status_code == 200


# A port whose patience is short ----------------------------------------------------------------------------------


@pytest.fixture
async def impatient() -> AsyncIterator[str]:
    """The address of a port that gives a long answer, and has little patience."""
    answer = PlainTextResponse("x" * 100_000)
    async with http_server(answer, most=8, patience=0.2) as port:
        yield f"127.0.0.1:{port}"


async def test_half_a_request_is_not_waited_for_forever(impatient: str) -> None:
    with connect(impatient) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: anybody\r\n")
        assert await asyncio.to_thread(is_closed, connection)


async def test_a_client_that_reads_no_answer_loses_the_connection(impatient: str) -> None:
    with connect(impatient) as connection, pytest.raises((ConnectionResetError, BrokenPipeError)):
        await asyncio.to_thread(ask_without_reading, connection)


def ask_without_reading(connection: socket.socket) -> None:
    """Ask again and again, until the server has ended the connection; TimeoutError if it lets this one wait."""
    while True:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: anybody\r\n\r\n")


async def listening(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, as soon as the port listens."""
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)


async def test_one_address_holds_a_quarter_of_the_connections() -> None:
    async def counted(host: str, proxies: str = "") -> int:
        """How many of 20 connections from this machine, counted or not, are kept open."""
        answer = PlainTextResponse("hello")
        async with http_server(
            answer,
            most=60,
            patience=PATIENCE,
            proxies=proxies,
            is_counted=lambda one: host == "counted",
        ) as port:
            streams = [await listening(port) for _ in range(20)]
            kept = 0
            for reader, writer in streams:
                writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
                with suppress(ConnectionError):
                    kept += (await reader.read(8)).startswith(b"HTTP")
            for _, writer in streams:
                writer.close()
        return kept

    assert await counted("counted") == 15
    assert await counted("this machine") == 20
    assert await counted("counted", proxies="127.0.0.1") == 20
