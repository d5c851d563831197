"""The rounds of a tournament that is planned: all matches, or the stages that come to them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from farfalia.v1 import tournaments_pb2
from farfalia_engine import Ruleset
from farfalia_server.contract.bounds import MOST_MATCHES
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said_below import said_of
from farfalia_server.organising.balances import Balances
from farfalia_server.organising.stage_messages import stages_from, stored
from farfalia_server.organising.staging import PLAN_SEED, plan_stages
from farfalia_server.store import Entrant, NewMatch
from farfalia_tournaments import Schedule, ScheduleError, Stage, round_robin
from farfalia_tournaments.schedules import Boards, boarded


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What is known of the rounds before the start: all matches, or the stages."""

    rounds: int
    expected: int
    balances: Balances
    matches: tuple[NewMatch, ...] = ()
    stages: str = ""


def round_plan(
    request: tournaments_pb2.CreateTournamentRequest,
    entrants: Sequence[Entrant],
    rules: Ruleset,
    boards: Boards,
) -> RoundPlan:
    """Return the rounds that a request asks for; InvalidArgument for stages that cannot be played."""
    if request.stages:
        stages = asked_stages(request, boards)
        found = plan_stages(stages, len(entrants), rules, MOST_MATCHES)
        return RoundPlan(found.rounds, found.matches, found.balances, stages=stored(stages))
    schedule = _schedule(len(entrants), rules, request.rounds)
    matches = _matches(schedule, boards, entrants)
    return RoundPlan(len(schedule.rounds), len(matches), [(None, schedule.summary)], matches)


def asked_stages(request: tournaments_pb2.CreateTournamentRequest, boards: Boards) -> tuple[Stage, ...]:
    """Return the stages of a request; InvalidArgument names what is wrong."""
    try:
        return stages_from(request.stages, boards)
    except ScheduleError as error:
        raise InvalidArgument("stages", said_of(error)) from None


def _schedule(entrants: int, rules: Ruleset, rounds: int) -> Schedule:
    """Return the tables of all rounds, for numbers: who has which is drawn at the start. Same input, same schedule."""
    rng = random.Random(PLAN_SEED)
    return round_robin(entrants, rules.seats, rounds or None, rng=rng, teams=rules.teams or ())


def _matches(schedule: Schedule, boards: Boards, entrants: Sequence[Entrant]) -> tuple[NewMatch, ...]:
    """Return all matches in the order in which they are to be played."""
    return tuple(
        NewMatch(
            match.round,
            match.board,
            tuple(entrants[number].seat for number in match.entrants if number is not None),
        )
        for match in chain.from_iterable(boarded([drawn.tables for drawn in schedule.rounds], boards))
    )
