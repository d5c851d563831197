"""HTTP/2 as a hostile peer speaks it (RFC 9113): frames put together by hand, over a connection that keeps no rule."""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from farfalia.channels import is_this_machine
from farfalia.settings import Server

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#: Types of frames.
HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION = 1, 3, 4, 6, 9
#: Flag of a frame of headers that no other follows.
END_HEADERS = 4
#: An error code: the client does not want the stream any more.
CANCEL = (8).to_bytes(4)
#: Seconds to dial, and bytes that are read at a time.
_DIAL, _READ = 10.0, 1 << 16
#: Where a hostile peer of this machine dials from, so that a proxy can tell it from the others; Linux has it.
_ANOTHER_ADDRESS = "127.0.0.2"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame of a stream; stream 0 is the connection itself."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def field(name: bytes, value: bytes) -> bytes:
    """Return a header in HPACK, as a literal that is not added to the table of headers (RFC 7541, 6.2.2)."""
    return b"\x00" + _string(name) + _string(value)


def remembered_field(name: bytes, value: bytes) -> bytes:
    """Return a header in HPACK, as a literal that becomes number 62 of the table of headers (RFC 7541, 6.2.1)."""
    return b"\x40" + _string(name) + _string(value)


#: Names the header that `remembered_field` has added last, in one byte.
REMEMBERED = b"\xbe"


def call(path: str) -> bytes:
    """Return the headers of a gRPC call."""
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "torment",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    return b"".join(field(name.encode(), value.encode()) for name, value in headers.items())


def _string(text: bytes) -> bytes:
    """Return a text after its length, an integer with a prefix of 7 bits (RFC 7541, 5.1 and 5.2)."""
    length, most = len(text), 127
    if length < most:
        return bytes((length,)) + text
    length, encoded = length - most, bytearray((most,))
    while length >= 128:
        encoded.append(length % 128 + 128)
        length //= 128
    return bytes((*encoded, length)) + text


class HostileConnection:
    """A connection that is open for HTTP/2. What comes is read and thrown away."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._reading = asyncio.create_task(self._read())

    @property
    def over(self) -> bool:
        """Whether the other end has closed it."""
        return self._reading.done()

    async def send(self, data: bytes) -> None:
        """Send bytes, as fast as they are taken; OSError if the connection is closed."""
        self._writer.write(data)
        await self._writer.drain()

    async def close(self) -> None:
        """Close it."""
        self._reading.cancel()
        self._writer.transport.abort()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        with suppress(OSError):
            while await self._reader.read(_READ):
                pass


async def dial(server: Server) -> HostileConnection:
    """Open a connection and say the preface; OSError if it is refused or takes too long."""
    host, _, port = server.target.rpartition(":")
    here = is_this_machine(server.target) and sys.platform == "linux" and ":" not in host
    async with asyncio.timeout(_DIAL):
        reader, writer = await asyncio.open_connection(
            host.strip("[]"),
            int(port),
            ssl=_trusting(server) if server.tls else None,
            local_addr=(_ANOTHER_ADDRESS, 0) if here else None,
        )
    connection = HostileConnection(reader, writer)
    try:
        await connection.send(PREFACE + frame(SETTINGS, 0, 0))
    except BaseException:
        await connection.close()
        raise
    return connection


@asynccontextmanager
async def closing(connections: list[HostileConnection]) -> AsyncIterator[None]:
    """Close at the end all connections that are then in the list."""
    try:
        yield
    finally:
        for connection in connections:
            await connection.close()


def _trusting(server: Server) -> ssl.SSLContext:
    authority = server.trust.root_certificates
    context = ssl.create_default_context(cadata=authority.decode() if authority else None)
    context.set_alpn_protocols(["h2"])
    return context
