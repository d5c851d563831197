"""A tournament in numbers before anything is played: how long it takes, and which differences it tells apart."""

from __future__ import annotations

import random
from collections.abc import Mapping

import farfalia_engine as engine
from farfalia_server.contract.bounds import MOST_MATCHES
from farfalia_server.organising.staging import PLAN_SEED, check_size
from farfalia_tournaments import NOISES, Noise, Pace, Plan, parse_stages
from farfalia_tournaments import plan as planned
from farfalia_tournaments.schedules import Boards

#: Matches with random actions, to count the decisions per match.
_SAMPLE = 3


def plan_figures(
    game: str,
    options: Mapping[str, str],
    entrants: int,
    *,
    rounds: int = 0,
    stages: str = "",
    boards: Boards,
    decision_ms: float,
    tables: int,
    noise: Noise | None = None,
) -> Plan:
    """Return the figures of a tournament of so many entrants, or of as many as a table seats if those are more.

    `rounds` is 0 for as many as let everybody meet everybody, and does not count with stages. `decision_ms` is how long
    a decision takes on average, `tables` how many matches are played at a time, `noise` how noisy they are: as the
    built-in figures say by default. Raises RulesetError or ScheduleError.
    """
    rules = engine.ruleset(game, dict(options))
    text = stages or (f"round-robin:rounds={rounds}" if rounds else "round-robin")
    field = max(entrants, rules.seats)
    asked = parse_stages(text, boards)
    check_size(asked, field, rules.seats, MOST_MATCHES)
    return planned(
        asked,
        field,
        rules.seats,
        seed=PLAN_SEED,
        teams=rules.teams or (),
        pace=Pace(decision_ms / 1000, _decisions(rules), tables),
        noise=noise or NOISES[rules.name],
    )


def _decisions(rules: engine.Ruleset) -> float:
    """Return the mean number of decisions in a match with random actions."""
    rng = random.Random(1)

    def decide(observation: engine.Observation) -> int:
        return rng.choice(observation.legal)

    matches = [rules.new_match(engine.Deals(rng.randbytes(32))) for _ in range(_SAMPLE)]
    played = [decision for match in matches for decision in engine.play_to_end(match, [decide] * rules.seats)]
    return sum(not decision.forced for decision in played) / _SAMPLE
