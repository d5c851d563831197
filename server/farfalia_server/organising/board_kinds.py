"""Which matches have equal cards: the schedules' names, and the contract's numbers."""

from farfalia.v1 import stages_pb2
from farfalia_tournaments.schedules import Boards

BOARDS = {
    Boards.FRESH: stages_pb2.BOARDS_FRESH,
    Boards.DATUM: stages_pb2.BOARDS_DATUM,
    Boards.ROTATIONS: stages_pb2.BOARDS_ROTATIONS,
}
