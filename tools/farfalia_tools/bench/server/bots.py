"""The bots of `farfalia bench server`, all in one process: any legal action, straight from the contract's messages.

They know nothing of the game, so that what is measured is the server and not the thinking.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Sequence
from typing import Any

import grpc

from farfalia.v1 import play_pb2
from farfalia_server.net.backoff import backoff
from farfalia_tools.bench.processes import standard_input
from farfalia_tools.bench.server.load import Load, TimedAnswer, channel

_METHOD = "/farfalia.v1.PlayService/Play"
_EOF: object = vars(grpc.aio)["EOF"]
#: Seconds from one try to be let in to the next, at first and at most.
_BACKOFF = 1.0, 10.0


class RawBot:
    """One bot on its stream. What gathers while a message is on its way makes the next one."""

    def __init__(self, load: Load, seats: int) -> None:
        self._load, self._seats = load, seats
        self._out = play_pb2.PlayRequest()
        self._filled = asyncio.Event()
        self._is_welcome = False

    def put(self, answers: Sequence[TimedAnswer]) -> None:
        """Send these answers, soon."""
        for match, number, action in answers:
            self._out.actions.add(match=match, number=number, action=action)
        self._filled.set()

    async def play(self, address: str, token: str, tables: int) -> None:
        """Play at this many tables until the server ends the stream, which may refuse it for a while in a crowd."""
        for pause in backoff(*_BACKOFF):
            try:
                await self._play(address, token, tables)
            except grpc.aio.AioRpcError as error:
                if self._is_welcome or error.code() is grpc.StatusCode.UNAUTHENTICATED:
                    raise
                await asyncio.sleep(pause)
            else:
                return

    async def _play(self, address: str, token: str, tables: int) -> None:
        async with channel(address) as dialled:
            stream: Any = dialled.stream_stream(
                _METHOD,
                request_serializer=play_pb2.PlayRequest.SerializeToString,
                response_deserializer=play_pb2.PlayResponse.FromString,
            )
            call = stream(metadata=(("authorization", f"Bearer {token}"),))
            hello = play_pb2.Hello(client="bench", instance=secrets.token_bytes(16))
            hello.capacity.matches = hello.capacity.questions = tables
            await call.write(play_pb2.PlayRequest(hello=hello))
            writing = asyncio.create_task(self._write(call))
            try:
                while (message := await call.read()) is not _EOF:
                    self._is_welcome = True
                    self._receive(message)
            finally:
                writing.cancel()

    def _receive(self, message: play_pb2.PlayResponse) -> None:
        if message.HasField("ping"):
            self._out.pong.nonce = message.ping.nonce
            self._filled.set()
        for entered in message.entered:
            nonce = self._load.random.randbytes(16)
            self._out.nonces.add(tournament=entered.tournament, match=entered.match, nonce=nonce)
            self._filled.set()
        self._load.finished(len(message.finished) / self._seats)
        if message.questions:
            choose = self._load.random.choice
            self._load.asked(self, [TimedAnswer(q.match, q.number, choose(q.legal)) for q in message.questions])

    async def _write(self, call: Any) -> None:
        while await self._filled.wait():
            self._filled.clear()
            message, self._out = self._out, play_pb2.PlayRequest()
            await call.write(message)


async def main(address: str, tables: int, seats: int) -> None:
    """Play as the bots whose tokens are on the first line of standard input, and obey what follows."""
    load, lines = Load(), await standard_input()
    tokens = json.loads(await lines.readline())
    playing = [asyncio.create_task(RawBot(load, seats).play(address, token, tables)) for token in tokens]
    obeying = asyncio.create_task(load.obey(lines))
    await asyncio.wait([obeying, *playing], return_when=asyncio.FIRST_COMPLETED)
    if not obeying.done():
        failed = next(task for task in playing if task.done())
        raise SystemExit(f"a bot of the benchmark has lost its stream: {failed.exception() or 'the server ended it'}")
    for task in playing:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
