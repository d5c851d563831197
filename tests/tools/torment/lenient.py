"""A server that lets bots do anything: it welcomes everybody, asks one question, and ends nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event
from typing import Any

import grpc

from farfalia.v1 import arena_pb2_grpc, bots_pb2, play_pb2, tournaments_pb2

_MATCH = 7


class LenientArena(arena_pb2_grpc.ArenaServiceServicer):
    """The calls that a torment makes; each is answered as if all was well."""

    def __init__(self) -> None:
        self._numbers = count(1)
        #: Set when a tournament was created, and when one was cancelled.
        self.created, self.cancelled = Event(), Event()

    def RegisterBot(self, request: Any, context: Any) -> bots_pb2.RegisterBotResponse:  # noqa: N802
        return bots_pb2.RegisterBotResponse(token=f"token-{next(self._numbers)}")

    def CreateTournament(self, request: Any, context: Any) -> tournaments_pb2.CreateTournamentResponse:  # noqa: N802
        self.created.set()
        return tournaments_pb2.CreateTournamentResponse(tournament=tournaments_pb2.Tournament(id=1))

    def StartTournament(self, request: Any, context: Any) -> tournaments_pb2.StartTournamentResponse:  # noqa: N802
        return tournaments_pb2.StartTournamentResponse()

    def CancelTournament(self, request: Any, context: Any) -> tournaments_pb2.CancelTournamentResponse:  # noqa: N802
        self.cancelled.set()
        return tournaments_pb2.CancelTournamentResponse()


def _play(requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
    next(requests, None)
    yield play_pb2.PlayResponse(welcome=play_pb2.Welcome(bot="anybody")).SerializeToString()
    question = play_pb2.Question(match=_MATCH, number=1, legal=[1, 2])
    yield play_pb2.PlayResponse(questions=[question]).SerializeToString()
    for _ in requests:
        pass


@contextmanager
def lenient_server() -> Iterator[tuple[str, LenientArena]]:
    """A server that does nothing of what it must: its address, and its calls."""
    with ThreadPoolExecutor(32) as threads:
        server, arena = grpc.server(threads), LenientArena()
        play: Any = grpc.stream_stream_rpc_method_handler(_play)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("farfalia.v1.PlayService", {"Play": play}),)
        )
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(arena, server)  # type: ignore[no-untyped-call]
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}", arena
        server.stop(0).wait()
