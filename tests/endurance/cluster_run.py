"""One run of a cluster: bots at any node, load, and trouble every few seconds, in an order that a seed decides."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.field import CLUSTER_EVENTS, Field
from tests.endurance.network import POSTGRES_PORT, REDIS_PORT, Network
from tests.endurance.redis_server import RedisServer
from tests.endurance.troubles import CUTS, ClusterNode, Troubles
from tests.endurance.verdict import Verdict, judge
from tests.server.live import LiveServer
from tests.server.postgres_fixture import Postgres

#: Seconds between two looks, after which a cluster that does nothing is given up, and between two lines.
_LOOK, _STILL, _SAY = 0.1, 240.0, 15.0
#: The shares of the matches that began last: when no more than these are open, others begin while there is trouble to
#: come, and nothing happens any more.
_FEW, _HARDLY_ANY = 0.5, 0.1
_OPEN = re.compile(r'^farfalia_matches\{state="(?:queued|running)"\} (\S+)$', re.MULTILINE)
_ROLE = re.compile(r"role_taken\s+role=(\S+) token=(\d+)")


@dataclass(frozen=True)
class ClusterPlan:
    """How long a run is, and how much happens in it: numbers by kind of trouble, and seconds from one to the next."""

    nodes: int
    matches: int
    troubles: Mapping[str, int]
    every: float
    seed: int


class ClusterRun:
    """A run on SQLite, or on this PostgreSQL."""

    def __init__(self, folder: Path, plan: ClusterPlan, postgres: Postgres | None) -> None:
        self._folder = folder
        self._plan = plan
        self._postgres = postgres
        self._random = random.Random(plan.seed)
        self._verdict = Verdict(f"{plan.nodes} nodes, {'sqlite' if postgres is None else 'postgresql'}")
        self._tournaments: dict[int, int] = {}
        self._begun_last = 0
        self._finished = 0
        self._longest = 0.0

    def run(self) -> Verdict:
        """Play, and judge."""
        began = time.monotonic()
        with ExitStack() as stack:
            network = Network(self._plan.nodes, stack) if any(map(self._plan.troubles.get, CUTS)) else None
            redis = self._redis(network, stack)
            self._nodes = [self._node(number, redis, network) for number in range(self._plan.nodes)]
            self._troubles = Troubles(self._nodes, redis, self._postgres, network, self._random, stack)
            stack.callback(self._troubles.end)
            for node in self._nodes:
                self._troubles.start(node)
            self._quieten()
            field = Field(self._nodes[0].server, stack, dial=self._balancer(stack), events=CLUSTER_EVENTS)
            field.connect()
            self._go_through(field)
            took = time.monotonic() - began
            self._verdict.figures |= {kind: str(number) for kind, number in self._troubles.happened.items()}
            self._verdict.figures |= {"minutes": f"{took / 60:.1f}", "matches a second": f"{self._finished / took:.1f}"}
            self._verdict.figures["seconds without an end"] = f"{self._longest:.1f}"
            judge(
                self._verdict,
                [node.server for node in self._nodes],
                self._tournaments,
                [node.memory for node in self._nodes],
                journals_lost=bool(self._plan.troubles.get("redis-losses")),
            )
            self._check_roles()
        return self._verdict

    # -- what there is ---------------------------------------------------------------------

    def _redis(self, network: Network | None, stack: ExitStack) -> RedisServer:
        folder = self._folder / "redis"
        folder.mkdir()
        redis = RedisServer(folder, 0 if network is None else REDIS_PORT)
        redis.start()
        stack.callback(redis.kill)
        if self._postgres is not None:
            self._database = self._postgres.database()
        return redis

    def _node(self, number: int, redis: RedisServer, network: Network | None) -> ClusterNode:
        folder = self._folder / "ABCDEFGHIJ"[number]
        folder.mkdir()
        settings: dict[str, object] = {
            "node": folder.name,
            "redis_url": redis.url,
            "database_url": f"sqlite:///{self._folder / 'store.db'}" if self._postgres is None else self._database,
            "max_tables": 64,
            "ping_interval_ms": 2000,  # bots leave a node that is frozen soon
        }
        if network is not None:
            settings |= {
                "host": network.own_address(number),
                "insecure": "true",
                "redis_url": f"redis://{network.address(number, 'redis')}:{REDIS_PORT}/0",
            }
            if self._postgres is not None:
                address = f"{network.address(number, 'postgresql')}:{POSTGRES_PORT}"
                settings["database_url"] = self._postgres.url_at(address, self._database)
        prefix = () if network is None else network.enter(number)
        program = () if network is None else ("-m", "farfalia_server")  # forked ones start quicker
        server = LiveServer(folder, settings, program=program, prefix=prefix, patience=_STILL)
        return ClusterNode(number, server)

    def _balancer(self, stack: ExitStack) -> str:
        addresses = [node.server.grpc_address for node in self._nodes]
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "tests.endurance.balancer", *addresses],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ,
            )
        )
        stack.callback(process.kill)
        assert process.stdout is not None
        return process.stdout.readline().decode().strip()

    # -- what happens ----------------------------------------------------------------------

    @property
    def _open(self) -> int:
        return sum(self._tournaments.values()) - self._finished

    def _go_through(self, field: Field) -> None:
        events = [kind for kind, number in self._plan.troubles.items() for _ in range(number)]
        self._random.shuffle(events)
        said, moved, due = 0.0, time.monotonic(), time.monotonic() + self._plan.every
        while events or self._open or not self._tournaments:
            if self._troubles.over and self._open <= _FEW * self._begun_last and (events or not self._tournaments):
                begun = field.begin(self._plan.matches)
                self._tournaments |= begun
                self._begun_last = sum(begun.values())
            self._troubles.tick()
            if self._tick() or not self._tournaments:
                moved = time.monotonic()
            self._longest = max(self._longest, time.monotonic() - moved)
            if time.monotonic() - moved > _STILL:
                self._verdict.faults.append(f"nothing has ended for {_STILL:.0f} s")
                break
            if lost := field.lost():
                self._verdict.faults.append(f"the processes of {', '.join(lost)} have ended")
                break
            wanted = self._open > _HARDLY_ANY * self._begun_last
            if events and wanted and time.monotonic() >= due and self._troubles.cause(events[-1]):
                events.pop()
                due = time.monotonic() + self._plan.every
            if time.monotonic() - said > _SAY:
                said = time.monotonic()
                self._say()
            time.sleep(_LOOK)
        self._quieten()
        self._say()
        self._verdict.faults += self._troubles.faults

    def _quieten(self) -> None:
        """Wait until everything that has happened is mended, and all nodes serve."""
        deadline = time.monotonic() + _STILL
        while not self._troubles.over:
            self._troubles.tick()
            assert time.monotonic() < deadline, "not all nodes serve"
            time.sleep(_LOOK)

    def _tick(self) -> bool:
        """Read how far the cluster is, at any node that serves; return whether matches have ended since."""
        for node in self._nodes:
            if not node.serves:
                continue
            node.memory.look(node.server.process.pid, self._finished)
            try:
                with urllib.request.urlopen(f"http://{node.server.http_address}/metrics", timeout=2) as answer:
                    waiting = [int(float(number)) for number in _OPEN.findall(answer.read().decode())]
            except OSError:  # its database does not answer
                continue
            if len(waiting) == 2:
                before = self._finished
                self._finished = max(before, sum(self._tournaments.values()) - sum(waiting))
                return self._finished > before
        return False

    def _say(self) -> None:
        told = ", ".join(f"{number} {kind}" for kind, number in self._troubles.happened.items()) or "no trouble yet"
        away = "".join(node.name for node in self._nodes if not node.serves) or "nobody"
        total = sum(self._tournaments.values())
        print(f"{self._verdict.name}: {self._finished}/{total} matches, {told}; away: {away}", flush=True)

    def _check_roles(self) -> None:
        """No two nodes may ever have had a role with the same token."""
        taken = Counter(found for node in self._nodes for found in _ROLE.findall(node.server.log()))
        for (role, token), times in taken.items():
            if times > 1:
                self._verdict.faults.append(f"the role {role} was taken {times} times with token {token}")
        self._verdict.figures["roles taken"] = str(taken.total())
