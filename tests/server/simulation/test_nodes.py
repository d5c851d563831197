"""Matches on several nodes of which everything fails, in virtual time: a random seed is a world, as with one server."""

from __future__ import annotations

import dataclasses
from itertools import count
from time import process_time

import pytest
from tests.server.simulation import figures
from tests.server.simulation.cluster import ClusterWorld
from tests.server.simulation.scenario import Faults, cluster_scenario
from tests.server.simulation.world import Broken, Outcome, live

#: Small worlds that have all that goes wrong with nodes, and 2, 3 and 5 of them.
SEEDS = (1, 5, 9, 10, 11, 14, 15, 19, 29)
#: Seconds of processor time for as many worlds as fit, with `--prove`.
_IN_FULL = 400.0


def lived(seed: int) -> Outcome:
    try:
        return live(cluster_scenario(seed), ClusterWorld)
    except Broken as error:
        again = f"python -m pytest tests/server/simulation/test_nodes.py --seed {seed}"
        pytest.fail(f"seed={seed}, which `{again}` repeats: {error}", pytrace=False)


def test_nodes_on_which_nothing_fails_play_without_one_of_them_ending() -> None:
    outcome = live(dataclasses.replace(cluster_scenario(15), faults=Faults()), ClusterWorld)
    assert outcome.crashes == cluster_scenario(15).nodes - 1, "no more starts than nodes"


def test_a_seed_of_nodes_leads_to_the_same_steps_again() -> None:
    assert lived(15).trace == lived(15).trace


def test_the_worlds_of_nodes_have_every_fault_of_a_node() -> None:
    worlds = list(map(cluster_scenario, SEEDS))
    bounds = {"down", "longest_stall", "store_delay", "longest_outage", "redis_delay", "longest_cut"}
    faults = {field.name for field in dataclasses.fields(Faults)} - bounds - {"store_fail_over", "longest_lag"}
    assert {fault for fault in faults if not any(getattr(one.faults, fault) for one in worlds)} == set()
    assert {one.nodes for one in worlds} == {2, 3, 5}


@pytest.mark.slow
def test_whatever_nodes_suffer_every_match_is_finished_once_and_honest_bots_pay_for_nothing(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = request.config.getoption("--seed")
    outcomes: list[Outcome] = []
    began = process_time()
    for seed in (chosen,) if chosen is not None else count(1) if request.config.getoption("--prove") else SEEDS:
        outcomes.append(lived(seed))
        if process_time() - began > _IN_FULL:
            break
    matches, starts = sum(one.matches for one in outcomes), sum(one.crashes for one in outcomes)
    with capsys.disabled():
        print(f"\n{len(outcomes)} worlds of nodes: {matches} matches, {starts} further starts of nodes")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("few", "many"),
    [(2, 5), pytest.param(3, 10, marks=pytest.mark.prove), pytest.param(10, 40, marks=pytest.mark.prove)],
)
def test_what_a_match_costs_redis_and_the_database_does_not_grow_with_the_number_of_nodes(few: int, many: int) -> None:
    before, after = figures.figures(few, matches=20), figures.figures(many, matches=20)
    assert after.redis < 1.05 * before.redis, (before.by_command, after.by_command)
    assert after.store < 1.05 * before.store
    assert after.messages < before.messages + 1, "it is told to one node more at most: to whom it is handed over"
