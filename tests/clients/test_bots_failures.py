"""Bots that raise errors or answer illegally: what it costs, and who is told."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.clients.scripted import Messages, answers, greet, play_through, question, says

from farfalia import Bot
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayRequest, PlayResponse
from farfalia_engine import Observation

Said = Generator[PlayResponse]


def test_an_exception_costs_one_answer_and_is_told_to_the_author_and_to_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Clumsy(Bot):
        def play(self, view: Observation) -> int:
            if view.match == 1:  # type: ignore[attr-defined]
                raise ZeroDivisionError("no cards\nleft")
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1), question(2)])
        seen: list[PlayRequest] = []
        for message in messages:
            seen.append(message)
            given = {answer.match: answer for each in seen for answer in each.actions}
            if len(given) == 2 and any(each.logs for each in seen):
                break
        assert given[1].failure == "ZeroDivisionError: no cards left"
        assert not given[2].failure
        line = next(line for each in seen for line in each.logs)
        assert line.match == 1
        assert "Traceback" in line.text
        assert "raise ZeroDivisionError" in line.text

    play_through(Clumsy(), script)
    assert "match 1, question 1 (strike 1 of 4):\nTraceback" in caplog.text
    assert "raise ZeroDivisionError" in caplog.text


def test_a_traceback_shows_only_the_authors_own_frames(caplog: pytest.LogCaptureFixture) -> None:
    class Clumsy(Bot):
        def play(self, view: Observation) -> int:
            try:
                return dict[str, int]()["notes"]
            except KeyError as error:
                raise LookupError("lost my notes") from error

        def on_seated(self, seated: play_pb2.Seated) -> None:
            raise ValueError("hook")

    play_through(Clumsy(), says(PlayResponse(questions=[question(1)]), open=[play_pb2.Seated(match=1)]))
    shown = [line.split('"')[1] for line in caplog.text.splitlines() if line.startswith("  File ")]
    assert shown == [__file__] * 3
    assert "LookupError: lost my notes" in caplog.text
    assert "on_seated failed:\nTraceback" in caplog.text


def test_an_exception_that_comes_again_is_one_line_here_and_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    class Clumsy(Bot):
        def play(self, view: Observation) -> int:
            raise LookupError(f"lost {view.number} notes")  # type: ignore[attr-defined]

        def on_finished(self, finished: play_pb2.Finished) -> None:
            raise ValueError("hook")

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        logged: list[str] = []
        for number in (1, 2, 3):
            asked = question(1, number)
            asked.clock.strikes = number - 1
            yield PlayResponse(questions=[asked], finished=[play_pb2.Finished(match=8)])
            while len(logged) < number:
                logged += [line.text for line in next(messages).logs]
        assert logged[0].startswith("Traceback")
        assert logged[1:] == [
            "question 2: the same again, LookupError: lost 2 notes",
            "question 3: the same again, LookupError: lost 3 notes",
        ]

    play_through(Clumsy(), script)
    # Once of play, once of the hook.
    assert caplog.text.count("Traceback") == 2
    assert "match 1, question 2 (strike 2 of 4): the same again, LookupError: lost 2 notes" in caplog.text
    assert "match 1, question 3 (strike 3 of 4): the same again, LookupError: lost 3 notes" in caplog.text
    assert "on_finished failed: the same again, ValueError: hook" in caplog.text


def test_what_the_client_has_said_of_a_failure_is_not_said_again_by_its_result(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Silent(Bot):
        def play(self, view: Observation) -> int:
            return None  # type: ignore[return-value]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        (answer,) = answers(messages)
        failed = play_pb2.RESULT_STATUS_FAILED
        yield PlayResponse(results=[play_pb2.Result(match=1, number=1, status=failed, text=answer.failure, strikes=1)])

    play_through(Silent(), script)
    assert caplog.text.count("play returned None") == 1
    assert "match 1, question 1 (strike 1 of 4): play returned None; expected" in caplog.text


def test_an_illegal_answer_is_explained_here_and_given_back_to_the_server(caplog: pytest.LogCaptureFixture) -> None:
    asked = question(1)
    wrong = next(card for card in range(52) if card not in asked.legal)

    class Wrong(Bot):
        def play(self, view: Observation) -> int:
            return wrong

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[asked])
        (answer,) = answers(messages)
        assert answer.failure.startswith(f"play returned {wrong} (")
        assert "; legal were " in answer.failure

    play_through(Wrong(), script)
    assert f"play returned {wrong} (" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_bot_that_wants_no_check_has_its_answer_sent_as_it_is() -> None:
    class Unchecked(Bot):
        check = False

        def play(self, view: Observation) -> int:
            return 51 if 51 not in view.legal else 0

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        asked = question(1)
        yield PlayResponse(questions=[asked])
        (answer,) = answers(messages)
        assert answer.action not in asked.legal
        assert not answer.failure

    play_through(Unchecked(), script)


def test_hooks_hear_what_happens_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    class Listening(Bot):
        def on_seated(self, seated: play_pb2.Seated) -> None:
            heard.append(f"seated {seated.match}")
            raise ValueError("hook")

        def on_finished(self, finished: play_pb2.Finished) -> None:
            heard.append(f"finished {finished.match}")

        def on_rating(self, change: play_pb2.RatingChange) -> None:
            heard.append(f"rated {change.match}")
            self.log("all heard", change.match)

    def script(messages: Messages) -> Said:
        yield from greet(messages, open=[play_pb2.Seated(match=1)])
        yield PlayResponse(
            seated=[play_pb2.Seated(match=2)],
            results=[
                play_pb2.Result(match=1, number=3, status=play_pb2.RESULT_STATUS_ILLEGAL, text="No.", charged_ms=12)
            ],
            finished=[play_pb2.Finished(match=1)],
            notices=[play_pb2.Notice(reason="SEAT_TAKEN_OVER", text="The seat is gone.", match=1)],
            ratings=[play_pb2.RatingChange(match=1)],
        )
        assert next(line for message in messages for line in message.logs).text == "all heard"

    play_through(Listening(), script)
    assert heard == ["seated 1", "seated 2", "finished 1", "rated 1"]
    assert "match 1, question 3: illegal. No. (charged 12 ms, bank left 0 ms, strikes 0)" in caplog.text
    assert "match 1: The seat is gone. (SEAT_TAKEN_OVER)" in caplog.text
