"""Whatever text a bot sends, its match is finished, nobody else loses anything, and nothing unclean is kept.

On PostgreSQL, which takes less than SQLite does: no NUL, for one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import partial

import pytest
from google.protobuf.message import Message
from tests.server.live import LiveServer, live_server
from tests.server.outages import until
from tests.server.postgres_fixture import Postgres
from tests.server.rawbot import RawBot

from farfalia.v1 import bots_pb2, matches_pb2, play_pb2, ratings_pb2, record_pb2, stages_pb2, tournaments_pb2
from farfalia_tools.torment.hostile_text import put, strings_of

HOSTILE = {
    "nul": "zero \0 byte",
    "escape": "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m",
    "lines": "all is well\r\nmatch 3, action 4: forged\u2028\u2029\x85and more",
    "bidi": "\u202egnihton\u202c \u2066isolated\u2069 \u200f",
    "no-character": "\ufffe\uffff\ufdd0\ufeff",
    "4-KiB": "蝶🦋" * 1024,
}
CONTROL = record_pb2.TimeControl(limit_ms=20_000, bank_ms=0, grace=len(HOSTILE) + 1)


FIELDS = list(strings_of(play_pb2.PlayRequest.DESCRIPTOR))


def answered(bot: RawBot) -> bool:
    return bool(bot.messages or bot.error)


def is_clean(text: str) -> bool:
    return not {"Cc", "Cs", "Cf", "Zl", "Zp", "Cn"} & {unicodedata.category(one) for one in text}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("hostile"), database_url=postgres.database()) as live:
        yield live
    assert "Traceback" not in live.log()
    assert [line for line in live.log().split("\n") if not is_clean(line) or len(line) > 2000] == []


def logs_of(server: LiveServer, name: str) -> list[str]:
    logs = server.call("GetBot", bots_pb2.GetBotRequest(name=name)).logs
    return [log.line.text for log in logs]


def test_there_are_strings_to_try() -> None:
    assert {("hello", "client"), ("actions", "failure"), ("logs", "text")} <= set(FIELDS)


@pytest.mark.parametrize("path", FIELDS, ids=".".join)
def test_a_match_is_finished_whatever_text_a_bot_sends(server: LiveServer, path: tuple[str, ...]) -> None:
    name = "-".join(path)
    token, waiting = server.register(name), iter(HOSTILE.values())

    def react(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        for question in message.questions:
            text = next(waiting, "") if path[0] != "hello" else ""
            reply = play_pb2.PlayRequest()
            reply.actions.add(match=question.match, number=question.number, action=question.legal[0])
            if text:
                put(reply, path, text)
            bot.send(reply)

    if path[0] == "hello":
        for text in HOSTILE.values():
            with RawBot(server.grpc_address, token, hello=False) as bot:
                first = play_pb2.PlayRequest(hello=play_pb2.Hello(instance=b"raw"))
                put(first, path, text)
                bot.send(first)
                bot.until(partial(answered, bot))
                if bot.error is not None:
                    assert len(bot.ending()[2]) < 500
                    assert is_clean(bot.ending()[2])
    with RawBot(server.grpc_address, token, take_over=True, react=react):
        (match,) = server.wait_for_matches(server.tournament([name], rounds=1, control=CONTROL))
    assert match.state == matches_pb2.MATCH_STATE_FINISHED
    record = server.record(match.id)
    assert record.source.board == "board-1-1"  # an attempt on another one would say so
    texts = [incident.text for incident in record.incidents]
    assert len(texts) == (len(HOSTILE) if path == ("actions", "failure") else 0)
    assert all(map(is_clean, texts))
    assert all(len(text) <= 320 for text in texts)
    assert server.verify(record) == []


def test_after_all_that_another_bots_log_line_still_arrives(server: LiveServer) -> None:
    hostile = server.register("poet")
    with RawBot(server.grpc_address, hostile) as bot:
        bot.until(lambda: bot.messages)
        bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(match=2**64 - 1, text=text) for text in HOSTILE.values()]))
        until(lambda: len(logs_of(server, "poet")) == len(HOSTILE), "all lines are kept")
    assert all(is_clean(line) for text in logs_of(server, "poet") for line in text.split("\n"))
    with RawBot(server.grpc_address, server.register("plain")) as bot:
        bot.until(lambda: bot.messages)
        bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(text="here I am")]))
        until(lambda: logs_of(server, "plain") == ["here I am"], "the line is kept")


@pytest.mark.parametrize(
    ("call", "request_message"),
    [
        ("GetBot", bots_pb2.GetBotRequest(name="x" * 100_000)),
        ("GetBot", bots_pb2.GetBotRequest(name="\x1b[2J\0" * 1000)),
        ("ListMatches", matches_pb2.ListMatchesRequest(bot="🦋" * 30_000)),
        ("ListRatings", ratings_pb2.ListRatingsRequest(ladder="x" * 100_000)),
        ("CreateTournament", tournaments_pb2.CreateTournamentRequest(name="a", bots=["x" * 100_000])),
        ("CreateTournament", tournaments_pb2.CreateTournamentRequest(name="🦋" * 30_000)),
        ("CreateTournament", tournaments_pb2.CreateTournamentRequest(name="a", ruleset="\x1b" * 100_000)),
        ("CreateTournament", tournaments_pb2.CreateTournamentRequest(name="a", stages=[stages_pb2.Stage()] * 30_000)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_repeated_in_an_error_has_a_bounded_length(
    server: LiveServer, call: str, request_message: Message
) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011  (its code and text are what is looked at)
        server.call(call, request_message)
    error = raised.value
    assert error.code().name in ("NOT_FOUND", "INVALID_ARGUMENT")  # type: ignore[attr-defined]
    details = error.details()  # type: ignore[attr-defined]
    assert "metadata" not in details
    assert 0 < len(details) <= 800
    assert is_clean(details)
