"""What follows from all results of a ladder together: the whole-history fit, strengths, and the collusion report."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog

from farfalia_server.errors import StoreUnavailable
from farfalia_server.net.service import Service
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.rating.effects import effects_of
from farfalia_server.rating.ladder_reliability import reliability_of
from farfalia_server.rating.ladder_strengths import strengths_of
from farfalia_server.rating.pair_reliability import pair_reliability_of
from farfalia_server.records.results import match_result
from farfalia_server.store import FittedRating, LadderBins, Seat, Store
from farfalia_tournaments import Effect, MatchResult, TournamentError, fit_whole_history

log = structlog.get_logger(__name__)

#: Matches that are read at once: 200 held the loop for 20 ms.
_BATCH = 50


async def fit_ladder(store: Store, ladder: str) -> int:
    """Fit a ladder to all its rated results, and store the fit with how reliable the ratings were; return the matches.

    It takes some milliseconds per match, in a worker process.
    """
    results = await _results(store, ladder, lambda seat: f"{seat.bot_id} {seat.version}")
    async with WorkerProcess() as worker:
        estimates = await worker.run(fit_whole_history, results) if results else []
        strengths = await worker.run(strengths_of, results)
        pairs = await pair_reliability_of(store, ladder, worker)
    made, fitted = datetime.now(UTC), []
    for one in estimates:
        bot, _, version = one.entrant.partition(" ")
        strength = strengths[one.entrant]
        fitted.append(
            FittedRating(
                ladder,
                int(bot),
                version,
                one.rating.mu,
                one.low,
                one.high,
                one.matches,
                made,
                strength.mean,
                strength.low,
                strength.high,
            )
        )
    await store.fitted_ratings.replace(ladder, fitted)
    await store.reliability.replace(ladder, LadderBins(await reliability_of(store, ladder), pairs))
    log.info("ladder_fitted", ladder=ladder, matches=len(results), bots=len(fitted))
    return len(results)


async def effects(store: Store, ladder: str) -> list[Effect[str]]:
    """Return how each bot does with each other one at its table, by names, smallest p-value first."""
    results = await _results(store, ladder, lambda seat: seat.name)
    async with WorkerProcess() as worker:
        return await worker.run(effects_of, results)


class LadderFitter(Service):
    """The service that fits every ladder each night at an hour, UTC. `async with` starts and stops it."""

    cancelled_to_stop = True

    def __init__(self, store: Store, hour: int) -> None:
        super().__init__("ladder fitter")
        self._store = store
        self._hour = hour

    async def fit_all(self) -> None:
        """Fit every ladder that has ratings."""
        for ladder in await self._store.ratings.ladders():
            await fit_ladder(self._store, ladder)

    async def _run(self) -> None:
        while await self._goes_on(seconds_until(self._hour, datetime.now(UTC))):
            try:
                await self.fit_all()
            except StoreUnavailable as error:
                log.warning("service_paused", service="ladder fitter", error=str(error))
            except Exception:
                log.exception("service_failed", service="ladder fitter")


def seconds_until(hour: int, now: datetime) -> float:
    """Return how long it is until the clock next shows that hour; never 0."""
    then = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    if then <= now:
        then += timedelta(days=1)
    return (then - now).total_seconds()


async def _results(store: Store, ladder: str, name: Callable[[Seat], str]) -> list[MatchResult[str]]:
    """Return the ratable results of a ladder, in rating order."""
    found: list[MatchResult[str]] = []
    seq = 0
    while matches := await store.ratings.rated(seq, _BATCH, ladder):
        for match in matches:
            with contextlib.suppress(TournamentError):
                found.append(match_result(match, [name(seat) for seat in match.seats]))
        seq = matches[-1].rating_seq or 0
        await asyncio.sleep(0)
    return found
