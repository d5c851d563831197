"""A bot is asked and answers: in time, in order, and whatever its author got wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from itertools import count
from threading import Event, current_thread

import grpc
import pytest
from tests.clients.scripted import PATIENCE, End, Messages, answers, greet, play_through, question, says

from farfalia import Bot, bot_runner
from farfalia.errors import TakeBack
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayResponse
from farfalia.view import View
from farfalia_engine import Observation

Said = Generator[PlayResponse]


def test_all_answers_to_one_message_leave_in_one_message() -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        asked = [question(match) for match in range(1, 20)]
        yield PlayResponse(questions=asked)
        given = answers(messages)
        assert [(answer.match, answer.number) for answer in given] == [(match, 1) for match in range(1, 20)]
        assert all(answer.action in asked[0].legal and not answer.failure for answer in given)

    play_through(Bot(), script)


def test_an_answer_that_is_ready_leaves_while_the_bot_thinks_about_the_next() -> None:
    first_has_arrived = Event()

    class Slow(Bot):
        def play(self, view: Observation) -> int:
            if view.match == 1:  # type: ignore[attr-defined]  # over the network a view is a farfalia.view.View
                time.sleep(0.01)
            else:
                assert first_has_arrived.wait(PATIENCE)
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1), question(2)])
        assert [answer.match for answer in answers(messages)] == [1]
        first_has_arrived.set()
        assert [(answer.match, answer.failure) for answer in answers(messages)] == [(2, "")]

    play_through(Slow(), script)


def test_a_bot_takes_its_last_decision_back_and_does_so_again_when_asked_again() -> None:
    class Sorry(Bot):
        def decide(self, view: Observation) -> int:
            assert isinstance(view, View)
            if view.takes_back:
                raise TakeBack("the decision before is taken back")
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        asked = question(1)
        yield PlayResponse(questions=[asked])
        assert [answer.take_back for answer in answers(messages)] == [False]
        asked.number, asked.takes_back = 2, True
        yield PlayResponse(questions=[asked])
        assert [answer.take_back for answer in answers(messages)] == [True]
        asked.clock.resent = True
        yield PlayResponse(questions=[asked])
        assert [(answer.number, answer.take_back) for answer in answers(messages)] == [(2, True)]

    play_through(Sorry(), script)


def test_a_ping_is_answered_while_a_slow_bot_thinks() -> None:
    ponged = Event()

    class Searching(Bot):
        def play(self, view: Observation) -> int:
            if view.match == 1:  # type: ignore[attr-defined]
                time.sleep(0.06)
            else:
                assert ponged.wait(PATIENCE)
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        answers(messages)
        yield PlayResponse(questions=[question(2)], ping=play_pb2.Ping(nonce=7))
        assert next(message.pong.nonce for message in messages if message.HasField("pong")) == 7
        ponged.set()
        assert [(answer.match, answer.failure) for answer in answers(messages)] == [(2, "")]

    play_through(Searching(), script)


def test_a_ping_is_answered_during_the_very_first_call() -> None:
    ponged = Event()

    class Loading(Bot):
        def play(self, view: Observation) -> int:
            assert ponged.wait(PATIENCE)
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        yield PlayResponse(ping=play_pb2.Ping(nonce=7))
        assert next(message.pong.nonce for message in messages if message.HasField("pong")) == 7
        ponged.set()
        assert [(answer.match, answer.failure) for answer in answers(messages)] == [(1, "")]

    play_through(Loading(), script)


def test_a_method_that_was_quick_is_called_in_the_event_loop_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_runner, "SLOW", math.inf)  # on a busy machine any call may take long
    threads: list[str] = []

    class Curious(Bot):
        def play(self, view: Observation) -> int:
            threads.append(current_thread().name)
            return view.legal[0]

    play_through(Curious(), says(*(PlayResponse(questions=[question(1, number)]) for number in range(1, 40))))
    assert threads[0] == "farfalia-bot"
    assert "MainThread" in threads


def test_hooks_that_wait_for_their_turn_are_called_before_the_end() -> None:
    heard: list[int] = []

    class Slow(Bot):
        def on_finished(self, finished: play_pb2.Finished) -> None:
            time.sleep(0.06)
            heard.append(finished.match)

    play_through(Slow(), says(PlayResponse(finished=[play_pb2.Finished(match=match) for match in (1, 2, 3)])))
    assert heard == [1, 2, 3]


def test_a_slow_bot_is_asked_one_question_at_a_time_and_a_quick_one_many() -> None:
    class Turtle(Bot):
        pause = 0.0

        def play(self, view: Observation) -> int:
            time.sleep(self.pause)
            return view.legal[0]

    bot = Turtle()

    def asked_until_it_takes(messages: Messages, asked: int, matches: int, questions: int) -> Said:
        """Ask again and again: how quick the bot is found to be depends on how busy the machine is."""
        wanted = play_pb2.Capacity(matches=matches, questions=questions)
        taken = play_pb2.Capacity()
        for number in count(1):
            yield PlayResponse(questions=[question(match, number) for match in range(1, asked + 1)])
            answered = 0
            while answered < asked:
                message = next(messages)
                answered += len(message.actions)
                taken = message.capacity if message.HasField("capacity") else taken
            if taken == wanted:
                return

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield from asked_until_it_takes(messages, 80, 64, 64)
        bot.pause = 0.25
        yield from asked_until_it_takes(messages, 1, 8, 1)

    play_through(bot, script)


def test_a_bot_may_decide_a_whole_message_at_once() -> None:
    sizes: list[int] = []

    class Batching(Bot):
        def decide_batch(self, views: object) -> list[int]:
            assert isinstance(views, list)
            sizes.append(len(views))
            return [view.legal[-1] for view in views]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        asked = [question(match) for match in range(1, 10)]
        yield PlayResponse(questions=asked)
        assert [answer.action for answer in answers(messages)] == [asked[0].legal[-1]] * 9

    play_through(Batching(), script)
    assert sizes == [9]


def test_an_answer_that_got_lost_is_sent_again_without_asking_the_bot_again() -> None:
    asked: list[int] = []

    class Once(Bot):
        def play(self, view: Observation) -> int:
            asked.append(view.legal[-1 - len(asked)])
            return asked[-1]

    given: list[int] = []

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1, resent=bool(given))])
        given.extend(answer.action for answer in answers(messages))

    play_through(Once(), script, script)
    assert len(asked) == 1
    assert given == asked * 2


def test_a_question_that_is_still_being_thought_about_is_not_thought_about_twice() -> None:
    reconnected = Event()
    thought: list[int] = []

    class Slow(Bot):
        def play(self, view: Observation) -> int:
            if view.match == 1:  # type: ignore[attr-defined]
                time.sleep(0.06)
            else:
                thought.append(1)
                assert reconnected.wait(PATIENCE)
            return view.legal[0]

    def lost(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        answers(messages)
        yield PlayResponse(questions=[question(2)])
        raise End(grpc.StatusCode.UNAVAILABLE, "SERVER_STOPS")

    def again(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(2, resent=True)])
        reconnected.set()
        assert [answer.match for answer in answers(messages)] == [2]

    play_through(Slow(), lost, again)
    assert thought == [1]


def test_no_time_is_spent_on_a_question_whose_time_is_over() -> None:
    too_late_was_said = Event()
    thought: list[int] = []

    class Slow(Bot):
        def play(self, view: Observation) -> int:
            match = view.match  # type: ignore[attr-defined]
            thought.append(match)
            if match == 1:
                time.sleep(0.06)
            elif match == 2:
                assert too_late_was_said.wait(PATIENCE)
            return view.legal[0]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        answers(messages)
        yield PlayResponse(questions=[question(2), question(3), question(4)])
        too_late = play_pb2.Result(match=3, number=1, status=play_pb2.RESULT_STATUS_TOO_LATE)
        yield PlayResponse(results=[too_late])
        yield PlayResponse(ping=play_pb2.Ping(nonce=1))
        next(message for message in messages if message.HasField("pong"))
        too_late_was_said.set()
        given = [answer.match for answer in answers(messages)]
        if len(given) == 1:
            given += [answer.match for answer in answers(messages)]
        assert given == [2, 4]

    play_through(Slow(), script)
    assert thought == [1, 2, 4]
