"""Ratings, fits and reports as the contract's messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from farfalia.v1 import bots_pb2, ratings_pb2
from farfalia_server.arena.messages import rating_message
from farfalia_server.rating.chain_rebuilding import ChainReason
from farfalia_server.rating.checking import ProblemReason
from farfalia_server.rating.rebuilding import RebuildReport
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Bot, BotVersion, FittedRating, LadderRating
from farfalia_server.store.ratings.values import current_rating
from farfalia_tournaments import PairBin, ReliabilityBin

PROBLEM_REASONS = {
    ProblemReason.MATCH_MISSING: ratings_pb2.RECORD_PROBLEM_REASON_MATCH_MISSING,
    ProblemReason.MISSING: ratings_pb2.RECORD_PROBLEM_REASON_MISSING,
    ProblemReason.DAMAGED: ratings_pb2.RECORD_PROBLEM_REASON_DAMAGED,
    ProblemReason.INVALID: ratings_pb2.RECORD_PROBLEM_REASON_INVALID,
    ProblemReason.DIFFERENT: ratings_pb2.RECORD_PROBLEM_REASON_DIFFERENT,
}
CHAIN_REASONS = {
    ChainReason.MISSING: ratings_pb2.RATING_CHAIN_REASON_MISSING,
    ChainReason.DAMAGED: ratings_pb2.RATING_CHAIN_REASON_DAMAGED,
    ChainReason.DIFFERENT: ratings_pb2.RATING_CHAIN_REASON_DIFFERENT,
    ChainReason.SUPERFLUOUS: ratings_pb2.RATING_CHAIN_REASON_SUPERFLUOUS,
}
#: Most problems in an answer.
MOST_PROBLEMS = 100


def present_ratings(bot: Bot, ratings: Iterable[LadderRating]) -> list[LadderRating]:
    """Return, of the ratings of all versions of a bot, those of the present one, by ladder."""
    by_ladder: dict[str, list[LadderRating]] = {}
    for rating in ratings:
        by_ladder.setdefault(rating.ladder, []).append(rating)
    return [found for ladder in sorted(by_ladder) if (found := current_rating(bot.version, by_ladder[ladder]))]


def version_message(version: BotVersion, ratings: Iterable[LadderRating]) -> bots_pb2.BotVersion:
    """Return a version of a bot with its ratings."""
    return bots_pb2.BotVersion(
        version=version.version,
        registered=timestamp(version.created),
        ratings=[rating_message(rating) for rating in ratings],
    )


def fitted_rating_message(fit: FittedRating) -> ratings_pb2.FittedRating:
    """Return a bot's rating by the last fit of its ladder."""
    return ratings_pb2.FittedRating(
        mu=fit.mu,
        low=fit.low,
        high=fit.high,
        matches=fit.matches,
        made=timestamp(fit.made),
        strength=fit.strength,
        strength_low=fit.strength_low,
        strength_high=fit.strength_high,
    )


def reliability_message(one: ReliabilityBin) -> ratings_pb2.Reliability:
    """Return how often the favourites of a bin were placed first."""
    return ratings_pb2.Reliability(low=one.low, high=one.high, pairs=one.pairs, said=one.said, happened=one.happened)


def pair_reliability_message(one: PairBin) -> ratings_pb2.PairReliability:
    """Return how often the favourites of a bin were ahead at the next meeting."""
    return ratings_pb2.PairReliability(
        low=one.low, high=one.high, pairs=one.pairs, shown=one.shown, said=one.said, happened=one.happened
    )


def rebuilt_message(found: RebuildReport, bots: Mapping[int, str]) -> ratings_pb2.RebuildRatingsResponse:
    """Return the progress of rebuilding ratings, or its outcome; `bots` are names by number."""
    return ratings_pb2.RebuildRatingsResponse(
        checked=found.checked,
        total=found.total,
        over=found.over,
        problems=[
            ratings_pb2.RecordProblem(
                match=one.match, place=one.place, reason=PROBLEM_REASONS[one.reason], text=one.text
            )
            for one in found.problems[:MOST_PROBLEMS]
        ],
        problem_count=len(found.problems),
        differences=[
            ratings_pb2.RatingDifference(
                bot=bots[next(rating.bot_id for rating in (one.kept, one.rebuilt) if rating)],
                kept=rating_message(one.kept) if one.kept else None,
                rebuilt=rating_message(one.rebuilt) if one.rebuilt else None,
            )
            for one in found.differences
        ],
        replaced=found.replaced,
        chain_differences=[
            ratings_pb2.RatingChainDifference(
                ladder=one.ladder, entry=one.entry, reason=CHAIN_REASONS[one.reason], text=one.text
            )
            for one in found.chain_differences
        ],
    )
