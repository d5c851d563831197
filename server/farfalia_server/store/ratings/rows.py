"""From rows of ratings to values."""

from typing import Any

from sqlalchemy import Row

from farfalia_server.store.ratings.values import LadderRating, RatingChange


def to_rating(row: Row[*tuple[Any, ...]]) -> LadderRating:
    """Return the rating of a row of `rating`."""
    return LadderRating(
        row.ladder, row.bot_id, row.mu, row.sigma, row.matches, row.version, row.last_seq, row.uncounted
    )


def to_rating_change(row: Row[*tuple[Any, ...]]) -> RatingChange:
    """Return the change of a row of `rating_event`."""
    return RatingChange(
        row.ladder,
        row.match_id,
        row.bot_id,
        row.mu_before,
        row.sigma_before,
        row.mu_after,
        row.sigma_after,
        row.matches,
        row.version,
    )
