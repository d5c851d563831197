"""What was found about ratings, as the contract's messages."""

from __future__ import annotations

from collections.abc import Mapping

from farfalia.v1 import arena_pb2
from farfalia_server.rebuilding import Rebuilt

from .messages import rating_message

#: Problems that one answer names.
MOST_PROBLEMS = 100


def rebuilt_message(found: Rebuilt, bots: Mapping[int, str]) -> arena_pb2.RebuildRatingsResponse:
    """How far the rebuilding of ratings is, or what it has found; `bots` are names by number."""
    return arena_pb2.RebuildRatingsResponse(
        checked=found.checked,
        total=found.total,
        over=found.over,
        problems=found.problems[:MOST_PROBLEMS],
        problem_count=len(found.problems),
        differences=[
            arena_pb2.RatingDifference(
                bot=bots[next(rating.bot_id for rating in (one.kept, one.rebuilt) if rating)],
                kept=rating_message(one.kept) if one.kept else None,
                rebuilt=rating_message(one.rebuilt) if one.rebuilt else None,
            )
            for one in found.differences
        ],
        replaced=found.replaced,
    )
