"""Which matches have equal cards: the schedules' names, and the contract's numbers."""

from farfalia.v1 import arena_pb2
from farfalia_tournaments.schedules import Boards

BOARDS = {
    Boards.FRESH: arena_pb2.BOARDS_FRESH,
    Boards.DATUM: arena_pb2.BOARDS_DATUM,
    Boards.ROTATIONS: arena_pb2.BOARDS_ROTATIONS,
}
