"""What the long run says of a server's memory."""

import pytest
from tests.endurance.memory import Memory

MIB = 2**20


def test_growth_is_told_of_the_newer_half_of_the_matches_of_the_longest_life() -> None:
    short = [(finished, 100 * MIB) for finished in range(0, 300, 100)]
    # It warms up first; then each match costs 2 KiB for good. At its end a thousand looks see two matches end.
    quick = [(300 + at, 100 * MIB + min(at, 500) * MIB // 10 + 2048 * at) for at in range(0, 3000, 10)]
    slow = [(3300 + at // 500, quick[-1][1]) for at in range(1000)]
    memory = Memory([short, quick + slow])
    assert memory.span == pytest.approx(1500, abs=10)
    assert memory.slope == pytest.approx(2048 * 1000 / MIB, rel=0.15)


def test_a_short_life_tells_nothing() -> None:
    assert Memory([[]]).slope is None
    assert Memory([[(1, MIB), (2, MIB)]]).slope is None
    assert Memory().span == 0
