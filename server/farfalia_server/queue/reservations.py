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
    """A match with reserved seats: its bots without house bots, the node that is to play it, and for how many seconds
    they have been reserved.
    """

    bots: tuple[int, ...]
    node: str
    age: float


@dataclass(frozen=True, slots=True)
class Table:
    """Seats to reserve for a match that `node` is to play: for each of its bots, how many seats it has."""

    match: int
    node: str
    limits: Mapping[int, int]


class Reservations(Protocol):
    """The reserved seats of all bots. A `token` is that of the seater who asks."""

    async def nodes(self) -> dict[int, str]:
        """Return, by match with reserved seats, the node that is to play it."""

    async def seated(self) -> dict[int, SeatedMatch]:
        """Return the matches with reserved seats."""

    async def taken(self) -> dict[int, int]:
        """Return, by bot, how many of its seats are reserved."""

    async def hold(self, token: int, playing: Sequence[Table], /) -> None:
        """Reserve the seats of matches in play that have none, and allow `reserve`.

        Raises OutdatedSeater if `token` is no longer the seater's.
        """

    async def reserve(self, token: int, tables: Sequence[Table], /) -> list[bool]:
        """Reserve the seats of each match, or none of it; one that has them keeps them, for another node perhaps.

        Return for each match whether it has them now. Raises OutdatedSeater if `token` is no longer the seater's, and
        ReservationsLost if the reservations were lost since the last `hold`.
        """

    async def release(self, match: int, /, *, waits: bool) -> None:
        """Free the reserved seats of a match, and let the seater know; `waits` if the match waits to be played."""


class LocalReservations:
    """The reserved seats of a server that is alone; they are lost with it.

    `freed` is called with a match whose seats have become free, and whether it waits to be played.
    """

    def __init__(self) -> None:
        self.freed: Callable[[int, bool], None] = lambda match, waits: None
        #: When the seats of a match were reserved.
        self._matches: dict[int, tuple[Table, float]] = {}
        self._taken = Counter[int]()

    async def nodes(self) -> dict[int, str]:
        """Return, by match with reserved seats, the node that is to play it."""
        return {match: table.node for match, (table, _) in self._matches.items()}

    async def seated(self) -> dict[int, SeatedMatch]:
        """Return the matches with reserved seats."""
        now = monotonic()
        return {
            match: SeatedMatch(tuple(table.limits), table.node, now - since)
            for match, (table, since) in self._matches.items()
        }

    async def taken(self) -> dict[int, int]:
        """Return, by bot, how many of its seats are reserved."""
        return dict(self._taken)

    async def hold(self, token: int, playing: Sequence[Table], /) -> None:
        """Reserve the seats of matches in play."""
        await self.reserve(token, playing)

    async def reserve(self, token: int, tables: Sequence[Table], /) -> list[bool]:
        """Reserve the seats of each match, or none of it."""
        return [self._reserve(table) for table in tables]

    async def release(self, match: int, /, *, waits: bool) -> None:
        """Free the reserved seats of a match."""
        if match in self._matches:
            table, _ = self._matches.pop(match)
            self._taken -= Counter(table.limits.keys())
            self.freed(match, waits)

    def _reserve(self, table: Table) -> bool:
        if table.match not in self._matches:
            if any(self._taken[bot] >= most for bot, most in table.limits.items()):
                return False
            self._matches[table.match] = table, monotonic()
            self._taken.update(table.limits.keys())
        return True
