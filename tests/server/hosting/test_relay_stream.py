"""A program's stream: when it counts as ended."""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

import grpc
import pytest

from farfalia.v1 import play_pb2
from farfalia_server.hosting.relay_stream import RelayStream
from farfalia_server.play.stream import StreamStatus


class Busy:
    """In place of a stream's context: gRPC of a machine so busy that the other side has the status well before this
    one hears that it was written. A real one cannot be made late at will."""

    def __init__(self) -> None:
        self.aborting = asyncio.Event()

    async def read(self) -> object:
        return await asyncio.Event().wait()

    async def abort(self, code: grpc.StatusCode, text: str) -> NoReturn:
        self.aborting.set()
        await asyncio.sleep(0.01)
        raise asyncio.CancelledError(code, text)


def test_a_stream_has_ended_when_its_status_is_sent_and_not_when_that_is_known() -> None:
    async def end() -> tuple[float | None, float | None]:
        context: Any = Busy()
        stream = RelayStream(context, play_pb2.Hello())
        serving = asyncio.create_task(stream.serve(lambda message: None))
        stream.end(StreamStatus(grpc.StatusCode.UNKNOWN, "", "over"))
        await context.aborting.wait()
        sent = stream.ended
        with pytest.raises(asyncio.CancelledError):
            await serving
        return sent, stream.ended

    sent, known = asyncio.run(end())
    assert sent is not None
    assert known == sent
