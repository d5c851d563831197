"""A gRPC server that says what a test tells it to say.

Only for what the real server does not produce when asked: a drain, a status out of the blue, silence, a ping at
the very moment when the bot thinks. It is a real server on a real port; only its words come from the test.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from farfalia.bot import Bot
from farfalia.client import play
from farfalia.errors import Refused
from farfalia.v1 import cards_pb2, play_pb2
from farfalia.v1.play_pb2 import PlayRequest, PlayResponse
from farfalia_engine import Deals, Observation, ruleset

Messages = Iterator[PlayRequest]
Script = Callable[[Messages], Generator[PlayResponse]]

OVER = "SCRIPT_OVER"
PATIENCE = 120.0


class End(Exception):
    """Raised by a script to end its stream with this status."""

    def __init__(
        self, code: grpc.StatusCode, reason: str, text: str = "as the test wants it", *, retry: float = 0.0
    ) -> None:
        super().__init__(reason)
        status = status_pb2.Status(code=code.value[0], message=text)
        status.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason, domain="farfalia"))
        if retry:
            info = error_details_pb2.RetryInfo()
            info.retry_delay.FromMilliseconds(round(retry * 1000))
            status.details.add().Pack(info)
        self.status = rpc_status.to_status(status)


class Heard:
    """Messages, and whether any of them has been taken."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self.any = False

    def __iter__(self) -> Heard:
        return self

    def __next__(self) -> PlayRequest:
        self.any = True
        return next(self._messages)


class ScriptedServer:
    """Plays one script a stream, in the order of the streams; after the last one, streams are refused as OVER."""

    def __init__(self, scripts: tuple[Script, ...], credentials: grpc.ServerCredentials | None = None) -> None:
        self._scripts = iter(scripts)
        self.failures: list[BaseException] = []
        self._grpc = grpc.server(ThreadPoolExecutor(8), options=[("grpc.so_reuseport", 0)])
        handler = grpc.stream_stream_rpc_method_handler(
            self._play, PlayRequest.FromString, PlayResponse.SerializeToString
        )
        service = grpc.method_handlers_generic_handler("farfalia.v1.PlayService", {"Play": handler})
        self._grpc.add_generic_rpc_handlers((service,))
        if credentials is None:
            self.address = f"127.0.0.1:{self._grpc.add_insecure_port('127.0.0.1:0')}"
        else:
            self.address = f"https://localhost:{self._grpc.add_secure_port('localhost:0', credentials)}"
        self._grpc.start()

    def stop(self) -> None:
        self._grpc.stop(None).wait()

    def _play(self, messages: Messages, context: Any) -> Iterator[PlayResponse]:
        script, heard = next(self._scripts, None), Heard(messages)
        try:
            if script is None:
                raise End(grpc.StatusCode.UNAUTHENTICATED, OVER)
            yield from script(heard)
        except End as end:
            if not heard.any:
                next(heard)  # as the real server does: who is cut off in the hello may see another error
            context.abort_with_status(end.status)
        except grpc.RpcError:
            pass  # the client has gone away, as it may
        except BaseException as failure:
            self.failures.append(failure)
            raise


@contextmanager
def scripted(*scripts: Script, credentials: grpc.ServerCredentials | None = None) -> Iterator[ScriptedServer]:
    """Serve these scripts; what fails in them fails the test."""
    server = ScriptedServer(scripts, credentials)
    try:
        yield server
    finally:
        server.stop()
    for failure in server.failures:
        raise failure


def play_through(bot: Bot, *scripts: Script, until: str = OVER, **options: Any) -> str:
    """Connect the bot and let it play until it is refused with these words; returns the reason.

    Without other words, that is when all scripts are through.
    """
    with scripted(*scripts) as server:
        playing = asyncio.wait_for(play(bot, server.address, "token", **options), PATIENCE)
        with pytest.raises(Refused, match=until) as refused:
            asyncio.run(playing)
    return refused.value.reason


def greet(
    messages: Messages, ping_interval_ms: int = 5000, **welcome: Any
) -> Generator[PlayResponse, None, PlayRequest]:
    """Read the hello and welcome the bot; return the message of the hello."""
    first = next(messages)
    assert first.HasField("hello")
    yield PlayResponse(welcome=play_pb2.Welcome(bot="tester", ping_interval_ms=ping_interval_ms, **welcome))
    return first


def says(*responses: PlayResponse, ends: End | None = None, **welcome: Any) -> Script:
    """A script that welcomes the bot, says this, waits for the answers to what it asks, and ends its stream so."""

    def script(messages: Messages) -> Generator[PlayResponse]:
        yield from greet(messages, **welcome)
        for response in responses:
            yield response
            if response.questions:
                answers(messages)
        if ends:
            raise ends

    return script


def answers(messages: Messages) -> list[play_pb2.Action]:
    """The actions of the next message that has any."""
    return next(list(message.actions) for message in messages if message.actions)


def question(match: int, number: int = 1, *, resent: bool = False, seed: int = 0) -> play_pb2.Question:
    """A real question: the first lead of a match."""
    state = ruleset("chinkway").new_match(Deals(seed.to_bytes(32)))
    state.apply(state.legal_actions()[0])
    state.apply(state.legal_actions()[0])
    assert state.pending is not None
    observation = state.observation(state.pending.seats[0])
    return message(observation, match, number, play_pb2.Clock(limit_ms=1000, bank_ms=5000, grace=3, resent=resent))


def message(observation: Observation, match: int, number: int, clock: play_pb2.Clock) -> play_pb2.Question:
    """An observation as the contract writes it."""
    names = [field.name for field in cards_pb2.View.DESCRIPTOR.fields]
    view = cards_pb2.View(**{name: getattr(observation, name) for name in names})
    kind: Any = observation.kind
    return play_pb2.Question(match=match, number=number, kind=kind, view=view, legal=observation.legal, clock=clock)
