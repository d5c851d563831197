"""Floods over real connections: they end, and connecting again gives nothing anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import grpc
from tests.server.live import LiveServer
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2
from farfalia_server.play import limits


def test_a_bot_whose_flood_ended_its_stream_is_kept_out_for_a_while(server: LiveServer) -> None:
    token = server.register("flooder")
    with RawBot(server.grpc_address, token) as bot:
        bot.until(lambda: bot.messages)
        bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine()] * 100_000))
        assert bot.ending()[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGES_TOO_FAST")
    with RawBot(server.grpc_address, token) as bot:
        assert bot.ending()[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGES_TOO_FAST")
        assert bot.messages == []


def test_a_bot_may_open_a_limited_number_of_streams(server: LiveServer) -> None:
    token = server.register("opener")
    welcomed, began = 0, time.monotonic()
    while True:
        with RawBot(server.grpc_address, token, take_over=True) as bot:
            bot.until(lambda here=bot: here.messages or here.error)  # type: ignore[misc]
            if not bot.messages:
                assert bot.ending()[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "STREAMS_TOO_FAST")
                break
            welcomed += 1
    assert limits.STREAMS_BURST <= welcomed <= limits.STREAMS_BURST + limits.STREAMS_RATE * (time.monotonic() - began)
    with RawBot(server.grpc_address, server.register("another")) as bot:
        bot.until(lambda: bot.messages)


@contextmanager
def crowd(server: LiveServer, name: str, streams: int) -> Iterator[list[RawBot]]:
    """That many streams of one bot, opened at once, each of which has been welcomed or refused."""
    token = server.register(name)
    with ExitStack() as stack:
        bots = [
            stack.enter_context(RawBot(server.grpc_address, token, instance=b"%d" % number, take_over=True))
            for number in range(streams)
        ]
        for bot in bots:
            bot.until(lambda here=bot: here.messages or here.error)  # type: ignore[misc]
        yield bots


def test_streams_that_come_at_once_with_a_new_token_are_counted_too(server: LiveServer) -> None:
    began = time.monotonic()
    with crowd(server, "crowd", 2 * limits.STREAMS_BURST) as bots:
        taken = [bot for bot in bots if bot.messages or bot.ending()[1] != "STREAMS_TOO_FAST"]
    assert len(taken) <= limits.STREAMS_BURST + limits.STREAMS_RATE * (time.monotonic() - began) + 1


def test_of_streams_that_take_over_from_each_other_all_but_one_are_told_their_end(server: LiveServer) -> None:
    for number in range(3):
        with crowd(server, f"jostlers-{number}", limits.STREAMS_BURST) as bots:
            bots[0].until(lambda here=bots: sum(bot.error is not None for bot in here) == len(here) - 1)  # type: ignore[misc]
            assert {bot.ending()[1] for bot in bots if bot.error} == {"STREAM_REPLACED"}


def test_a_stream_too_many_is_refused_after_a_while_so_that_a_loop_of_them_is_slow(server: LiveServer) -> None:
    token = server.register("looper")
    while True:
        began = time.monotonic()
        with RawBot(server.grpc_address, token, take_over=True) as bot:
            bot.until(lambda here=bot: here.messages or here.error)  # type: ignore[misc]
            if not bot.messages:
                break
    assert bot.ending()[1] == "STREAMS_TOO_FAST"
    assert time.monotonic() - began >= limits.STREAM_REFUSED_AFTER


def test_hello_and_goodbye_may_come_at_once(server: LiveServer) -> None:
    with RawBot(server.grpc_address, server.register("brief")) as bot:
        bot.send(play_pb2.PlayRequest(goodbye=play_pb2.Goodbye()))
        bot.until(lambda: bot.over)
        assert bot.error is None
        assert bot.messages[0].HasField("welcome")


def test_a_bot_that_is_lost_after_its_goodbye_has_said_it(server: LiveServer) -> None:
    token = server.register("leaver")
    with RawBot(server.grpc_address, token) as bot:
        number = server.tournament(["leaver"], rounds=1)
        bot.question()
        bot.send(play_pb2.PlayRequest(goodbye=play_pb2.Goodbye()))
        bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="after the goodbye")]))
        bot.act(7777, 1, 1)  # what comes back shows that the goodbye was read
        bot.result(play_pb2.RESULT_STATUS_NOT_ASKED)
    with RawBot(server.grpc_address, token, react=first_legal) as bot:
        bot.finished()
        bot.until(lambda: bot.over)
        assert bot.error is None
    server.wait_for(number)
