"""Amounts as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from farfalia_server.wording.amounts import ago, duration, grouped


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (0, "0 ms"),
        (40, "40 ms"),
        (1000, "1 s"),
        (1500, "1.5 s"),
        (59_960, "60 s"),
        (60_000, "1 min"),
        (90_000, "1 min 30 s"),
        (3_600_000, "1 h"),
        (3_900_000, "1 h 5 min"),
    ],
)
def test_a_time_is_said_in_the_units_that_people_use(milliseconds: int, said: str) -> None:
    assert duration(milliseconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (86400, "1 day ago"),
        (29 * 86400, "29 days ago"),
        (31 * 86400, "2026-10-20"),
    ],
)
def test_a_moment_is_said_as_long_ago_as_it_was(seconds: int, said: str) -> None:
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert ago(now - timedelta(seconds=seconds), now) == said


def test_thousands_stand_apart() -> None:
    assert [grouped(number) for number in (0, 999, 104_000)] == ["0", "999", "104,000"]
