"""What the store gives and takes of ratings: as matches made them, and as the whole-history fit did."""

from dataclasses import dataclass
from datetime import datetime

from farfalia_tournaments import conservative_rating


@dataclass(frozen=True, slots=True)
class LadderRating:
    """The estimated skill of a version of a bot on a ladder; `seq` is its last match's place in the order."""

    ladder: str
    bot_id: int
    mu: float
    sigma: float
    matches: int
    version: str = "1"
    seq: int = 0

    @property
    def conservative(self) -> float:
        """The conservative rating, by which ladders are sorted."""
        return conservative_rating(self.mu, self.sigma)


@dataclass(frozen=True, slots=True)
class FittedRating:
    """The rating of a version of a bot by the whole-history fit: mu, and its 95 % credible interval.

    `strength` is that of the model of strengths, in points per match above the mean of all that were rated, with its
    95 % interval; None in a fit of an earlier version.
    """

    ladder: str
    bot_id: int
    version: str
    mu: float
    low: float
    high: float
    matches: int
    made: datetime
    strength: float | None
    strength_low: float | None
    strength_high: float | None


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one match did to one rating; `matches` counts the rated ones, with this."""

    ladder: str
    match_id: int
    bot_id: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    matches: int
    version: str
