"""Matches in worlds where everything fails, in virtual time: a random seed is a world, and leads to the same again."""

from __future__ import annotations

import dataclasses
from time import process_time

import pytest
from tests.server.simulation.scenario import Faults, scenario
from tests.server.simulation.world import Broken, Outcome, live

#: Seconds of processor time for as many worlds as fit, usually and with `--prove`.
_USUALLY, _IN_FULL = 20.0, 400.0


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


@pytest.mark.slow
def test_whatever_fails_every_match_is_finished_once_and_honest_bots_pay_for_nothing(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = request.config.getoption("--seed")
    enough = _IN_FULL if request.config.getoption("--prove") else _USUALLY
    outcomes: list[Outcome] = []
    began = process_time()
    while not outcomes or (chosen is None and process_time() - began < enough):
        outcomes.append(lived(len(outcomes) + 1 if chosen is None else chosen))
    matches, crashes = sum(one.matches for one in outcomes), sum(one.crashes for one in outcomes)
    hours = sum(one.hours for one in outcomes)
    with capsys.disabled():
        print(f"\n{len(outcomes)} worlds: {matches} matches, {crashes} crashes, {hours:.1f} hours of virtual time")
