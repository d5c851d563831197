"""What follows from all results of a ladder together: the whole-history fit, strengths, and the collusion report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog

from farfalia.v1 import ratings_pb2
from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.service import Service
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.rating.ladder_habits import LadderHabits
from farfalia_server.rating.ladder_reliability import reliability_of
from farfalia_server.rating.match_answers import LadderAnswers, TournamentAnswers
from farfalia_server.rating.worker_functions import collusion_report, fits, predicted_pairs, read_all_cards
from farfalia_server.store import FittedRating, LadderBins, Store

log = structlog.get_logger(__name__)

#: Seconds for which a report reads cards of matches that were played since the last night.
_READING = 60.0


async def fit_ladder(store: Store, ladder: str) -> int:
    """Fit a ladder to all its rated results, and store the fit with how reliable the ratings were; return the matches.

    It takes some milliseconds per match, in a worker process.
    """
    answers = LadderAnswers(store, ladder, lambda seat: f"{seat.bot_id} {seat.version}")
    async with WorkerProcess(answers.answer) as worker:
        as_played = await LadderHabits(store).as_played(ladder)
        estimates, strengths = await worker.run(fits, as_played)
        pairs = await worker.run(predicted_pairs)
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
    log.info("ladder_fitted", ladder=ladder, matches=answers.results, bots=len(fitted))
    return answers.results


async def report_collusion(store: Store, ladder: str) -> ratings_pb2.ReportCollusionResponse:
    """Return how each bot does with each other one at its table, by names, smallest p-value first."""
    answers = LadderAnswers(store, ladder, lambda seat: seat.name)
    async with WorkerProcess(answers.answer) as worker:
        return ratings_pb2.ReportCollusionResponse.FromString(await worker.run(collusion_report, _READING))


async def read_cards(store: Store, ladder: str) -> int:
    """Read the cards of all rated matches of a ladder that have not been read, and keep what they say of who favours
    whom; return the matches.

    It takes some 20 milliseconds per match, in a worker process.
    """
    async with WorkerProcess(LadderAnswers(store, ladder, lambda seat: seat.name).answer) as worker:
        return await worker.run(read_all_cards)


async def report_tournament_collusion(store: Store, number: int) -> ratings_pb2.ReportCollusionResponse:
    """Return the same from the finished matches of one tournament; empty if there is none."""
    async with WorkerProcess(TournamentAnswers(store, number).answer) as worker:
        return ratings_pb2.ReportCollusionResponse.FromString(await worker.run(collusion_report, _READING))


class LadderFitter(Service):
    """The service that fits every ladder each night at an hour, UTC. `async with` starts and stops it."""

    cancelled_to_stop = True

    def __init__(self, store: Store, hour: int) -> None:
        super().__init__("ladder fitter")
        self._store = store
        self._hour = hour

    async def fit_all(self) -> None:
        """Fit every ladder that has ratings; then read the cards of their matches, which may take longer."""
        ladders = await self._store.ratings.ladders()
        for ladder in ladders:
            await fit_ladder(self._store, ladder)
        for ladder in ladders:
            await read_cards(self._store, ladder)

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
