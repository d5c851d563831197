"""Which matches have equal cards: the schedules' names, and the contract's numbers."""

from farfalia.v1 import tournaments_pb2
from farfalia_tournaments.schedules import Boards

BOARDS = {
    Boards.FRESH: tournaments_pb2.BOARDS_FRESH,
    Boards.DATUM: tournaments_pb2.BOARDS_DATUM,
    Boards.ROTATIONS: tournaments_pb2.BOARDS_ROTATIONS,
}
