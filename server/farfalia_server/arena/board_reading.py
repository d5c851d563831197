"""What all tables scored on one board, once it is no longer in play."""

from __future__ import annotations

import re

from farfalia.v1 import matches_pb2
from farfalia_server.arena.messages import match_message
from farfalia_server.contract.errors import FailedPrecondition, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.store import MatchState, Store

#: Most tables of a board in an answer.
MOST_TABLES = 50
_NAME = re.compile(r"[A-Za-z0-9.-]{1,60}")


async def played_board(store: Store, tournament: int, name: str) -> matches_pb2.Board:
    """Return a board with its finished matches; NotFound (BOARD_UNKNOWN), FailedPrecondition (BOARD_IN_PLAY)."""
    rows = await store.matches.of_board(tournament, name, MOST_TABLES) if _NAME.fullmatch(name) else []
    rows = [row for row in rows if row.board == name]  # not of those that were replayed on another one
    if not rows:
        raise NotFound(
            said("tournament %(tournament)s has no board %(name)s", tournament=tournament, name=quoted(name)),
            "BOARD_UNKNOWN",
        )
    finished = [row for row in rows if row.state is MatchState.FINISHED]
    if not finished or not all(row.record_open for row in finished):
        raise FailedPrecondition(
            said("the results on board %(name)s are compared once every match on it is over", name=name),
            "BOARD_IN_PLAY",
        )
    board = matches_pb2.Board(tournament=tournament, board=name)
    for row in finished:
        match = match_message(row)
        match.outcome.CopyFrom((await store.records.get(row.id)).outcome)  # with the points of each deal
        board.matches.append(match)
    return board
