"""The connection against a server that does, on cue, what a real one does rarely."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Generator
from threading import Event

import grpc
import pytest
from tests.clients.scripted import PATIENCE, End, Messages, answers, greet, play_through, question, says, scripted

from farfalia import Bot, play, settings
from farfalia.client import Client
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayRequest, PlayResponse

Said = Generator[PlayResponse]


def test_the_hello_offers_many_matches_and_one_question_until_the_bot_is_measured() -> None:
    hellos: list[PlayRequest] = []

    def script(messages: Messages) -> Said:
        hellos.append((yield from greet(messages)))

    class Picky(Bot):
        rulesets = ("chinkway",)
        features = ("records",)

    play_through(Picky(), script)
    hello = hellos[0].hello
    assert (hello.client, list(hello.rulesets), list(hello.features)) == ("farfalia-python", ["chinkway"], ["records"])
    assert (hello.capacity.matches, hello.capacity.questions) == (64, 1)
    assert 1 <= len(hello.instance) <= 64


def test_a_lost_connection_is_opened_again_by_the_same_instance() -> None:
    instances: list[bytes] = []

    def lost(messages: Messages) -> Said:
        first = yield from greet(messages)
        instances.append(first.hello.instance)
        raise End(grpc.StatusCode.UNAVAILABLE, "SERVER_STOPS")

    def ended(messages: Messages) -> Said:
        first = yield from greet(messages)
        instances.append(first.hello.instance)

    play_through(Bot(), lost, ended)
    assert len(instances) == 2
    assert instances[0] == instances[1]


def test_a_draining_server_is_served_until_another_stream_is_welcomed() -> None:
    drained = Event()

    def old(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(drain=play_pb2.Drain(grace_ms=10_000))
        yield PlayResponse(questions=[question(1)])
        assert [answer.match for answer in answers(messages)] == [1]
        drained.set()
        assert list(messages) == []  # until the client ends this stream

    def new(messages: Messages) -> Said:
        assert drained.wait(PATIENCE)
        next(messages)
        # All in the first message: the client must not answer its questions on the old stream.
        yield PlayResponse(welcome=play_pb2.Welcome(bot="tester"), questions=[question(2)])
        assert [answer.match for answer in answers(messages)] == [2]

    play_through(Bot(), old, new)


def test_a_server_that_falls_silent_is_given_up() -> None:
    def silent(messages: Messages) -> Said:
        yield from greet(messages, ping_interval_ms=20)
        assert list(messages) == []

    play_through(Bot(), silent, says())


def test_a_server_that_takes_the_call_and_never_welcomes_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia.bot_stream.WELCOME_WITHIN", 0.1)

    def deaf(messages: Messages) -> Said:
        assert len(list(messages)) == 1
        yield from ()

    play_through(Bot(), deaf, deaf)


async def test_something_that_is_no_server_is_tried_again_until_the_bot_is_told_to_leave(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("farfalia.bot_stream.WELCOME_WITHIN", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = Client(Bot(), settings.server(f"127.0.0.1:{silent.getsockname()[1]}", "token"))
        playing = asyncio.create_task(client.play())
        while caplog.text.count("cannot be reached: no welcome came in time") < 2:
            await asyncio.sleep(0.01)
        client.leave()
        await playing


async def test_a_program_may_cancel_a_bot_at_any_time() -> None:
    greeted = Event()

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        greeted.set()
        assert list(messages) == []

    with scripted(script) as server:
        playing = asyncio.create_task(play(Bot(), server.address, "token"))
        while not greeted.is_set():
            await asyncio.sleep(0.01)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing


@pytest.mark.parametrize(
    ("code", "reason", "advice"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "as the test wants it"),
        (grpc.StatusCode.ALREADY_EXISTS, "BOT_CONNECTED", r"run\(bot, take_over=True\)"),
        (grpc.StatusCode.FAILED_PRECONDITION, "FEATURE_UNKNOWN", "as the test wants it"),
        (grpc.StatusCode.INVALID_ARGUMENT, "HELLO_INVALID", "do not agree on the contract"),
        (grpc.StatusCode.ABORTED, "STREAM_REPLACED", "taken over"),
    ],
)
def test_what_trying_again_does_not_mend_is_final(code: grpc.StatusCode, reason: str, advice: str) -> None:
    def refusing(messages: Messages) -> Said:
        next(messages)
        raise End(code, reason)
        yield

    assert play_through(Bot(), refusing, until=advice) == reason


def test_a_bot_says_that_too_many_are_connected_and_gets_in_later(caplog: pytest.LogCaptureFixture) -> None:
    text = "the owner of ada may have 1 connected at a time in the event course, and has bea"

    def refusing(messages: Messages) -> Said:
        next(messages)
        raise End(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_BOTS", text, retry=0.01)
        yield

    def final(messages: Messages) -> Said:
        next(messages)
        raise End(grpc.StatusCode.FAILED_PRECONDITION, "FEATURE_UNKNOWN")
        yield

    assert play_through(Bot(), refusing, final, until="as the test wants it") == "FEATURE_UNKNOWN"
    (said,) = (record.getMessage() for record in caplog.records if record.name == "farfalia")
    assert said.startswith(f"the server does not let it in yet: {text}")
    assert "trying again in" in said


def test_a_bot_that_its_own_lost_connection_keeps_out_tries_again_a_few_times(caplog: pytest.LogCaptureFixture) -> None:
    kept_out = 0
    text = "another instance of ada is connected; stop it, or say take_over in the hello"
    what_to_do = (
        "another instance of ada is connected: stop it, or start this one with farfalia.run(bot, take_over=True)"
    )

    def refusing(messages: Messages) -> Said:
        nonlocal kept_out
        kept_out += 1
        next(messages)
        raise End(grpc.StatusCode.ALREADY_EXISTS, "BOT_CONNECTED", text, retry=0.01)
        yield

    scripts = [refusing] * 20
    assert play_through(Bot(), *scripts, until=re.escape(f"{what_to_do} (BOT_CONNECTED).")) == "BOT_CONNECTED"
    assert kept_out == 5
    assert [record.getMessage() for record in caplog.records if record.name == "farfalia"] == [
        f"{what_to_do}; trying again in 0.01 s"
    ] * 4


def test_why_a_bot_waits_on_a_ladder_is_told_once_until_it_changes() -> None:
    heard: list[str] = []

    class Listening(Bot):
        def on_notice(self, notice: play_pb2.Notice) -> None:
            heard.append(notice.text)

    said = [
        ("LADDER_WAITS", "chinkway: one more bot is missing."),
        ("LADDER_WAITS", "three: it is nearly your turn. That takes about 60 s."),
        ("LADDER_WAITS", "chinkway: one more bot is missing."),
        ("LADDER_WAITS", "three: it is nearly your turn. That takes about 30 s."),
        ("LADDER_WAITS", "chinkway: two more bots are missing."),
        ("LADDER_WAITS", "chinkway: one more bot is missing."),
        ("OTHER", "Something is wrong."),
        ("OTHER", "Something is wrong."),
    ]

    notices = [play_pb2.Notice(reason=reason, text=text) for reason, text in said]
    play_through(Listening(), says(PlayResponse(notices=notices)))
    assert heard == [said[place][1] for place in (0, 1, 4, 5, 6, 7)]


def test_the_author_is_told_when_the_connection_is_lost_and_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    lost = says(ends=End(grpc.StatusCode.UNAVAILABLE, "SERVER_STOPS", "back in a minute"))
    back = says(open=[play_pb2.Seated(match=3)])
    with caplog.at_level(logging.INFO, "farfalia"):
        play_through(Bot(), lost, back)
    assert "connection lost: back in a minute (SERVER_STOPS); trying again in 0." in caplog.text
    assert "as tester; open matches: 1" in caplog.text
