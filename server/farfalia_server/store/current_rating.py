"""What a bot is worth in the version that plays now."""

from collections.abc import Iterable
from dataclasses import replace

from farfalia_server.store.rating_values import LadderRating
from farfalia_tournaments import NEW_SIGMA


def for_new_version(rating: LadderRating, version: str) -> LadderRating:
    """Return what a new version starts with: what the one before was thought to be worth,
    and a newcomer's uncertainty.
    """
    return replace(rating, sigma=NEW_SIGMA, matches=0, version=version)


def current_rating(version: str, ratings: Iterable[LadderRating]) -> LadderRating | None:
    """Return, of one bot's ratings on one ladder, those of all versions, the one of this version.

    If it has not been rated yet: what it starts with, by the version that was rated last.
    """
    last: LadderRating | None = None
    for rating in ratings:
        if rating.version == version:
            return rating
        if last is None or rating.seq > last.seq:
            last = rating
    return last and for_new_version(last, version)
