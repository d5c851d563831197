"""A port in use is found before anything else starts."""

import socket
from collections.abc import Iterator

import pytest

from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.ports import try_both, with_port


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_is_taken_is_named_with_its_use(taken: int) -> None:
    with pytest.raises(
        SettingsError, match=rf"^cannot listen on 127\.0\.0\.1:{taken} for gRPC: Address already.*--grpc-port \(0"
    ):
        try_both("127.0.0.1", taken, 0)
    with pytest.raises(
        SettingsError, match=rf"^cannot listen on 127\.0\.0\.1:{taken} for web pages: Address already.*--http-port \(0"
    ):
        try_both("127.0.0.1", 0, taken)


def test_the_two_ports_differ() -> None:
    try_both("127.0.0.1", 0, 0)
    with pytest.raises(SettingsError, match=r"^grpc_port and http_port are both 7600; each needs a port of its own$"):
        try_both("127.0.0.1", 7600, 7600)


def test_an_ipv6_host_is_put_in_brackets() -> None:
    assert with_port("::1", 7600) == "[::1]:7600"
    assert with_port("arena", 7600) == "arena:7600"
