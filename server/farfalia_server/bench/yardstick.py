"""The yardstick: bare `grpc.aio` ping-pong, one question a message, no engine, no journal, no views.

Five bot processes with one stream each, and a number of tables, each of which asks one bot after the
other and waits for the answer. A question has 100 bytes, an answer has 10.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
import sys
import time
from collections.abc import AsyncIterator
from typing import Any, cast

import grpc

from farfalia_server.bench.processes import cpu_seconds, python_process

_EOF: object = vars(grpc.aio)["EOF"]
_METHOD = "/farfalia.bench.Yardstick/Play"
_QUESTION = struct.Struct("<II92x")
_ANSWER = struct.Struct("<II2x")
#: Seats at a table, one bot each.
SEATS = 5


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


class _Table:
    def __init__(self, number: int, streams: list[_Stream]) -> None:
        self.number, self.streams, self.decisions = number, streams, 0

    async def play(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            stream = self.streams[self.decisions % len(self.streams)]
            answer = stream.answers[self.number, self.decisions] = loop.create_future()
            stream.out.put_nowait(_QUESTION.pack(self.number, self.decisions))
            await answer
            self.decisions += 1


async def _serve(tables: int, seconds: float) -> None:
    streams: list[_Stream] = []
    ready = asyncio.Event()

    async def play(requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        stream = _Stream()
        streams.append(stream)
        if len(streams) == SEATS:
            ready.set()
        await stream.play(requests, context)

    server = grpc.aio.server()
    handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(play)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("farfalia.bench.Yardstick", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    bots = [await python_process("farfalia_server.bench.yardstick", "bot", str(port)) for _ in range(SEATS)]
    await ready.wait()
    playing = [_Table(number, streams) for number in range(tables)]
    tasks = [asyncio.create_task(table.play()) for table in playing]
    await asyncio.sleep(seconds / 4)
    before, began, cpu = sum(t.decisions for t in playing), time.perf_counter(), time.process_time()
    bots_cpu = sum(cpu_seconds(bot.pid) for bot in bots)
    await asyncio.sleep(seconds)
    decisions, took = sum(t.decisions for t in playing) - before, time.perf_counter() - began
    cpu = time.process_time() - cpu
    bots_cpu = sum(cpu_seconds(bot.pid) for bot in bots) - bots_cpu
    for task in tasks:
        task.cancel()
    await server.stop(0)
    await asyncio.gather(*(bot.wait() for bot in bots))
    print(decisions / took, cpu / decisions * 1000, bots_cpu / decisions * 1000)


async def _bot(port: str) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        answers: asyncio.Queue[bytes] = asyncio.Queue()

        async def outgoing() -> AsyncIterator[bytes]:
            while True:
                yield await answers.get()

        call: Any = channel.stream_stream(_METHOD)(cast(Any, outgoing()))
        try:
            async for message in call:
                table, number = _QUESTION.unpack(message)
                answers.put_nowait(_ANSWER.pack(table, number))
        except grpc.aio.AioRpcError:
            return  # the server is done


if __name__ == "__main__":
    if sys.argv[1] == "bot":
        asyncio.run(_bot(sys.argv[2]))
    else:
        asyncio.run(_serve(int(sys.argv[2]), float(sys.argv[3])))
