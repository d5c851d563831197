"""Tournaments whose room loses its power: nothing is decided by it, whichever bots are gone, and for however long."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.simulation.power import PoweredCluster, PoweredOutcome, PoweredWorld, powered_scenario
from tests.server.simulation.world import Broken, live

#: By number of nodes, 0 for a server that is alone: small worlds in which all, half of them, and a switch are gone.
SEEDS = {0: (1, 4, 6, 8, 9, 11, 12), 2: (1, 2, 3, 5)}
#: The same for outages of about ten seconds, in which bots lose their time and are back soon after it.
BRIEF = {0: (4, 22, 29, 32, 34, 35), 2: (1, 2, 30)}


def lived(seed: int, nodes: int, *, quiet: bool = False, brief: bool = False) -> PoweredOutcome:
    scenario = powered_scenario(seed, nodes, brief=brief)
    try:
        outcome = live(replace(scenario, outages=()) if quiet else scenario, PoweredCluster if nodes else PoweredWorld)
    except Broken as error:
        again = f"python -m pytest tests/server/simulation/test_power.py --seed {seed}"
        pytest.fail(f"seed={seed}, {nodes=}, which `{again}` repeats: {error}", pytrace=False)
    assert isinstance(outcome, PoweredOutcome)
    return outcome


def is_as_without_outage(seed: int, nodes: int, *, brief: bool = False) -> PoweredOutcome:
    """Compare with the same world whose power stays: what is played on the same board by the same bots is the same."""
    outcome, quiet = lived(seed, nodes, brief=brief), lived(seed, nodes, quiet=True, brief=brief)
    for key in outcome.points.keys() & quiet.points.keys():
        assert outcome.points[key] == quiet.points[key], f"{seed=} {nodes=} {key}"
    if outcome.at_first:  # no board was another one, so that all follows
        assert outcome.points.keys() == quiet.points.keys(), f"{seed=} {nodes=}"
        assert outcome.standings == quiet.standings, f"{seed=} {nodes=}"
    assert quiet.at_first
    assert not quiet.pauses
    return outcome


def test_a_tournament_whose_room_loses_its_power_ends_as_it_would_have() -> None:
    outcome = is_as_without_outage(11, 0)
    assert outcome.at_first
    assert outcome.pauses


@pytest.mark.slow
@pytest.mark.parametrize("nodes", SEEDS)
def test_whoever_is_gone_no_strike_counts_and_no_house_bot_decides(request: pytest.FixtureRequest, nodes: int) -> None:
    chosen = request.config.getoption("--seed")
    outcomes = [is_as_without_outage(seed, nodes) for seed in ((chosen,) if chosen is not None else SEEDS[nodes])]
    if chosen is None:
        assert {outcome.at_first for outcome in outcomes} == {True, False}
        assert sum(outcome.pauses for outcome in outcomes) >= len(outcomes) // 2


def test_a_brief_outage_that_costs_bots_their_time_costs_them_nothing_else() -> None:
    assert is_as_without_outage(35, 0, brief=True).pauses


@pytest.mark.slow
@pytest.mark.parametrize("nodes", BRIEF)
def test_no_strike_of_a_brief_outage_counts(request: pytest.FixtureRequest, nodes: int) -> None:
    chosen = request.config.getoption("--seed")
    for seed in (chosen,) if chosen is not None else BRIEF[nodes]:
        is_as_without_outage(seed, nodes, brief=True)
