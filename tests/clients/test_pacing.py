"""How much is a bot sent at once, and how long does the client wait between attempts."""

from __future__ import annotations

from random import Random

from farfalia.backoff import FIRST, MOST, SETTLED, Backoff
from farfalia.pacing import Pace


def test_before_anything_is_measured_one_question_is_taken() -> None:
    pace = Pace()
    assert (pace.matches, pace.questions) == (64, 1)


def test_trust_in_a_quick_bot_grows_with_every_decision() -> None:
    pace = Pace()
    seen = []
    for _ in range(70):
        pace.note(0.0001)
        seen.append(pace.questions)
    assert seen == sorted(seen)
    assert set(seen) == {2, 4, 8, 16, 32, 64}


def test_one_slow_decision_weighs_at_once_and_is_forgiven_slowly() -> None:
    pace = Pace()
    pace.note(0.0001, 100)
    pace.note(0.4)
    assert pace.questions == 1
    pace.note(0.0001)
    assert pace.questions == 1
    for _ in range(300):
        pace.note(0.0001)
    assert pace.questions == 64


def test_what_is_outstanding_can_be_answered_in_good_time() -> None:
    pace = Pace()
    for _ in range(100):
        pace.note(0.005)
    assert pace.questions == 8
    for _ in range(100):
        pace.note(0.02)
    assert (pace.matches, pace.questions) == (64, 2)


def test_a_searching_bot_is_given_few_tables() -> None:
    pace = Pace()
    pace.note(0.8)
    assert (pace.matches, pace.questions) == (8, 1)


def test_a_batch_counts_as_its_decisions() -> None:
    pace = Pace()
    pace.note(0.032, 64)
    assert pace.cost == 0.0005
    assert pace.questions == 64


def test_numbers_of_the_author_are_kept_as_they_are() -> None:
    pace = Pace(matches=3, questions=5)
    pace.note(2.0)
    assert (pace.matches, pace.questions) == (3, 5)


def test_waits_double_up_to_a_limit_and_are_never_quite_the_same() -> None:
    backoff = Backoff(Random(1))
    waits = [backoff.wait(0.0) for _ in range(10)]
    for turn, wait in enumerate(waits):
        ceiling = min(MOST, FIRST * 2**turn)
        assert ceiling / 2 <= wait <= ceiling
    assert len(set(waits)) == 10


def test_after_a_stream_that_lived_long_the_first_attempt_comes_soon() -> None:
    backoff = Backoff(Random(1))
    for _ in range(10):
        backoff.wait(0.0)
    assert backoff.wait(SETTLED) <= FIRST
