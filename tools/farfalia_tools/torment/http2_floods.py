"""Floods of HTTP/2, below the calls: the server's gRPC library pays for them before the server sees anything."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from farfalia_tools.torment.catalogue import torment_of_proxy
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.http2 import (
    CANCEL,
    CONTINUATION,
    END_HEADERS,
    HEADERS,
    PING,
    REMEMBERED,
    RST_STREAM,
    SETTINGS,
    HostileConnection,
    call,
    closing,
    dial,
    field,
    frame,
    remembered_field,
)
from farfalia_tools.torment.pace import MEMORY, honest_play, is_kept, mib, resident
from farfalia_tools.torment.stream import DidNotHold

#: Bytes a second of a flood, and about how many are sent at once.
_RATE, _AT_ONCE = 4 << 20, 1 << 14
#: Connections a second of a storm, which are then held, and how many of them at most.
_DIALLED, _HELD = 200, 200
#: Streams that a storm of streams opens over each of its connections.
_STREAMS = 2000
#: Seconds until a connection that was refused is tried again.
_AGAIN = 0.05
#: Bytes of the large header of a bomb, below the 4096 of a table of headers, and how often one request names it.
_LARGE, _TIMES = 3900, 8000

_CALL = call("/farfalia.v1.PlayService/Play")
_BOMB = _CALL + remembered_field(b"a", b"b" * _LARGE) + REMEMBERED * _TIMES
_SETTING = (4).to_bytes(2) + (65535).to_bytes(4)  # the size of a window, as it is by default
_ENDLESS = field(b"x-a", b"y" * 4000) * 4


@dataclass(frozen=True)
class _Flood:
    """What is sent again and again: the frames of a stream with this number, and how often over one connection."""

    frames: Callable[[int], bytes]
    per_connection: float = math.inf
    #: Sent first over each connection.
    first: bytes = b""


@dataclass
class _Sent:
    """What a flood has sent so far."""

    units: int = 0
    size: int = 0
    connections: int = 0
    #: Connections that the other end closed, or did not take.
    ended: int = 0

    def __str__(self) -> str:
        return (
            f"{self.units} times {self.size / max(1, self.units):.0f} bytes over {self.connections} connections, "
            f"of which {self.ended} were closed or refused"
        )


@torment_of_proxy
async def header_bombs(harness: Harness) -> str:
    """Send, over one connection, requests of 12 KB whose headers are 31 MB when they are unpacked.

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    return await _withstood(harness, _Flood(lambda stream: frame(HEADERS, END_HEADERS, stream, _BOMB)))


@torment_of_proxy
async def endless_headers(harness: Harness) -> str:
    """Begin a request whose headers never end (CONTINUATION).

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    more = frame(CONTINUATION, 0, 1, _ENDLESS)
    return await _withstood(harness, _Flood(lambda _: more, first=frame(HEADERS, 0, 1, _CALL)))


@torment_of_proxy
async def flood_of_settings(harness: Harness) -> str:
    """Send settings of the connection that change nothing, each of which has to be acknowledged (SETTINGS).

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    same = frame(SETTINGS, 0, 0, _SETTING)
    return await _withstood(harness, _Flood(lambda _: same))


@torment_of_proxy
async def flood_of_pings(harness: Harness) -> str:
    """Send pings of the connection, each of which has to be answered (PING).

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    ping = frame(PING, 0, 0, b"farfalle")
    return await _withstood(harness, _Flood(lambda _: ping))


@torment_of_proxy
async def rapid_resets(harness: Harness) -> str:
    """Begin calls and cancel each at once (RST_STREAM).

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """

    def reset(stream: int) -> bytes:
        return frame(HEADERS, END_HEADERS, stream, _CALL) + frame(RST_STREAM, 0, stream, CANCEL)

    return await _withstood(harness, _Flood(reset))


@torment_of_proxy
async def stream_storm(harness: Harness) -> str:
    """Begin thousands of calls over each connection, more than it may have, and go on with none of them.

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    return await _withstood(
        harness, _Flood(lambda stream: frame(HEADERS, END_HEADERS, stream, _CALL), per_connection=_STREAMS)
    )


@torment_of_proxy
async def connection_storm(harness: Harness) -> str:
    """Open some hundred connections a second, begin a call over each, and leave them there.

    Honest bots keep at least half of their pace without a strike, none of their matches is void, and the server's
    memory grows by less than 128 MiB.
    """
    return await _withstood(
        harness, _Flood(lambda stream: frame(HEADERS, END_HEADERS, stream, _CALL), per_connection=1)
    )


async def _withstood(harness: Harness, flood: _Flood) -> str:
    """Send a flood through the proxy while honest bots play through it, too; return what was seen."""
    sent, memory = _Sent(), [await resident(harness)]
    async with honest_play(harness, harness.proxy) as play:
        before = await play.pace()
        sending = asyncio.create_task(_send(harness, flood, sent))
        try:
            during = await play.pace()
            memory.append(await resident(harness))
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        after = await play.pace()
        matches = await play.check()
    seen = (
        f"{sent}; the honest bots made {before:.0f} decisions a second before, {during:.0f} meanwhile and {after:.0f} "
        f"after, in {matches} matches without a strike; memory {mib(memory[0])} before and {mib(memory[1])} meanwhile"
    )
    if not sent.units or not is_kept(harness, before, during, after) or memory[1] - memory[0] > MEMORY:
        raise DidNotHold(seen)
    return seen


async def _send(harness: Harness, flood: _Flood, sent: _Sent) -> None:
    """Send a flood until the task is cancelled, over a new connection whenever one is used up or closed."""
    open_ones: list[HostileConnection] = []
    began = time.monotonic()
    async with closing(open_ones):
        while True:
            try:
                sent.connections += 1
                open_ones.append(await dial(harness.front))
                await _send_over(open_ones[-1], flood, sent, began)
                sent.ended += open_ones[-1].over
            except OSError:
                sent.ended += 1
                await asyncio.sleep(_AGAIN)
            while len(open_ones) > _HELD or (open_ones and open_ones[0].over):
                await open_ones.pop(0).close()
            await asyncio.sleep(max(0.0, began + sent.connections / _DIALLED - time.monotonic()))


async def _send_over(connection: HostileConnection, flood: _Flood, sent: _Sent, began: float) -> None:
    await connection.send(flood.first)
    stream, left = 1, flood.per_connection
    while left > 0 and not connection.over:
        data = bytearray()
        while left > 0 and len(data) < _AT_ONCE:
            data += flood.frames(stream)
            stream, left, sent.units = stream + 2, left - 1, sent.units + 1
        sent.size += len(data)
        await connection.send(bytes(data))
        await asyncio.sleep(max(0.0, began + sent.size / _RATE - time.monotonic()))
