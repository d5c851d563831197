"""What happens to a cluster: each kind begins, and most of them end by themselves a while later."""

from __future__ import annotations

import heapq
import itertools
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from tests.endurance.memory import Memory
from tests.endurance.network import Network
from tests.endurance.redis_server import RedisServer
from tests.server.live import LiveServer
from tests.server.postgres_fixture import Postgres

#: Kinds of trouble, and what the command line says of them.
KINDS = {
    "kills": "times that a node is killed (SIGKILL)",
    "freezes": "times that a node is frozen for up to 20 s (SIGSTOP), so that others take it for dead",
    "redis-kills": "times that Redis is killed, and starts with its data",
    "redis-losses": "times that Redis loses its data: it is killed without them, or flushed",
    "postgres-stops": "times that PostgreSQL stops for up to 8 s",
    "redis-cuts": "times that a node is cut off from Redis for up to 20 s",
    "postgres-cuts": "times that a node is cut off from PostgreSQL for up to 20 s",
    "bot-cuts": "times that a node is cut off from all bots for up to 20 s",
}
#: Kinds that need a network in which nodes can be cut off.
CUTS = {"redis-cuts": "redis", "postgres-cuts": "postgresql", "bot-cuts": "bots"}
#: Seconds that a node stays dead, that it is frozen or cut off, and that a service is stopped, at most.
_DEAD, _APART, _STOPPED = 1.0, 20.0, 8.0
#: Seconds before a node is started again that could not start, and how often that is tried.
_AGAIN, _TRIES = 1.0, 60
#: Seconds between two looks whether a node has ended.
_LOOK = 0.05


@dataclass
class ClusterNode:
    """A node, and what is happening to it."""

    number: int
    server: LiveServer
    memory: Memory = field(default_factory=Memory)
    #: It runs, and nothing has stopped or cut it off.
    serves: bool = False
    starting: Future[None] | None = None
    tries: int = 0

    @property
    def runs(self) -> bool:
        """Whether it has a process, or is about to have one."""
        if self.starting is not None and not self.starting.done():
            return True
        return self.server.started and self.server.process.poll() is None

    @property
    def name(self) -> str:
        return str(self.server.folder.name)


class Troubles:
    """Everything that happens to these nodes, and to their services; `tick` has to be called again and again."""

    def __init__(
        self,
        nodes: list[ClusterNode],
        redis: RedisServer,
        postgres: Postgres | None,
        network: Network | None,
        rng: random.Random,
        stack: ExitStack,
    ) -> None:
        self._nodes = nodes
        self._redis = redis
        self._postgres = postgres
        self._network = network
        self._random = rng
        self._pool = stack.enter_context(ThreadPoolExecutor(len(nodes)))
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        #: Services that do not run.
        self._stopped: set[str] = set()
        self.happened = Counter[str]()
        self.faults: list[str] = []

    @property
    def over(self) -> bool:
        """Whether all nodes serve, and nothing is to be mended."""
        return not self._later and all(node.serves for node in self._nodes)

    def start(self, node: ClusterNode) -> None:
        """Start a node, without waiting for it."""
        node.tries += 1
        node.starting = self._pool.submit(node.server.start)

    def cause(self, kind: str) -> bool:
        """Let something happen; False if it cannot now."""
        causes: Mapping[str, Callable[[], bool]] = {
            "kills": self._kill,
            "freezes": self._freeze,
            "redis-kills": self._kill_redis,
            "redis-losses": self._lose_redis,
            "postgres-stops": self._stop_postgres,
        }
        happened = self._cut(CUTS[kind]) if kind in CUTS else causes[kind]()
        self.happened[kind] += happened
        return happened

    def tick(self) -> None:
        """Mend what is due, and notice what has become of the nodes."""
        while self._later and self._later[0][0] <= time.monotonic():
            heapq.heappop(self._later)[2]()
        for node in self._nodes:
            if node.starting is not None and node.starting.done():
                self._started(node)
            elif node.serves and node.server.process.poll() is not None:
                self.faults.append(f"node {node.name} has ended by itself: {node.server.log().splitlines()[-1]}")
                node.serves = False
                self.start(node)

    def end(self) -> None:
        """Kill all nodes, those that are starting too."""
        for node in self._nodes:
            while node.runs:
                if node.server.started:
                    node.server.process.kill()
                time.sleep(_LOOK)

    def _started(self, node: ClusterNode) -> None:
        assert node.starting is not None
        error, node.starting = node.starting.exception(), None
        if error is None:
            node.serves, node.tries = True, 0
            node.memory.lives.append([])
        elif node.tries < _TRIES and isinstance(error, AssertionError):  # Redis or PostgreSQL does not answer now
            self._in(_AGAIN, partial(self.start, node))
        else:
            raise error

    def _in(self, seconds: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), act))

    def _any_node(self) -> ClusterNode | None:
        """Return a node that serves, unless it is the only one."""
        serving = [node for node in self._nodes if node.serves]
        return self._random.choice(serving) if len(serving) > 1 else None

    def _kill(self) -> bool:
        node = self._any_node()
        if node is None:
            return False
        node.serves = False
        node.server.kill()
        self._in(self._random.uniform(0, _DEAD), partial(self.start, node))
        return True

    def _freeze(self) -> bool:
        node = self._any_node()
        if node is None:
            return False
        node.serves = False
        node.server.process.send_signal(signal.SIGSTOP)
        self._in(self._random.uniform(1, _APART), partial(self._thaw, node))
        return True

    def _thaw(self, node: ClusterNode) -> None:
        node.server.process.send_signal(signal.SIGCONT)
        node.serves = True

    def _kill_redis(self) -> bool:
        if "redis" in self._stopped:
            return False
        self._redis.kill()
        self._stopped.add("redis")
        self._in(self._random.uniform(0, _STOPPED), self._start_redis)
        return True

    def _lose_redis(self) -> bool:
        if self._random.random() < 0.5 and "redis" not in self._stopped:
            self._redis.flush()
            return True
        if not self._kill_redis():
            return False
        self._redis.lose_everything()
        return True

    def _start_redis(self) -> None:
        self._redis.start()
        self._stopped.discard("redis")

    def _stop_postgres(self) -> bool:
        if self._postgres is None or "postgresql" in self._stopped:
            return False
        self._postgres.stop()
        self._stopped.add("postgresql")
        self._in(self._random.uniform(0.5, _STOPPED), self._start_postgres)
        return True

    def _start_postgres(self) -> None:
        assert self._postgres is not None
        self._postgres.go_on()
        self._stopped.discard("postgresql")

    def _cut(self, service: str) -> bool:
        node = self._any_node()
        if node is None or self._network is None:
            return False
        node.serves = False
        self._network.cut(node.number, service)
        self._in(self._random.uniform(1, _APART), partial(self._mend_cut, node, service))
        return True

    def _mend_cut(self, node: ClusterNode, service: str) -> None:
        assert self._network is not None
        self._network.mend(node.number, service)
        node.serves = True
