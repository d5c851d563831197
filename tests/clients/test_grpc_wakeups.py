"""All wake-ups of grpc.aio are handled in the turn in which they come. Bytes and calls are counted, not seconds."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.clients.scripted import Messages, greet, scripted

from farfalia import Bot, grpc_wakeups, play
from farfalia.v1.play_pb2 import PlayResponse
from farfalia_server import settings_loading
from farfalia_server.app import Server

# A server and its client in one loop, forty calls at a time. Every turn of the loop takes so long that gRPC's thread
# finishes what it does meanwhile: what is left after the handler was there before it.
CROWD = """
import asyncio, json, sys, time
import grpc.aio, uvloop
from farfalia import grpc_wakeups

left = []

def counting(kind):
    class Loop(kind):
        def add_reader(self, socket, handle, *arguments):
            def noting(*arguments):
                handle(*arguments)
                left.append(grpc_wakeups.pending(socket))
            return super().add_reader(socket, noting, *arguments)
    return Loop

async def echo(request, context):
    return request

async def main(mended):
    if mended:
        grpc_wakeups.read_all(asyncio.get_running_loop())
    server = grpc.aio.server()
    method = grpc.unary_unary_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test", {"Echo": method}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.unary_unary("/test/Echo")
        calls = asyncio.gather(*(call(b"x") for _ in range(40)))
        while not calls.done():
            time.sleep(0.005)
            await asyncio.sleep(0)
        assert await calls == [b"x"] * 40
    await server.stop(None)

kind, mended = sys.argv[1:]
loops = {"asyncio": asyncio.SelectorEventLoop, "uvloop": uvloop.Loop}
with asyncio.Runner(loop_factory=counting(loops[kind])) as runner:
    runner.run(main(mended == "mended"))
print(json.dumps(left))
"""


def crowd(loop: str, how: str) -> list[int]:
    """Bytes left to read after each call of gRPC's handler, in a process of its own: its poller is the process's."""
    ended = subprocess.run(
        [sys.executable, "-c", CROWD, loop, how], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    left: list[int] = json.loads(ended.stdout)
    return left


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_no_wakeup_is_left_for_the_next_turn_of_the_loop(loop: str) -> None:
    # How many come between two turns of the loop is chance; that more than a few never do is not.
    found = any(max(crowd(loop, "as it is")) > 10 for _ in range(10))
    assert found, "gRPC does not leave any: the workaround can go"
    assert max(crowd(loop, "mended")) <= 1


class Handler:
    """Reads so much each time: one byte, as the handler of grpc.aio does, or all, as it might one day."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.calls = 0

    def _handle_events(self, receiver: socket.socket) -> None:
        self.calls += 1
        receiver.recv(self._most)

    def _other(self, receiver: socket.socket) -> None:
        self._handle_events(receiver)


async def after_five_wakeups(
    handler: Handler, method: Callable[[socket.socket], None], *, mended: bool
) -> tuple[int, int]:
    """How often a handler was called in the turn after five wake-ups, and how many bytes it left."""
    loop = asyncio.get_running_loop()
    sender, receiver = socket.socketpair()
    receiver.setblocking(False)
    with sender, receiver:
        if mended:
            grpc_wakeups.read_all(loop)
            grpc_wakeups.read_all(loop)  # no effect
        loop.add_reader(receiver, partial(method, receiver))
        sender.send(b"12345")
        while not handler.calls:
            await asyncio.sleep(0)
        left = grpc_wakeups.pending(receiver)
        loop.remove_reader(receiver)
        return handler.calls, left


async def test_a_handler_of_one_byte_is_called_for_every_byte() -> None:
    handler = Handler(1)
    assert await after_five_wakeups(handler, handler._handle_events, mended=False) == (1, 4)
    handler = Handler(1)
    assert await after_five_wakeups(handler, handler._handle_events, mended=True) == (5, 0)


async def test_a_handler_that_reads_everything_is_called_once() -> None:
    handler = Handler(4096)
    assert await after_five_wakeups(handler, handler._handle_events, mended=True) == (1, 0)


async def test_other_readers_stay_as_they_are() -> None:
    handler = Handler(1)
    assert await after_five_wakeups(handler, handler._other, mended=True) == (1, 4)


async def test_the_loop_of_a_server_handles_every_wakeup_in_its_turn(tmp_path: Path) -> None:
    async with Server(settings_loading.load({"data_dir": tmp_path, "grpc_port": 0, "http_port": 0})):
        handler = Handler(1)
        assert await after_five_wakeups(handler, handler._handle_events, mended=False) == (5, 0)


async def test_the_loop_of_a_bot_handles_every_wakeup_in_its_turn() -> None:
    greeted = Event()

    def script(messages: Messages) -> Generator[PlayResponse]:
        yield from greet(messages)
        greeted.set()
        assert list(messages) == []

    with scripted(script) as server:
        playing = asyncio.create_task(play(Bot(), server.address, "token"))
        while not greeted.is_set():
            await asyncio.sleep(0.01)
        handler = Handler(1)
        assert await after_five_wakeups(handler, handler._handle_events, mended=False) == (5, 0)
        playing.cancel()
        await asyncio.wait([playing])


def test_a_loop_without_readers_or_attributes_stays_as_it_is() -> None:
    class Bare:
        __slots__ = ()

        def add_reader(self) -> None:
            """Cannot be replaced."""

    loop: Any = Bare()
    grpc_wakeups.read_all(loop)
    assert not isinstance(loop.add_reader, grpc_wakeups._AddReader)


def test_a_closed_socket_has_nothing_pending() -> None:
    sender, receiver = socket.socketpair()
    with sender:
        receiver.close()
        assert grpc_wakeups.pending(receiver) == 0
