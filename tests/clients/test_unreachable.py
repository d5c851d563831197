"""What an author is told when no connection comes about, from what real listeners make gRPC say."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest
from tests.server.certificate import make_certificate

from farfalia.settings import Server
from farfalia.stream_end import stream_end
from farfalia.unreachable import why_unreachable

PATIENCE = 120.0


async def said(server: Server, trusted: bytes | None = None) -> str:
    """What the end of a stream to this server says, which never began."""
    if server.tls:
        channel = grpc.aio.secure_channel(server.target, grpc.ssl_channel_credentials(trusted))
    else:
        channel = grpc.aio.insecure_channel(server.target)
    async with channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Service/Call")
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(b"", timeout=PATIENCE)
    return stream_end(raised.value, server).text


@contextmanager
def secured(certificate: Path, key: Path) -> Iterator[str]:
    """A gRPC server with this certificate; answers its port."""
    pair = (key.read_bytes(), certificate.read_bytes())
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None)


@contextmanager
def talking(words: bytes) -> Iterator[str]:
    """A listener that says this to everyone who connects, and closes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(words)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


async def test_a_certificate_that_nobody_vouches_for_is_named_with_what_to_do(tmp_path: Path) -> None:
    with secured(*make_certificate(tmp_path, "ours")) as target:
        text = await said(Server(target, tls=True, token=""))
    assert text.startswith("its certificate cannot be checked (")
    assert text.endswith("; if you trust it, name its file or its authority's in FARFALIA_CA")


async def test_a_certificate_for_another_name_is_not_called_untrusted(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "other", "DNS:arena")
    with secured(certificate, key) as target:
        text = await said(Server(target, tls=True, token=""), certificate.read_bytes())
    assert text == "its certificate is not for 127.0.0.1; connect to a name that the certificate holds"


@pytest.mark.parametrize("words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0\0\0\4\0\0\0\0\0"], ids=["web", "gRPC"])
async def test_https_to_a_port_without_tls_says_so(words: bytes) -> None:
    with talking(words) as target:
        text = await said(Server(target, tls=True, token=""))
    assert text == f"it does not speak TLS; connect to farfalia://{target}"


async def test_a_port_that_expects_tls_says_so(tmp_path: Path) -> None:
    expected = "it does not speak as a Farfalia server does; if it expects TLS, connect to farfalias://{}"
    with secured(*make_certificate(tmp_path, "ours")) as target:
        assert await said(Server(target, tls=False, token="")) == expected.format(target)


async def test_a_web_server_is_told_from_a_server_of_ours() -> None:
    with talking(b"HTTP/1.1 400 Bad Request\r\n\r\n") as target:
        text = await said(Server(target, tls=False, token=""))
    assert text.startswith("it answers as a web server does; bots and ")


async def test_a_host_that_has_no_address_says_so() -> None:
    assert (
        await said(Server("nobody.invalid:7600", tls=False, token="")) == "the name nobody.invalid cannot be resolved"
    )


def test_what_is_not_known_stays_in_the_words_it_came_in() -> None:
    assert why_unreachable("Stream removed", Server("arena:7600", tls=False, token="")) == "Stream removed"
