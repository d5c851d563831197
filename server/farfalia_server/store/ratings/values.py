"""Ratings, of the online system and of the whole-history fit, and ladders, as the store takes and returns them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from farfalia_engine import TimeControl
from farfalia_server.store.events.values import ARENA
from farfalia_tournaments import MATCH_PARTS, NEW_SIGMA, conservative_rating, is_settled


@dataclass(frozen=True, slots=True)
class LadderRating:
    """The estimated skill of a version of a bot on a ladder; `seq` is its last match's position in the rating order.

    `uncounted` has the parts of its matches that do not settle it, as they were played among newcomers.
    """

    ladder: str
    bot_id: int
    mu: float
    sigma: float
    matches: int
    version: str = "1"
    seq: int = 0
    uncounted: int = 0

    @property
    def counted(self) -> int:
        """The parts of its matches that settle it."""
        return MATCH_PARTS * self.matches - self.uncounted

    @property
    def settled(self) -> bool:
        """Whether it has a place, and settled bots learn from it."""
        return is_settled(self.counted)

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


@dataclass(frozen=True, slots=True)
class Ladder:
    """A game for which connected bots are seated until it is closed: at most `tables` matches at a time.

    Bots of one owner meet if `siblings` may; with `fill` house bots sit where bots are missing: `rungs` in turn, or all
    that decide at once if there are none. Matches are rated by points less luck, or `as_played`, luck included.
    """

    name: str
    ruleset: str
    options: Mapping[str, str]
    time_control: TimeControl
    tables: int
    siblings: bool = False
    fill: bool = False
    event: str = ARENA
    rungs: tuple[str, ...] = ()
    as_played: bool = False
    opened: datetime | None = None
    closed: datetime | None = None


def for_new_version(rating: LadderRating, version: str) -> LadderRating:
    """Return the initial rating of a new version: mu of the version before, and a newcomer's sigma."""
    return replace(rating, sigma=NEW_SIGMA, matches=0, uncounted=0, version=version)


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
