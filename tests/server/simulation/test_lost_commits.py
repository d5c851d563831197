"""Matches in worlds whose database loses its newest commits, as after a failover to a replica that lags behind."""

from __future__ import annotations

from itertools import count
from time import process_time

import pytest
from tests.server.simulation.cluster import ClusterWorld
from tests.server.simulation.scenario import cluster_scenario, losing_commits, scenario
from tests.server.simulation.world import Broken, Outcome, World, live

#: Small worlds, of one server and of several nodes, in which commits are lost of matches that are played.
SEEDS = (3, 22, 52, 53, 81, 94, 97, 98)
SEEDS_OF_NODES = (3, 28, 40, 139)
#: Seconds of processor time for as many worlds as fit, with `--prove`.
_IN_FULL = 200.0


def lived(seed: int, *, nodes: bool) -> Outcome:
    try:
        return live(losing_commits((cluster_scenario if nodes else scenario)(seed)), ClusterWorld if nodes else World)
    except Broken as error:
        again = f"python -m pytest tests/server/simulation/test_lost_commits.py --seed {seed}"
        pytest.fail(f"seed={seed}, {nodes=}, which `{again}` repeats: {error}", pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [False, True])
def test_a_database_that_loses_commits_ends_every_match_once_and_no_board_is_played_again(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str], nodes: bool
) -> None:
    chosen, in_full = request.config.getoption("--seed"), request.config.getoption("--prove")
    few = SEEDS_OF_NODES if nodes else SEEDS
    outcomes: list[Outcome] = []
    began = process_time()
    for seed in (chosen,) if chosen is not None else count(1) if in_full else few:
        outcomes.append(lived(seed, nodes=nodes))
        if process_time() - began > _IN_FULL:
            break
    lost = [line for one in outcomes for line in one.trace if "which sets [" in line and "[]" not in line]
    assert lost or chosen is not None
    with capsys.disabled():
        print(f"\n{len(outcomes)} worlds that lose commits: {len(lost)} times of matches")
