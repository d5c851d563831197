"""A method that does not return is named to its author, with the place where it hangs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from threading import Thread, current_thread, main_thread

import pytest
from tests.clients.scripted import Messages, greet, play_through, question, says
from tests.server.live import until

from farfalia import Bot, bot_runner, watchdog
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayRequest, PlayResponse
from farfalia_engine import Observation

Said = Generator[PlayResponse]
Hang = Callable[[], None]


@pytest.fixture
def hang(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Hang:
    """Do not return before the watchdog has said so, and has had the time to say it again."""
    monkeypatch.setattr(watchdog, "POLL", 0.01)

    def until_said() -> None:
        until(lambda: "has not returned" in caplog.text)
        time.sleep(10 * watchdog.POLL)

    return until_said


def asked(number: int = 1) -> play_pb2.Question:
    short = question(4, number)
    short.clock.limit_ms, short.clock.bank_ms = 20, 20
    return short


def ask_once(messages: Messages) -> Said:
    yield from greet(messages)
    yield PlayResponse(questions=[asked()])
    seen: list[PlayRequest] = []
    while not any(message.actions for message in seen) or not any(message.logs for message in seen):
        seen.append(next(messages))
    line = next(line for message in seen for line in message.logs)
    assert line.match == 4
    assert "has not returned" in line.text


def test_the_first_call_that_hangs_is_named_once_with_its_question_and_its_place(
    hang: Hang, caplog: pytest.LogCaptureFixture
) -> None:
    class Hanging(Bot):
        def play(self, view: Observation) -> int:
            hang()
            return view.legal[0]

    play_through(Hanging(), ask_once)
    assert caplog.text.count("match 4, question 1: play() has not returned for ") == 1
    assert "It is here:\n  File " in caplog.text
    assert "in play\n    hang()\n" in caplog.text
    assert "bot_runner.py" not in "".join(record.message for record in caplog.records if "It is here" in record.message)


def test_a_call_that_hangs_in_the_event_loop_is_named_too(
    hang: Hang, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_runner, "SLOW", math.inf)  # on a busy machine any call may take long
    threads: list[Thread] = []

    class Hanging(Bot):
        def play(self, view: Observation) -> int:
            if view.number == 30:  # type: ignore[attr-defined]
                threads.append(current_thread())
                hang()
            return view.legal[0]

    questions = [*(question(4, number) for number in range(1, 30)), asked(30)]
    play_through(Hanging(), says(*(PlayResponse(questions=[one]) for one in questions)))
    assert threads == [main_thread()]
    assert "match 4, question 30: play() has not returned for " in caplog.text


def test_who_decides_by_other_means_reads_the_name_of_those(hang: Hang, caplog: pytest.LogCaptureFixture) -> None:
    class Deciding(Bot):
        def decide(self, view: Observation) -> int:
            hang()
            return view.legal[0]

    play_through(Deciding(), ask_once)
    assert "match 4, question 1: decide() has not returned for " in caplog.text


def test_a_batch_that_hangs_is_named(hang: Hang, caplog: pytest.LogCaptureFixture) -> None:
    class Batching(Bot):
        def decide_batch(self, views: Sequence[Observation]) -> list[int]:
            hang()
            return [view.legal[0] for view in views]

    play_through(Batching(), ask_once)
    assert "match 4, question 1: decide_batch() has not returned for " in caplog.text


def test_a_hook_that_hangs_is_named_with_its_match(
    hang: Hang, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.02)

    class Hanging(Bot):
        def on_seated(self, seated: play_pb2.Seated) -> None:
            hang()

    def script(messages: Messages) -> Said:
        yield from greet(messages, open=[play_pb2.Seated(match=9)])
        next(message for message in messages if message.logs)

    play_through(Hanging(), script)
    assert "match 9: on_seated() has not returned for " in caplog.text


def test_a_bot_within_its_time_hears_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(watchdog, "POLL", 0.001)
    monkeypatch.setattr(watchdog, "PATIENCE", 0.001)

    class Searching(Bot):
        def play(self, view: Observation) -> int:
            time.sleep(0.1)
            return view.legal[0]

    long = question(1)
    long.clock.limit_ms = 3_600_000
    play_through(Searching(), says(PlayResponse(questions=[long])))
    assert "has not returned" not in caplog.text
