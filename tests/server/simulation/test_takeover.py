"""How long it takes until what a dead node did goes on elsewhere, in virtual time: exact on any machine."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from tests.server.simulation.cluster import ClusterWorld
from tests.server.simulation.node import RATER, ROLE
from tests.server.simulation.scenario import Faults, cluster_scenario
from tests.server.simulation.world import live

from farfalia_server.nodes.shared_reservations import SEATER

ROLES = (SEATER, RATER, ROLE)
#: Seconds between two looks.
_LOOK = 0.01


class OneKill(ClusterWorld):
    """Three nodes, of which one is killed that plays matches."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        #: By what the dead node had, after how many seconds another one had it.
        self.after: dict[str, float] = {}

    def _troubles(self) -> list[Any]:
        return [self._kill()]

    async def _kill(self) -> None:
        while not (busy := [process for process in self.nodes.values() if process.at_table()]):
            await asyncio.sleep(_LOOK)
        await asyncio.sleep(self.rng.uniform(0, 2))
        dead = max(busy, key=lambda process: process.cluster.leadership.has(SEATER))
        matches = {match for match in dead.at_table() if not self.store.get(match).state.over}
        had = [role for role in ROLES if dead.cluster.leadership.has(role)]
        others = [process for process in self.nodes.values() if process is not dead]
        dead.die()
        killed = self._loop.time()
        while len(self.after) < len(matches) + len(had):
            for match in matches:
                if self.store.get(match).node.partition("@")[0] != dead.node:
                    self.after.setdefault(f"match {match}", self._loop.time() - killed)
            for role in had:
                if any(process.cluster.leadership.has(role) for process in others):
                    self.after.setdefault(role, self._loop.time() - killed)
            await asyncio.sleep(_LOOK)


@pytest.mark.slow
def test_the_matches_of_a_node_that_was_killed_are_taken_up_within_five_seconds_and_its_roles_within_three() -> None:
    worlds: list[OneKill] = []

    class Kept(OneKill):
        def __init__(self, *arguments: Any) -> None:
            worlds.append(self)
            super().__init__(*arguments)

    for seed in range(1, 6):
        scenario = cluster_scenario(seed)
        live(dataclasses.replace(scenario, faults=Faults(down=60.0), nodes=3, coming=0.0, tables=16), Kept)
    after = [found for world in worlds for found in world.after.items()]
    assert {what for what, _ in after} >= {*ROLES}
    assert sum(what.startswith("match") for what, _ in after) >= len(worlds)
    assert max(seconds for what, seconds in after if what.startswith("match")) <= 5
    assert max(seconds for what, seconds in after if what in ROLES) <= 3
