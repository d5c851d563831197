"""A bot's rating in its current version."""

from collections.abc import Iterable
from dataclasses import replace

from farfalia_server.store.ratings.values import LadderRating
from farfalia_tournaments import NEW_SIGMA


def for_new_version(rating: LadderRating, version: str) -> LadderRating:
    """Return the initial rating of a new version: mu of the version before, and a newcomer's sigma."""
    return replace(rating, sigma=NEW_SIGMA, matches=0, version=version)


def current_rating(version: str, ratings: Iterable[LadderRating]) -> LadderRating | None:
    """Return this version's rating among a bot's ratings on one ladder.

    If it has not been rated yet: its initial rating, from the version that was rated last.
    """
    last: LadderRating | None = None
    for rating in ratings:
        if rating.version == version:
            return rating
        if last is None or rating.seq > last.seq:
            last = rating
    return last and for_new_version(last, version)
