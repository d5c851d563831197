"""Whether a match may begin: each of its bots has a seat free, or has been waited for long enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import Final, Protocol

from farfalia_server.play.attendance import Players

#: Seconds after which an absence is forgotten if nobody waited for the bot meanwhile.
_FORGOTTEN: Final = 600.0
#: More seats than any bot has: a bot that is no longer waited for takes part in any number of matches.
UNLIMITED: Final = 1 << 30


class Connected(Protocol):
    """Who is connected, on any node."""

    #: Nobody is expected to come back: a bot that is not connected loses its seat.
    absence_is_loss: bool

    def offered(self, bot: int, /) -> int | None:
        """Return how many matches the bot can play at a time; None if it has no stream, and none is about to come."""

    def will_not_come(self, bot: int, /) -> bool:
        """Return whether the bot's last process has exited, so that waiting for it is useless."""

    def lost_at(self, bot: int, /) -> float:
        """Return when the bot's last stream was lost, by the monotonic clock, as far as this node knows."""

    def came_at(self, bot: int, /) -> float:
        """Return when a bot that has a stream came, by the same clock, as far as this node knows."""


class FreeSeats:
    """The seats of bots, and for how long absent ones have been waited for; a match waits for `seconds`."""

    def __init__(self, connected: Connected, seconds: float) -> None:
        self._connected = connected
        self._seconds = seconds
        #: For each bot that is waited for: since when, and when somebody last waited.
        self._since: dict[int, tuple[float, float]] = {}

    def of(self, players: Players, taken: Mapping[int, int]) -> tuple[dict[int, int], int | None]:
        """Return how many seats each bot of a match has, and a bot without which the match may not begin now.

        `taken` has how many seats of each bot are taken. A house bot will play for a bot that is absent for longer than
        the match waits, if enough others are there.
        """
        seats = {bot: self.seats_of(bot) for bot in players.callers}
        missing = next((bot for bot, most in seats.items() if taken.get(bot, 0) >= most), None)
        return seats, self._waited_for(players, seats) if missing is None else missing

    def seats_of(self, bot: int) -> int:
        """Return how many seats a bot has; unlimited for one that was absent for too long."""
        offered = self._connected.offered(bot)
        if offered is not None:
            self._since.pop(bot, None)
            return offered
        return UNLIMITED if self._connected.will_not_come(bot) or self._waited_enough(bot, monotonic()) else 0

    def _waited_for(self, players: Players, seats: Mapping[int, int]) -> int | None:
        """Return an absent bot without which the match may not begin, although it was waited for long enough.

        Enough others have to be there, for as long as the match waits for a bot: when a network comes back, its bots
        come one after the other.
        """
        absent = absent_of(seats)
        if not absent:
            return None
        if self._connected.absence_is_loss:
            players = replace(players, lost=frozenset(players.callers))
        came = {bot: self._connected.came_at(bot) for bot in seats if bot not in absent}
        return None if monotonic() - players.enough_since(came) >= self._seconds else absent[0]

    def _waited_enough(self, bot: int, now: float) -> bool:
        since, waited = self._since.get(bot, (now, now))
        if now - waited > _FORGOTTEN:
            since = now
        since = max(since, self._connected.lost_at(bot))  # it may have been connected meanwhile
        self._since[bot] = since, now
        return now - since >= self._seconds


def absent_of(seats: Mapping[int, int]) -> list[int]:
    """Return the bots that are no longer waited for."""
    return [bot for bot, most in seats.items() if most == UNLIMITED]
