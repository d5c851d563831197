"""The store's values for ratings: of the online system, and of the whole-history fit."""

from dataclasses import dataclass
from datetime import datetime

from farfalia_tournaments import conservative_rating


@dataclass(frozen=True, slots=True)
class LadderRating:
    """The estimated skill of a version of a bot on a ladder; `seq` is its last match's position in the rating order."""

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

    `strength` comes from the model of strengths, in points per match above the mean of all rated bots, with its 95 %
    interval; None in a fit by an earlier version.
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
    """The change of one rating by one match; `matches` counts the rated matches up to this one."""

    ladder: str
    match_id: int
    bot_id: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    matches: int
    version: str
