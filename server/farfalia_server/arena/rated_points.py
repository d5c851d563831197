"""Ratings in points, wherever they are shown: one scale of a ladder turns all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from farfalia.v1 import bots_pb2, play_pb2
from farfalia_server.rating.points_scales import PointsScales
from farfalia_tournaments import PointsScale, Rating, probability_before


async def add_points(scales: PointsScales, ratings: Iterable[play_pb2.Rating]) -> None:
    """Say in ratings what they are in points; those of a ladder without a scale stay as they are."""
    known: dict[str, PointsScale | None] = {}
    for rating in ratings:
        if rating.ladder not in known:
            known[rating.ladder] = await scales.of(rating.ladder)
        if (scale := known[rating.ladder]) is not None:
            set_points(rating, scale)


def set_points(rating: play_pb2.Rating | bots_pb2.RatingPoint, scale: PointsScale) -> None:
    """Say in a rating what it is in points."""
    estimate = scale.of(rating.mu, rating.sigma)
    rating.points, rating.points_margin = estimate.points, estimate.margin


def pair_rating(one: play_pb2.Rating, other: play_pb2.Rating, scale: PointsScale | None) -> bots_pb2.PairRating:
    """Return the ratings of two bots on one ladder, how far they are apart, and which is the stronger one."""
    first, second = Rating(one.mu, one.sigma), Rating(other.mu, other.sigma)
    pair = bots_pb2.PairRating(
        ladder=one.ladder, rating=one, against_rating=other, stronger=probability_before(first, second, 0.0)
    )
    if scale is not None:
        set_points(pair.rating, scale)
        set_points(pair.against_rating, scale)
        pair.points = pair.rating.points - pair.against_rating.points
        pair.points_margin = math.hypot(pair.rating.points_margin, pair.against_rating.points_margin)
    return pair
