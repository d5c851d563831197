"""How the bot's matches ended, for its author: a line per match, or one a minute when they come quickly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from farfalia import report
from farfalia.v1 import play_pb2 as pb

#: Matches that get a line of their own however quickly they come.
FIRST = 10
#: After those, seconds between two lines.
EVERY = 60.0
#: Seconds that a line waits for what the match did to the rating.
RATED_WITHIN = 2.0


class MatchEnds:
    """The ends of matches and the ratings that follow, told to the author."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pages = self._bot = ""
        self._lines = 0
        self._next = 0.0
        # Matches whose line waits for the rating, each with the timer that ends that.
        self._waiting: dict[int, tuple[pb.Finished, asyncio.TimerHandle]] = {}
        # Matches for the next summary, and the timer that brings it.
        self._gathered: list[pb.Finished] = []
        self._summary: asyncio.TimerHandle | None = None
        # By ladder.
        self._ratings: dict[str, float] = {}

    def connected(self, welcome: pb.Welcome) -> None:
        """Remember whose matches they are, and where the pages are."""
        self._bot, self._pages = welcome.bot, welcome.pages

    def finished(self, finished: pb.Finished) -> None:
        """Note that a match has ended."""
        timer = self._loop.call_later(RATED_WITHIN, self._release, finished.match)
        self._waiting[finished.match] = (finished, timer)

    def rated(self, change: pb.RatingChange) -> None:
        """Note that a match has changed the bot's rating."""
        self._ratings[change.after.ladder] = change.after.conservative
        self._release(change.match, change)

    def close(self) -> None:
        """Tell what is left to tell."""
        for match in list(self._waiting):
            self._release(match)
        self._tell_summary()

    def _release(self, match: int, change: pb.RatingChange | None = None) -> None:
        if match not in self._waiting:
            return
        finished, timer = self._waiting.pop(match)
        timer.cancel()
        now = self._loop.time()
        if not self._gathered and (self._lines < FIRST or now >= self._next):
            self._tell(self._line(finished, change))
            return
        self._gathered.append(finished)
        if self._summary is None:
            self._summary = self._loop.call_at(max(now, self._next), self._tell_summary)

    def _tell(self, line: str) -> None:
        self._lines += 1
        self._next = self._loop.time() + EVERY
        report.log.info("%s", line)

    def _tell_summary(self) -> None:
        if self._summary is not None:
            self._summary.cancel()
            self._summary = None
        gathered, self._gathered = self._gathered, []
        if len(gathered) == 1:
            self._tell(self._line(gathered[0], None))
        elif gathered:
            self._tell("; ".join([_means(gathered), *self._rating(), *self._page("bots", self._bot)]))

    def _line(self, finished: pb.Finished, change: pb.RatingChange | None) -> str:
        parts = [f"match {finished.match}: {_ending(finished)}"]
        if change is not None:
            parts.append(f"rating {change.before.conservative:.1f} → {change.after.conservative:.1f}")
        return "; ".join([*parts, *self._page("matches", finished.match)])

    def _rating(self) -> Iterable[str]:
        if len(self._ratings) == 1:
            return [f"rating now {rating:.1f}" for rating in self._ratings.values()]
        return [f"rating in {ladder} now {rating:.1f}" for ladder, rating in sorted(self._ratings.items())]

    def _page(self, kind: str, which: object) -> Iterable[str]:
        return [f"{self._pages}/{kind}/{which}"] if self._pages else []


def _ending(finished: pb.Finished) -> str:
    if finished.voided:
        return "void; it will be played again"
    if not finished.HasField("outcome"):
        return "given up"
    outcome, seat = finished.outcome, finished.seat
    place = f"{_ordinal(outcome.places[seat])} of {len(outcome.places)}"
    return f"{place}, seat lost" if seat in outcome.forfeits else f"{place}, {outcome.points[seat]} points"


def _means(finished: Iterable[pb.Finished]) -> str:
    every = list(finished)
    played = [one for one in every if one.HasField("outcome") and not one.voided]
    if not played:
        return f"{len(every)} matches, none of which counts"
    tables = {len(one.outcome.places) for one in played}
    of = f" of {tables.pop()}" if len(tables) == 1 else ""
    place = sum(one.outcome.places[one.seat] for one in played) / len(played)
    points = sum(one.outcome.points[one.seat] for one in played) / len(played)
    return f"{len(played)} matches: on average place {place:.1f}{of}, {points:.1f} points"


def _ordinal(place: int) -> str:
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
