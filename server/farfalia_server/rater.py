"""Applies finished matches to the ladders, one after another, in an order that is written down.

Results are for ever and ratings follow from them: the order of rating is kept with the matches, so that all
ratings can be rebuilt at any time and come out the same. There may be a rater on every node; whoever writes second
finds that the order has grown meanwhile, and begins again.
"""

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import structlog

from farfalia_server.errors import StoreUnavailable
from farfalia_server.results import match_result
from farfalia_server.store import Change, Match, MatchState, Rated, Rating, RatingChange, Store
from farfalia_tournaments import Rating as Skill
from farfalia_tournaments import TournamentError, TrueSkill, rate

log = structlog.get_logger(__name__)

#: Matches of one transaction.
_BATCH = 100
#: Seconds that finished matches wait for others to share a transaction, and from one look to the next at most.
_GATHER_SECONDS, _LOOK_SECONDS = 0.25, 5.0
#: What rebuilt ratings may differ by: machines round logarithms differently in the last place.
_ROUNDING = 1e-9

_SYSTEM = TrueSkill()


class Rater:
    """Rates what finishes; `rated` is called for every match after it was committed. `async with` starts and stops it.

    A ladder is called as its ruleset. House bots that were entered are rated like any others; those that only
    fill a table are not, and count as opponents.
    """

    def __init__(self, store: Store, rated: Callable[[Rated], None] = lambda _: None) -> None:
        self._store = store
        self._rated = rated
        self._wake = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._unlisten: Callable[[], None] = lambda: None

    async def __aenter__(self) -> "Rater":
        self._unlisten = self._store.changes.listen(self._changed)
        self._task = asyncio.create_task(self._run(), name="rater")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping = True
        self._unlisten()
        self._wake.set()
        if self._task is not None:
            await self._task

    async def rate_all(self) -> None:
        """Rates everything that is finished and not rated yet."""
        while await self._rate_some():
            pass

    def _changed(self, change: Change) -> None:
        if change.state is MatchState.FINISHED:
            self._wake.set()

    async def _run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self.rate_all()
            except StoreUnavailable as error:
                log.warning("ratings wait", why=str(error))
            except Exception:
                log.exception("the rater failed and tries again")
                await asyncio.sleep(1)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _LOOK_SECONDS)
            if not self._stopping:
                await asyncio.sleep(_GATHER_SECONDS)

    async def _rate_some(self) -> bool:
        """Rates a batch; False if there was nothing to rate."""
        unrated = await self._store.ratings.unrated(_BATCH)
        if not unrated.matches:
            return False
        ladders = await self._ladders(unrated.matches)
        rated = []
        for seq, match in enumerate(unrated.matches, start=unrated.last_seq + 1):
            rated.append(Rated(match, seq, tuple(ladders.apply(match))))
            await asyncio.sleep(0)  # a match costs milliseconds, and tables wait for their turn
        if await self._store.ratings.apply(unrated.last_seq, rated, ladders.changed()):
            for one in rated:
                self._rated(one)
        return True

    async def _ladders(self, matches: Iterable[Match]) -> "Ladders":
        bots: dict[str, set[int]] = {}
        for match in matches:
            bots.setdefault(match.ruleset, set()).update(match.bot_ids)
        ladders = Ladders()
        for ladder, bot_ids in bots.items():
            ladders.learn((await self._store.ratings.of(ladder, bot_ids)).values())
        return ladders


class Ladders:
    """Ratings in memory, to which matches are applied in order."""

    def __init__(self) -> None:
        self._ratings: dict[tuple[str, int], Rating] = {}
        self._changed: set[tuple[str, int]] = set()

    def learn(self, ratings: Iterable[Rating]) -> None:
        """Takes ratings over as they are."""
        self._ratings.update(((rating.ladder, rating.bot_id), rating) for rating in ratings)

    def changed(self) -> list[Rating]:
        """The ratings that matches have changed, as they are now."""
        return [self._ratings[key] for key in sorted(self._changed)]

    def apply(self, match: Match) -> Iterator[RatingChange]:
        """Changes the ratings of those who sat in a match; nobody's if its result cannot be rated."""
        ladder = match.ruleset
        for bot_id, skill in self._rate(match).items():
            before = self._rating(ladder, bot_id)
            after = Rating(ladder, bot_id, skill.mu, skill.sigma, before.matches + 1)
            self._ratings[ladder, bot_id] = after
            self._changed.add((ladder, bot_id))
            yield RatingChange(ladder, match.id, bot_id, before.mu, before.sigma, after.mu, after.sigma, after.matches)

    def _rate(self, match: Match) -> dict[int, Skill]:
        skills = {bot_id: _skill(self._rating(match.ruleset, bot_id)) for bot_id in match.bot_ids}
        try:
            result = match_result(match, match.bot_ids)
            return rate(skills, result, _SYSTEM)
        except TournamentError as error:
            log.error("match cannot be rated", match=match.id, why=str(error))
            return {}

    def _rating(self, ladder: str, bot_id: int) -> Rating:
        prior = _SYSTEM.prior
        newcomer = Rating(ladder, bot_id, prior.mu, prior.sigma, 0)
        return self._ratings.get((ladder, bot_id), newcomer)


@dataclass(frozen=True, slots=True)
class Difference:
    """A rating that is not what the results give; one of the two is None if it should not be, or is not, there."""

    kept: Rating | None
    rebuilt: Rating | None


async def rebuild(store: Store, *, replace: bool = False) -> list[Difference]:
    """Computes all ratings again from all results, in the order of rating, and says where those that are kept differ.

    With `replace` they are then put right, unless a match was rated meanwhile: then it begins again.
    """
    while True:
        ladders, seq = Ladders(), 0
        while matches := await store.ratings.rated(seq, _BATCH):
            for match in matches:
                assert match.rating_seq is not None
                seq = match.rating_seq
                list(ladders.apply(match))
                await asyncio.sleep(0)
        rebuilt = ladders.changed()
        differences = list(_differences(await store.ratings.all(), rebuilt))
        if not replace or not differences or await store.ratings.replace(seq, rebuilt):
            return differences


def _differences(kept: Iterable[Rating], rebuilt: Iterable[Rating]) -> Iterator[Difference]:
    by_key = {(rating.ladder, rating.bot_id): rating for rating in kept}
    for rating in rebuilt:
        other = by_key.pop((rating.ladder, rating.bot_id), None)
        if other is None or not _same(other, rating):
            yield Difference(other, rating)
    for rating in by_key.values():
        yield Difference(rating, None)


def _same(one: Rating, other: Rating) -> bool:
    return (
        one.matches == other.matches
        and math.isclose(one.mu, other.mu, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
        and math.isclose(one.sigma, other.sigma, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    )


def _skill(rating: Rating) -> Skill:
    return Skill(rating.mu, rating.sigma)
