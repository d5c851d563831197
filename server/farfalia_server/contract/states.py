"""Which of the contract's states mean that something has ended, and which of its calls change nothing."""

from typing import Final

from farfalia.v1 import matches_pb2, tournaments_pb2

#: States of tournaments in which nothing is played any more.
TOURNAMENT_OVER: Final = frozenset(
    {tournaments_pb2.TOURNAMENT_STATE_FINISHED, tournaments_pb2.TOURNAMENT_STATE_CANCELLED}
)
#: States of matches that are not played any more.
MATCH_OVER: Final = frozenset({matches_pb2.MATCH_STATE_FINISHED, matches_pb2.MATCH_STATE_VOID})
#: How the names of calls begin that change nothing.
READING: Final = ("Get", "List")
