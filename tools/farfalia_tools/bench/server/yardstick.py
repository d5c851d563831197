"""The yardstick: bare `grpc.aio` ping-pong, one question per message, no engine, no journal, no views.

A server and a process with all bots, one stream each, as the whole system has them; and a number of tables, each of
which asks one of its bots after the other and waits for the answer. A question has 100 bytes, an answer has 10.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

import grpc

from farfalia import grpc_wakeups
from farfalia_tools.bench.processes import standard_input
from farfalia_tools.bench.server.load import Load, TimedAnswer, channel

_EOF: object = vars(grpc.aio)["EOF"]
_METHOD = "/farfalia.bench.Yardstick/Play"
_QUESTION = struct.Struct("<II92x")
_ANSWER = struct.Struct("<II2x")
#: Seats at a table.
SEATS = 5
#: Bots ping a silent connection, as they do a server's: while another system is started theirs is silent for long.
_OPTIONS = (("grpc.http2.min_ping_interval_without_data_ms", 5_000),)


class _Stream:
    """One bot's stream on the server's side: messages leave one by one."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[bytes] = asyncio.Queue()
        self.answers: dict[tuple[int, int], asyncio.Future[None]] = {}

    async def write(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        with contextlib.suppress(grpc.aio.UsageError):  # the measuring is over
            while True:
                await context.write(await self.out.get())

    async def play(self, _: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        writer = asyncio.create_task(self.write(context))
        while (message := await context.read()) is not _EOF:
            self.answers.pop(_ANSWER.unpack(message)).set_result(None)
        writer.cancel()


async def _play_table(number: int, streams: Sequence[_Stream]) -> None:
    """Ask the bots of a table in turn, until the task is cancelled."""
    seated = [streams[(number * SEATS + seat) % len(streams)] for seat in range(SEATS)]
    loop, decisions = asyncio.get_running_loop(), 0
    while True:
        stream = seated[decisions % SEATS]
        answer = stream.answers[number, decisions] = loop.create_future()
        stream.out.put_nowait(_QUESTION.pack(number, decisions))
        await answer
        decisions += 1


async def _serve(tables: int, bots: int) -> None:
    """Print the port, play once all bots have come, and end when the standard input does."""
    grpc_wakeups.read_all(asyncio.get_running_loop())
    streams: list[_Stream] = []
    ready = asyncio.Event()

    async def play(requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        stream = _Stream()
        streams.append(stream)
        if len(streams) == bots:
            ready.set()
        await stream.play(requests, context)

    server = grpc.aio.server(options=_OPTIONS)
    handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(play)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("farfalia.bench.Yardstick", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await ready.wait()
    playing = [asyncio.create_task(_play_table(number, streams)) for number in range(tables)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in playing:
        task.cancel()
    await server.stop(0)


class _Bot:
    """One bot: sends its answers one by one."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    def put(self, answers: Sequence[TimedAnswer]) -> None:
        """Send these answers, soon."""
        for match, number, _ in answers:
            self._answers.put_nowait(_ANSWER.pack(match, number))

    async def play(self, port: str) -> None:
        """Play until the server is done."""

        async def outgoing() -> AsyncIterator[bytes]:
            while True:
                yield await self._answers.get()

        async with channel(f"127.0.0.1:{port}") as dialled:
            call: Any = dialled.stream_stream(_METHOD)(cast(Any, outgoing()))
            with contextlib.suppress(grpc.aio.AioRpcError):
                async for message in call:
                    match, number = _QUESTION.unpack(message)
                    self._load.asked(self, [TimedAnswer(match, number, 0)])


async def _bots(port: str) -> None:
    load, lines = Load(), await standard_input()
    number = json.loads(await lines.readline())
    playing = [asyncio.create_task(_Bot(load).play(port)) for _ in range(number)]
    await load.obey(lines)
    for task in playing:
        task.cancel()


if __name__ == "__main__":
    if sys.argv[1] == "bots":
        asyncio.run(_bots(sys.argv[2]))
    else:
        asyncio.run(_serve(int(sys.argv[2]), int(sys.argv[3])))
