"""What brings matches to a node's runner: its taker, and the seater, which runs on one node."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final

from farfalia_server.net import redis_keys
from farfalia_server.play.lobby import Lobby
from farfalia_server.queue.match_playing import Runner
from farfalia_server.queue.match_taker import MatchTaker
from farfalia_server.queue.reservations import LocalReservations
from farfalia_server.queue.seater import Seater
from farfalia_server.store import Store

#: The token of a seater that has no other beside it.
_ONLY: Final = 1


@dataclass(frozen=True, slots=True)
class Matches:
    """What hands matches to this node's runner."""

    #: Takes them out of the queue, on every node.
    taker: MatchTaker
    #: Puts them there: enter it on one node.
    seater: AbstractAsyncContextManager[object]
    #: Makes the seater look for matches that can begin.
    wake: Callable[[], None]


def matches_of_one(
    store: Store, lobby: Lobby, runner: Runner, *, redis_url: str, database: str, most: int, absence: float
) -> Matches:
    """Return what plays at most `most` matches at once on a server that is alone.

    No other server can be alive that plays from this database: what others have claimed is recovered at once.
    """
    reservations = LocalReservations()
    key = redis_keys.QUEUE(database=database)
    taker = MatchTaker(store, runner, lobby, reservations, name=key, redis_url=redis_url, most=most, afresh=True)
    seater = Seater(
        store,
        lobby,
        reservations,
        taker.queue,
        token=lambda: _ONLY,
        lives=lambda node: node == runner.node,
        room=lambda: 0 if taker.paused else most,
        absence=absence,
    )
    reservations.freed = seater.freed
    return Matches(taker, seater, seater.wake)
