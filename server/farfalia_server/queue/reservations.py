"""Seats that are reserved for matches: where they are written down, here in the memory of a server that is alone.

A match has a seat of each of its bots, or of none, from when the seater queues it until it is over or given back. The
node that has played it frees them. Nodes that share an arena have their reservations in Redis (`nodes`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol


class OutdatedSeater(Exception):
    """Raised when another node has become the seater."""


class ReservationsLost(Exception):
    """Raised when the reservations are lost: call `hold` first."""


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match with reserved seats: its bots without house bots, and for how many seconds they have been reserved."""

    bots: tuple[int, ...]
    age: float


class Reservations(Protocol):
    """The reserved seats of all bots. A `token` is that of the seater who asks."""

    async def matches(self) -> set[int]:
        """Return the matches with reserved seats."""

    async def seated(self) -> dict[int, SeatedMatch]:
        """Return the matches with reserved seats, with their bots, and since when."""

    async def taken(self) -> dict[int, int]:
        """Return, by bot, how many of its seats are reserved."""

    async def hold(self, token: int, playing: Sequence[tuple[int, Sequence[int]]], /) -> None:
        """Reserve the seats of matches in play that have none, given with their bots, and allow `reserve`.

        Raises OutdatedSeater if `token` is no longer the seater's.
        """

    async def reserve(self, token: int, seats: Sequence[tuple[int, Mapping[int, int]]], /) -> list[bool]:
        """Reserve seats for matches, given with how many seats each of their bots has: all of a match, or none.

        Return for each match whether it has them now. Raises OutdatedSeater if `token` is no longer the seater's, and
        ReservationsLost if the reservations were lost since the last `hold`.
        """

    async def release(self, match: int, /, *, waits: bool) -> None:
        """Free the reserved seats of a match, and let the seater know; `waits` if the match waits to be played."""


class LocalReservations:
    """The reserved seats of a server that is alone; they are lost with it.

    `freed` is called when seats become free, with whether a match waits to be played that the seater has queued before.
    """

    def __init__(self) -> None:
        self.freed: Callable[[bool], None] = lambda waits: None
        #: By match, its bots, and when its seats were reserved.
        self._matches: dict[int, tuple[tuple[int, ...], float]] = {}
        self._taken = Counter[int]()

    async def matches(self) -> set[int]:
        """Return the matches with reserved seats."""
        return set(self._matches)

    async def seated(self) -> dict[int, SeatedMatch]:
        """Return the matches with reserved seats, with their bots, and since when."""
        now = monotonic()
        return {match: SeatedMatch(bots, now - since) for match, (bots, since) in self._matches.items()}

    async def taken(self) -> dict[int, int]:
        """Return, by bot, how many of its seats are reserved."""
        return dict(self._taken)

    async def hold(self, token: int, playing: Sequence[tuple[int, Sequence[int]]], /) -> None:
        """Reserve the seats of matches in play."""
        for match, bots in playing:
            self._add(match, tuple(bots))

    async def reserve(self, token: int, seats: Sequence[tuple[int, Mapping[int, int]]], /) -> list[bool]:
        """Reserve seats for matches, given with how many seats each of their bots has: all of a match, or none."""
        return [self._fits(match, limits) and self._add(match, tuple(limits)) for match, limits in seats]

    async def release(self, match: int, /, *, waits: bool) -> None:
        """Free the reserved seats of a match."""
        bots, _ = self._matches.pop(match, ((), 0.0))
        self._taken -= Counter(bots)
        self.freed(waits)

    def _fits(self, match: int, limits: Mapping[int, int]) -> bool:
        return match in self._matches or all(self._taken[bot] < most for bot, most in limits.items())

    def _add(self, match: int, bots: tuple[int, ...]) -> bool:
        if match not in self._matches:
            self._matches[match] = bots, monotonic()
            self._taken.update(bots)
        return True
