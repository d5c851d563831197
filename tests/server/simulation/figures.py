"""What a match costs the bus, Redis and the database, on few nodes and on many: `python -m …figures` prints a table.

The nodes are the real shells in virtual time, with bots whose streams swallow everything. Matches are not played: a
table is open for some seconds, since what players cost does not depend on how many nodes there are. What does is
whatever nodes tell each other and look up: seats, jobs, claims, results, roles, heartbeats.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.server.simulation.cluster import ClusterWorld
from tests.server.simulation.node import NodeProcess
from tests.server.simulation.scenario import Faults, Scenario, cluster_scenario
from tests.server.simulation.world import Outcome, live

from farfalia.v1 import play_pb2, record_pb2
from farfalia_server.play.stream import StreamStatus
from farfalia_server.store import MatchState

#: Seconds that a table is open, that nodes have to begin, and bots to come.
_TABLE, _BEGINNING, _COMING = 4.0, 10.0, 10.0
#: Per node: bots, and matches, which come evenly within `_SECONDS`.
BOTS, MATCHES, _SECONDS = 20, 40, 40.0
#: What is printed: nodes, and bots for each.
_SIZES = ((1, 10), (1, 20), (3, 20), (10, 20), (10, 100), (40, 20), (40, 250))


@dataclass(frozen=True)
class Figures:
    """What a match has cost: commands of Redis, messages that were read off the bus by all nodes, store calls."""

    nodes: int
    redis: float
    messages: float
    store: float
    by_command: Counter[str]
    #: Entries read by stream; the mailboxes of all nodes together.
    by_stream: Counter[str]


class _SilentStream:
    """The stream of a bot that swallows everything."""

    instance = b"1"
    round_trip = 0.0
    features: frozenset[str] = frozenset()

    def send(self, message: bytes) -> None:
        """Swallow a message."""

    def heard_since(self, moment: float) -> bool:
        return False

    def probe(self) -> None:
        """Nobody is there."""

    def close(self) -> None:
        """Nothing is open."""

    def end(self, status: StreamStatus) -> None:
        """Nothing is open."""


class _Yardstick(ClusterWorld):
    """Nodes on which nothing goes wrong, counted; what rating costs follows from the matches alone."""

    rates = False

    async def live(self) -> Outcome:
        self._start_server()
        await asyncio.sleep(_BEGINNING)
        processes = list(self.nodes.values())
        for process in processes:
            process.runner.play = _holding(process)  # type: ignore[method-assign,assignment]
        for bot in self._bots:
            process = processes[bot.id % len(processes)]
            await process.spawn(_arrive(process, bot.id, bot.name))
        await asyncio.sleep(_COMING)
        self.keys.commands.clear()
        self.store_calls.clear()
        self.keys.delivered.clear()
        for at, match, bots, source in self._waiting:
            self._loop.call_later(at, self._come, match, bots, source)
        await asyncio.sleep(_SECONDS + _TABLE + 20)
        assert all(match.state is MatchState.FINISHED for match in self.store.all())
        self.counted = Counter(self.keys.commands), Counter(self.store_calls), Counter(self.keys.delivered)
        self.ending = True
        for process in processes:
            process.dead = process.buried = True
            for task in process.tasks:
                task.cancel()
        await asyncio.sleep(0.01)
        return Outcome(len(self._waiting), 0.0, 0, ())

    def _start_server(self) -> None:
        self._waiting, self._coming = self._coming, []
        super()._start_server()


async def _arrive(process: NodeProcess, bot: int, name: str) -> None:
    gateway = await process.shared.gateways.open(bot, name, "01", take_over=True)
    assert gateway is not None
    connection = process.lobby.connection(bot)
    connection.name = name
    connection.attach(_SilentStream())
    connection.set_capacity(play_pb2.Capacity(matches=64, questions=1))


def _holding(process: NodeProcess) -> Callable[[int, int], Any]:
    async def play(match: int, epoch: int) -> None:
        tables: dict[int, Any] = vars(process.runner)["_tables"]
        tables[match] = asyncio.current_task()
        try:
            claimed = await process.store.claims.claim(match, process.runner.node, epoch)
            if claimed is not None:
                await asyncio.sleep(_TABLE)
                await process.store.claims.finish(match, claimed.match.epoch, record_pb2.Record())
        finally:
            del tables[match]

    return play


def figures(nodes: int, bots: int = BOTS, matches: int = MATCHES) -> Figures:
    """Return what a match costs on a number of nodes, with that many bots and matches for each."""
    everybody = nodes * bots
    seats = tuple((number * 7 % everybody, (number * 7 + 3) % everybody) for number in range(nodes * matches))
    scenario: Scenario = dataclasses.replace(
        cluster_scenario(1),
        faults=Faults(),
        nodes=nodes,
        bots=("honest",) * everybody,
        matches=tuple(("two", {}, pair) for pair in seats),
        coming=_SECONDS,
        tables=256,
    )
    worlds: list[_Yardstick] = []

    class Kept(_Yardstick):
        def __init__(self, *arguments: Any) -> None:
            worlds.append(self)
            super().__init__(*arguments)

    live(scenario, Kept)
    commands, calls, delivered = worlds[0].counted
    count = nodes * matches
    by_stream: Counter[str] = Counter()
    for key, entries in delivered.items():
        by_stream["mailboxes" if key.endswith(":in") else key.split(":", 2)[2]] += entries
    return Figures(
        nodes, commands.total() / count, delivered.total() / count, calls.total() / count, commands, by_stream
    )


def main() -> None:
    """Print what a match costs on 1 to 40 nodes with 10 to 10,000 bots."""
    print(f"{'nodes':>6} {'bots':>7} {'Redis commands':>15} {'entries read':>13} {'store calls':>12}   a match")
    for nodes, bots in _SIZES:
        one = figures(nodes, bots)
        print(f"{nodes:6} {nodes * bots:7} {one.redis:15.2f} {one.messages:13.2f} {one.store:12.2f}", flush=True)
        for counts in (one.by_command, one.by_stream):
            shown = {name: round(times / (nodes * MATCHES), 2) for name, times in counts.most_common(12)}
            print(f"{'':15}{shown}", flush=True)


if __name__ == "__main__":
    main()
