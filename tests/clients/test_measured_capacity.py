"""How much a bot is sent at once, and how long the client waits between attempts."""

from __future__ import annotations

from random import Random

import pytest

from farfalia.backoff import FIRST, MOST, SETTLED, Backoff
from farfalia.errors import BadSetting
from farfalia.measured_capacity import MeasuredCapacity


def test_before_anything_is_measured_one_question_is_taken() -> None:
    capacity = MeasuredCapacity()
    assert (capacity.matches, capacity.questions) == (64, 1)


def test_trust_in_a_quick_bot_grows_with_every_decision() -> None:
    capacity = MeasuredCapacity()
    seen = []
    for _ in range(70):
        capacity.note(0.0001)
        seen.append(capacity.questions)
    assert seen == sorted(seen)
    assert set(seen) == {2, 4, 8, 16, 32, 64}


def test_one_slow_decision_weighs_at_once_and_is_forgiven_slowly() -> None:
    capacity = MeasuredCapacity()
    capacity.note(0.0001, 100)
    capacity.note(0.4)
    assert capacity.questions == 1
    capacity.note(0.0001)
    assert capacity.questions == 1
    for _ in range(300):
        capacity.note(0.0001)
    assert capacity.questions == 64


def test_what_is_outstanding_can_be_answered_in_good_time() -> None:
    capacity = MeasuredCapacity()
    for _ in range(100):
        capacity.note(0.005)
    assert capacity.questions == 8
    for _ in range(100):
        capacity.note(0.02)
    assert (capacity.matches, capacity.questions) == (64, 2)


def test_a_searching_bot_is_given_few_tables() -> None:
    capacity = MeasuredCapacity()
    capacity.note(0.8)
    assert (capacity.matches, capacity.questions) == (8, 1)


def test_a_batch_counts_as_its_decisions() -> None:
    capacity = MeasuredCapacity()
    capacity.note(0.032, 64)
    assert capacity.cost == 0.0005
    assert capacity.questions == 64


def test_numbers_of_the_author_are_kept_as_they_are() -> None:
    capacity = MeasuredCapacity(matches=3, questions=5)
    capacity.note(2.0)
    assert (capacity.matches, capacity.questions) == (3, 5)


@pytest.mark.parametrize("number", [0, -1])
def test_a_number_of_the_author_is_at_least_one(number: int) -> None:
    with pytest.raises(BadSetting, match=rf"^matches is {number}, expected at least 1\.$"):
        MeasuredCapacity(number)
    with pytest.raises(TypeError, match=r"^questions is True, expected an integer$"):
        MeasuredCapacity(1, True)


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
