"""The time of day that the server shows and sorts by, while the machine's clock is set."""

from datetime import UTC, datetime, timedelta

from farfalia_server.net.wall_clock import WallClock

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)


class Machine:
    """A machine whose clock is `wrong` by so much."""

    def __init__(self) -> None:
        self.seconds, self.wrong = 0.0, timedelta()
        self.clock = WallClock(lambda: NOON + timedelta(seconds=self.seconds) + self.wrong, lambda: self.seconds)

    def after(self, seconds: float) -> datetime:
        self.seconds += seconds
        return self.clock.now()


def test_a_clock_that_was_set_back_slows_the_servers_down_until_it_has_caught_up() -> None:
    machine = Machine()
    assert machine.after(60) == NOON + timedelta(seconds=60)
    machine.wrong = timedelta(hours=-1)
    assert machine.after(100) == NOON + timedelta(seconds=60 + 90)
    assert machine.after(9 * 3600) < NOON + timedelta(seconds=machine.seconds)
    machine.after(3600)
    assert machine.clock.now() == NOON + timedelta(seconds=machine.seconds) + machine.wrong


def test_a_clock_that_was_set_forward_is_followed_at_once() -> None:
    machine = Machine()
    machine.wrong = timedelta(hours=2)
    assert machine.after(1) == NOON + timedelta(hours=2, seconds=1)
