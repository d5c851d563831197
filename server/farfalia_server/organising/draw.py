"""The draw of a tournament: it follows from the secret that was committed to, as its cards do."""

from __future__ import annotations

from collections.abc import Sequence

from farfalia_engine import Deals, board_key
from farfalia_engine.deals import WordStream
from farfalia_server.store.tournaments.draw import DrawResult

#: The name of the board whose key decides the draw; no match is played with it.
BOARD = "draw"


def draw(secret: bytes, nonces: Sequence[bytes], entrants: int) -> DrawResult:
    """Return who has which number in the schedule, and the seed of what is drawn in stages;
    docs/deals.md describes it.
    """
    deals = Deals(board_key(secret, nonces, BOARD))
    words = WordStream(deals, "draw/stages")
    seed = "".join(f"{words.word():08x}" for _ in range(8))
    return DrawResult(tuple(deals.shuffle("draw/1", entrants)), seed)
