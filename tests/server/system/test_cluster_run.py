"""The short form of a cluster's long run: nodes are killed and frozen, Redis is killed and loses its data."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.endurance.cluster_run import ClusterPlan, ClusterRun
from tests.endurance.verdict import table


@pytest.mark.slow
def test_a_cluster_in_trouble_plays_every_match_once_and_no_bot_has_a_strike(tmp_path: Path) -> None:
    troubles = {"kills": 4, "freezes": 1, "redis-kills": 1, "redis-losses": 1}
    verdict = ClusterRun(tmp_path, ClusterPlan(3, 20, troubles, every=1.0, seed=1), None).run()
    assert verdict.holds, table([verdict])
