"""Token buckets, and a queue that serves its owners in turn."""

from __future__ import annotations

from farfalia_server.play.decision_pace import DecisionPace
from farfalia_server.play.fair_queue import FairQueue
from farfalia_server.play.limits import most_matches
from farfalia_server.play.token_bucket import TokenBucket


def test_a_bucket_gives_a_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(10, 2, now=0)
    assert [bucket.take(1, 0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert [bucket.take(1, 1) for _ in range(3)] == [True, True, False]
    assert bucket.take(10, 1000)
    assert not bucket.take(1, 1000)


def test_a_bucket_that_is_overdrawn_has_to_be_filled_first() -> None:
    bucket = TokenBucket(10, 2, now=0)
    bucket.overdraw(0)
    assert bucket.in_debt(4.9)
    assert not bucket.take(1, 5)
    assert bucket.take(1, 5.5)


async def test_an_owner_of_many_jobs_delays_nobody_else() -> None:
    queue: FairQueue[str] = FairQueue()
    for at in range(1000):
        queue.put(1, f"one {at}")
    queue.put(2, "two")
    assert [await queue.get() for _ in range(3)] == ["one 0", "two", "one 1"]
    assert len(queue) == 998


async def test_a_queue_limits_the_jobs_of_an_owner_and_ends_when_they_are_done() -> None:
    queue: FairQueue[int] = FairQueue()
    assert [queue.put(1, at, most=2) for at in range(4)] == [True, True, False, False]
    queue.close()
    assert [await queue.get() for _ in range(3)] == [0, 1, None]


def test_seats_follow_from_the_time_of_a_decision() -> None:
    pace = DecisionPace()
    assert pace.seats(64, 1.0) == 1
    pace.note(0.25)
    assert (pace.seats(1, 1.0), pace.seats(4, 1.0), pace.seats(1, 0.1)) == (5, 17, 1)
    for _ in range(20):
        pace.note(1.0)
    assert pace.seats(1, 1.0) == 2


def test_a_bot_has_a_quarter_of_the_tables_at_most() -> None:
    assert [most_matches(tables) for tables in (1, 20, 256, 10_000)] == [8, 8, 64, 2500]
