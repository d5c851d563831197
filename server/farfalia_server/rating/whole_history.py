"""What follows from all results of a ladder together: the whole-history fit, strengths, and the collusion report."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog

from farfalia.v1 import ratings_pb2
from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.service import Service
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.rating.ladder_habits import LadderHabits
from farfalia_server.rating.ladder_reliability import reliability_of
from farfalia_server.rating.pair_reliability import FinishedTournaments
from farfalia_server.rating.results_from_parent import LADDER, TournamentPart
from farfalia_server.rating.worker_functions import collusion_report, fits, predicted_pairs
from farfalia_server.records.results import match_result
from farfalia_server.store import FittedRating, LadderBins, Seat, Store
from farfalia_tournaments import MatchResult, TournamentError

log = structlog.get_logger(__name__)

#: Matches that are read at a time: 200 held the loop for 20 ms.
_BATCH = 50


async def fit_ladder(store: Store, ladder: str) -> int:
    """Fit a ladder to all its rated results, and store the fit with how reliable the ratings were; return the matches.

    It takes some milliseconds per match, in a worker process.
    """
    answers = _LadderAnswers(store, ladder, lambda seat: f"{seat.bot_id} {seat.version}")
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
    answers = _LadderAnswers(store, ladder, lambda seat: seat.name)
    async with WorkerProcess(answers.answer) as worker:
        return ratings_pb2.ReportCollusionResponse.FromString(await worker.run(collusion_report))


async def report_tournament_collusion(store: Store, number: int) -> ratings_pb2.ReportCollusionResponse:
    """Return the same from the finished matches of one tournament; empty if there is none."""
    async with WorkerProcess(_TournamentAnswers(store, number).answer) as worker:
        return ratings_pb2.ReportCollusionResponse.FromString(await worker.run(collusion_report))


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


class _LadderAnswers:
    """What the worker process is told when it asks; `results` counts those of the ladder."""

    def __init__(self, store: Store, ladder: str, name: Callable[[Seat], str]) -> None:
        self._store = store
        self._ladder = ladder
        self._name = name
        self._seq = 0
        self._tournaments = FinishedTournaments(store, ladder)
        self.results = 0

    async def answer(self, what: str) -> list[MatchResult[str]] | TournamentPart | None:
        """Return the next part of what it asks for."""
        return await (self._ladder_results() if what == LADDER else self._tournaments.part())

    async def _ladder_results(self) -> list[MatchResult[str]]:
        """Return the next ratable results of the ladder, in rating order; none after the last ones."""
        found: list[MatchResult[str]] = []
        while not found and (matches := await self._store.ratings.rated(self._seq, _BATCH, self._ladder)):
            for match in matches:
                with contextlib.suppress(TournamentError):
                    found.append(match_result(match, [self._name(seat) for seat in match.seats]))
            self._seq = matches[-1].rating_seq or 0
        self.results += len(found)
        return found


class _TournamentAnswers:
    """What the worker process is told of one tournament when it asks for results."""

    def __init__(self, store: Store, number: int) -> None:
        self._store = store
        self._number = number
        self._last = -1

    async def answer(self, what: str) -> list[MatchResult[str]]:
        """Return the next results of the tournament; none after the last ones."""
        found: list[MatchResult[str]] = []
        while not found and (matches := await self._store.matches.of_tournament(self._number, self._last, _BATCH)):
            for match in matches:
                if match.result is not None:
                    with contextlib.suppress(TournamentError):
                        found.append(match_result(match, [seat.name for seat in match.seats]))
            self._last = matches[-1].number
        return found
