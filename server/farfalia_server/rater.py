"""Applies finished matches to the ladders, one after another, in an order that is written down.

Results are for ever and ratings follow from them: the order of rating is kept with the matches, so that all
ratings can be rebuilt at any time and come out the same. There may be a rater on every node; whoever writes second
finds that the order has grown meanwhile, and begins again.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable

import structlog

from farfalia_server.errors import StoreUnavailable
from farfalia_server.ladder_ratings import LadderRatings
from farfalia_server.store import Change, Match, MatchState, Rated, Store

log = structlog.get_logger(__name__)

#: Matches of one transaction.
_BATCH = 100
#: Seconds that finished matches wait for others to share a transaction, and from one look to the next at most.
_GATHER_SECONDS, _LOOK_SECONDS = 0.25, 5.0


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
            rated.append(Rated(match, seq, tuple(ladders.apply(match, seq))))
            await asyncio.sleep(0)  # a match costs milliseconds, and tables wait for their turn
        if await self._store.ratings.apply(unrated.last_seq, rated, ladders.changed()):
            for one in rated:
                self._rated(one)
        return True

    async def _ladders(self, matches: Iterable[Match]) -> LadderRatings:
        bots: dict[str, set[int]] = {}
        for match in matches:
            bots.setdefault(match.ruleset, set()).update(match.bot_ids)
        ladders = LadderRatings()
        for ladder, bot_ids in bots.items():
            ladders.learn(await self._store.ratings.versions(ladder, bot_ids))
        return ladders
