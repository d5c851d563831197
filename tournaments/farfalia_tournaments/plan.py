"""The figures of a tournament before it is played: matches, balance, standard error, duration."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from farfalia_tournaments.schedules.balance_summary import BalanceSummary
from farfalia_tournaments.schedules.boards import boarded, boards_of_table
from farfalia_tournaments.schedules.model import Schedule
from farfalia_tournaments.schedules.span import Span
from farfalia_tournaments.stages.checks import check_stages
from farfalia_tournaments.stages.drawing import Teams
from farfalia_tournaments.stages.forecasts import stage_forecast
from farfalia_tournaments.stages.model import Stage, StageKind
from farfalia_tournaments.statistics.noise import Noise, SamplingError


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast matches are played: mean seconds per decision, mean decisions per match, tables at a time."""

    seconds_per_decision: float
    decisions_per_match: float
    parallel_tables: int

    def seconds(self, matches: int) -> float:
        """Return how many seconds matches take that do not wait for each other."""
        return math.ceil(matches / self.parallel_tables) * self.seconds_per_decision * self.decisions_per_match


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """The figures of a stage.

    `matches_each`, `seats` and `byes` are spans over all entrants, `meetings` over all pairs at the tables of a round;
    the last three are None for a knock-out, where they depend on the results, and those of a trial for a Swiss.
    `balance` sums up how even that is, as a sentence, too.
    `standard_error` is that of a bot's mean score after the stage, in points per match, for the bot with the fewest
    matches; `minimum_detectable_difference` is the smallest difference between two bots that is then significant at
    95 % confidence with a probability of 80 %. In a knock-out both are those of the matches of one table.
    """

    stage: Stage
    entrants: int
    rounds: int
    matches: int
    matches_each: Span
    meetings: Span | None
    seats: Span | None
    byes: Span | None
    balance: BalanceSummary
    standard_error: float
    minimum_detectable_difference: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The figures of all stages, and their sums; seconds are None if no pace was given."""

    stages: tuple[PlannedStage, ...]
    matches: int
    seconds: float | None


def plan(
    stages: Sequence[Stage],
    entrants: int,
    seats: int,
    *,
    seed: str = "",
    teams: Teams = (),
    pace: Pace | None = None,
    noise: Noise = Noise(),  # noqa: B008  # frozen
) -> Plan:
    """Return the figures of a tournament, which hold as long as nobody enters late or withdraws.

    Those of a round robin are of the very schedule that is drawn with the same seed. `NOISES` has the noise of games;
    without one it is that of Chinkway with luck. Raises ScheduleError as
    `check_stages` does.
    """
    planned: list[PlannedStage] = []
    sampling = SamplingError()
    fields = check_stages(stages, entrants, seats)
    for number, (stage, field) in enumerate(zip(stages, fields, strict=True), start=1):
        forecast = stage_forecast(stage, field, seats, seed=seed, number=number, teams=teams)
        per_table = boards_of_table(stage.boards, seats, stage.matches) * stage.boards.replays(seats)
        deviation = noise.of(stage.boards, min(forecast.tables))
        # Who has a bye in the only round has no score that could be uncertain.
        least = max(1, forecast.each.least) * per_table
        sampling = (sampling if stage.carry else SamplingError()).plus(least, deviation)
        # The rounds of a round robin need not wait for each other.
        together = [sum(forecast.tables)] if stage.kind is StageKind.ROUND_ROBIN else forecast.tables
        spans = forecast.schedule.balance if forecast.schedule else None
        planned.append(
            PlannedStage(
                stage=stage,
                entrants=field,
                rounds=len(forecast.tables),
                matches=sum(forecast.tables) * per_table,
                matches_each=Span(forecast.each.least * per_table, forecast.each.most * per_table),
                meetings=spans.meetings if spans else None,
                seats=_seats(forecast.schedule, stage, teams) if forecast.schedule else None,
                byes=spans.byes if spans else None,
                balance=forecast.balance,
                standard_error=sampling.standard_error,
                minimum_detectable_difference=sampling.minimum_detectable_difference(
                    seats if stage.kind is StageKind.KNOCKOUT else field
                ),
                seconds=None if pace is None else sum(pace.seconds(tables * per_table) for tables in together),
            )
        )
    seconds = None if pace is None else sum(stage.seconds or 0.0 for stage in planned)
    return Plan(tuple(planned), sum(stage.matches for stage in planned), seconds)


def _seats(schedule: Schedule, stage: Stage, teams: Teams) -> Span:
    """Return how often everybody holds every seat, over all matches."""
    tables = [round_.tables for round_ in schedule.rounds]
    opposed = (0, 1) if stage.opposed else ()
    held = Counter(
        (entrant, seat)
        for drawn in boarded(tables, stage.boards, matches=stage.matches, teams=teams, opposed=opposed)
        for match in drawn
        for seat, entrant in enumerate(match.entrants)
    )
    return Span.of(held[entrant, seat] for entrant in range(schedule.entrants) for seat in range(schedule.seats))
