"""What brings matches to a node's runner: its taker, and the seater, which runs on one node."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final

from farfalia_server.play.lobby import Lobby
from farfalia_server.queue.match_playing import Runner
from farfalia_server.queue.match_taker import MatchTaker
from farfalia_server.queue.reservations import LocalReservations
from farfalia_server.queue.seater import Seater
from farfalia_server.records.house_names import playable_house_bots
from farfalia_server.store import Store

#: The token of a seater that has no other beside it.
_ONLY: Final = 1


@dataclass(frozen=True, slots=True)
class Matches:
    """What hands matches to this node's runner."""

    #: Plays those that are given to this node; enter it on every node.
    taker: MatchTaker
    #: Gives them to nodes: enter it on one node.
    seater: AbstractAsyncContextManager[object]
    #: Makes the seater look for matches that can begin.
    wake: Callable[[], None]


class _OneNode:
    """A server that is alone, as its seater sees it."""

    def __init__(self, claims_as: str, taker: MatchTaker, most: int) -> None:
        self._claims_as = claims_as
        self._taker = taker
        self._most = most
        self._house_bots = frozenset(playable_house_bots())

    def live(self, claimed_as: str) -> bool:
        """Return whether matches are claimed under this name here."""
        return claimed_as == self._claims_as

    def room(self) -> dict[str, int]:
        """Return how many matches it can play at a time, unless it takes none."""
        return {} if self._taker.paused else {self._claims_as.rpartition("@")[0]: self._most}

    def best(self, bots: Collection[int], house: Collection[str], free: Mapping[str, int]) -> str | None:
        """Return this node if it has room and can play the house bots."""
        if not set(house) <= self._house_bots:
            return None
        return next((name for name, tables in free.items() if tables > 0), None)


def matches_of_one(
    store: Store, lobby: Lobby, runner: Runner, *, redis_url: str, database: str, most: int, absence: float
) -> Matches:
    """Return what plays at most `most` matches at a time on a server that is alone.

    No other server can be alive that plays from this database: what others have claimed is recovered at once.
    """
    reservations = LocalReservations()
    taker = MatchTaker(store, runner, lobby, reservations, redis_url=redis_url, database=database, most=most)
    seater = Seater(
        store,
        lobby,
        reservations,
        taker.queue,
        token=lambda: _ONLY,
        nodes=_OneNode(runner.node, taker, most),
        absence=absence,
    )
    reservations.freed = seater.freed
    return Matches(taker, seater, seater.wake)
