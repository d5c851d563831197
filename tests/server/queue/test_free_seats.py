"""Whether a match may begin without somebody."""

from __future__ import annotations

import math
from typing import ClassVar

import pytest

from farfalia_server.play.attendance import Players
from farfalia_server.queue.free_seats import UNLIMITED, FreeSeats


class Two:
    """Two bots that have come, and nobody else."""

    absence_is_loss = False
    came: ClassVar = {1: 5.0, 2: 9.0}

    def offered(self, bot: int) -> int | None:
        return 1 if bot in self.came else None

    def will_not_come(self, bot: int) -> bool:
        return False

    def lost_at(self, bot: int) -> float:
        return -math.inf

    def came_at(self, bot: int) -> float:
        return self.came[bot]


def test_a_match_waits_for_those_who_come_back_after_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    players, free_seats, now = Players((1, 2, 3)), FreeSeats(Two(), 60.0), 0.0
    monkeypatch.setattr("farfalia_server.queue.free_seats.monotonic", lambda: now)
    assert free_seats.of(players, {})[1] == 3
    now = 60.0
    assert free_seats.of(players, {})[1] == 3
    now = 69.0
    assert free_seats.of(players, {}) == ({1: 1, 2: 1, 3: UNLIMITED}, None)
