"""Matches in worlds where everything fails, in virtual time: a random seed is a world, and leads to the same again."""

from __future__ import annotations

import dataclasses
from itertools import combinations, product
from time import process_time

import pytest
from tests.server.simulation.scenario import Faults, scenario
from tests.server.simulation.world import Broken, Outcome, live

#: Small worlds that have together what the first hundred have, two things at a time: faults, how long they last, kinds
#: of bots, games, times for a decision.
# fmt: off
SEEDS = (
    8, 60, 86, 297, 312, 353, 371, 397, 417, 422, 424, 483, 635, 643, 678, 716, 727, 847, 908, 909, 950, 1056,
    1069, 1093, 1114, 1166, 1173, 1209, 1296, 1422, 1479,
)
# fmt: on
#: Seconds of processor time for as many worlds as fit, with `--prove`.
_IN_FULL = 400.0
#: What goes wrong in some worlds and not in others.
FAULTS = (
    "crash",
    "crash_in_call",
    "stall",
    "drop",
    "store_unavailable",
    "store_fails",
    "store_outage",
    "redis_outage",
    "redis_unreachable",
    "fail_over",
    "flush_all",
    "job_lost",
    "delivered_twice",
    "delivered_late",
)


def lived(seed: int) -> Outcome:
    try:
        return live(scenario(seed))
    except Broken as error:
        again = f"python -m pytest tests/server/simulation --seed {seed}"
        pytest.fail(f"seed={seed}, which `{again}` repeats: {error}", pytrace=False)


def test_matches_survive_a_server_that_crashes_again_and_again() -> None:
    outcome = live(dataclasses.replace(scenario(3), faults=Faults(crash=10.0)))
    assert outcome.crashes > 5


def test_a_seed_leads_to_the_same_steps_again() -> None:
    first, second = lived(3), lived(3)
    assert first.trace == second.trace
    assert first.crashes > 5


def test_every_two_faults_meet_and_every_fault_meets_every_kind_of_bot() -> None:
    met = set[tuple[str, str]]()
    for one in map(scenario, SEEDS):
        faults = [fault for fault in FAULTS if getattr(one.faults, fault)]
        met |= {*combinations(faults, 2), *product(faults, one.bots)}
    assert met == {*combinations(FAULTS, 2), *product(FAULTS, ("honest", "garbage", "flaky"))}


@pytest.mark.slow
def test_whatever_fails_every_match_is_finished_once_and_honest_bots_pay_for_nothing(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = request.config.getoption("--seed")
    outcomes: list[Outcome] = []
    if chosen is not None:
        outcomes.append(lived(chosen))
    elif request.config.getoption("--prove"):
        began = process_time()
        while process_time() - began < _IN_FULL:
            outcomes.append(lived(len(outcomes) + 1))
    else:
        outcomes += map(lived, SEEDS)
    matches, crashes = sum(one.matches for one in outcomes), sum(one.crashes for one in outcomes)
    hours = sum(one.hours for one in outcomes)
    with capsys.disabled():
        print(f"\n{len(outcomes)} worlds: {matches} matches, {crashes} crashes, {hours:.1f} hours of virtual time")
