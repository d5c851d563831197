"""A world of several nodes, on one Redis and one database: they crash, freeze, stop and are cut off one by one."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from tests.server.simulation.keys import Keys
from tests.server.simulation.node import DATABASE, RATER, ROLE, NodeProcess, is_expected
from tests.server.simulation.process import PROCESS, ServerProcess
from tests.server.simulation.scenario import Scenario
from tests.server.simulation.scripts import SCRIPTS
from tests.server.simulation.world import World

from farfalia_engine import commitment
from farfalia_server.cluster import lease, node
from farfalia_server.nodes.shared_reservations import SEATER
from farfalia_server.play import loop_clock
from farfalia_server.store import Bot, Match, Source
from farfalia_tools.testing import VirtualTimeLoop

#: Seconds from one tick of a loop's clock to the next, which would cost more than all else a node does.
_TICK = 0.25
#: Seconds in which all that is left when the last match is over has to be gone.
_SETTLING = 90.0
#: Seconds after which a match that the database has lost is wanted again at most.
_WANTED_AGAIN = 10.0


class ClusterWorld(World):
    """All that a seed leads to with several nodes."""

    ping_interval = 3.0
    patience = 1800.0
    #: Whether matches are rated, too.
    rates = True
    #: Roles that one node has at a time, besides the seater's, and what a node is.
    roles: tuple[str, ...] = (ROLE, RATER)
    node_process: type[NodeProcess] = NodeProcess

    def __init__(self, scenario: Scenario, loop: VirtualTimeLoop) -> None:
        self.keys = Keys(loop.time, SCRIPTS)
        #: How often each call of the database was made.
        self.store_calls: Counter[str] = Counter()
        #: By node, its newest process.
        self.nodes: dict[str, NodeProcess] = {}
        #: The process that has acted under a token.
        self._tokens: dict[int, NodeProcess] = {}
        self._coming: list[tuple[float, Match, list[Bot], Source]] = []
        self._came: list[tuple[Match, list[Bot], Source]] = []
        self.ending = False
        #: Whether Redis has lost anything so far: what it knows of the nodes may be of an earlier time.
        self.went_back = False
        super().__init__(scenario, loop)

    @staticmethod
    def surroundings(seed: int, loop: VirtualTimeLoop) -> AbstractContextManager[None]:
        return _machines(seed, loop)

    # -- who is there ----------------------------------------------------------------------

    def reachable(self, rng: random.Random) -> ServerProcess | None:
        up = [process for process in self.nodes.values() if process.is_up]
        return rng.choice(up) if up else None

    def tables(self) -> dict[int, ServerProcess]:
        return {match: process for process in self.nodes.values() for match in process.at_table()}

    def scribbled(self, process: NodeProcess, token: int) -> None:
        """Note that a process has written for the role, under this token."""
        first = self._tokens.setdefault(token, process)
        if first is not process:
            self.complain(f"{first.name} and {process.name} act under the same token {token}")
        if token < max(self._tokens):
            self.complain(f"{process.name} acts under token {token} after {max(self._tokens)}")

    def ended(self, process: NodeProcess, error: Exception) -> None:
        """Note that a process ends by itself."""
        if process.dead:
            return  # killed: its parts were cancelled
        self.note(f"{process.name} ends: {error!r:.200}")
        # Where Redis went back to what it knew before, a process that is dead by now may have the node's name again.
        if not is_expected(error, started=process.accepts, name_may_be_taken=self.went_back):
            self.complain(f"{process.name} ends by itself: {error!r}")

    def bury(self, process: ServerProcess) -> None:
        assert isinstance(process, NodeProcess)
        process.thaw()
        process.buried = True
        for task in process.tasks:
            task.cancel()
        self._loop.call_later(0.001, self._forget, process)
        if not self.ending:
            self._loop.call_later(0.002 + self.rng.uniform(0, self.faults.down), self._start_node, process.node)

    def freeze(self, process: NodeProcess, seconds: float) -> None:
        """Let a process do nothing for a while."""
        self.note(f"{process.name} is frozen for {seconds:.1f} s")
        self.witness.crashed(process)  # others play on what only its tables knew
        process.thaw = self._loop.freeze(lambda context: context.get(PROCESS) is process, seconds)

    def waiting(self, process: NodeProcess) -> list[str]:
        """Return the calls of a process that the loop is still to make."""
        return self._loop.waiting(lambda context: context.get(PROCESS) is process)

    def _start_server(self) -> None:
        for number in range(1, self.scenario.nodes + 1):
            self._start_node(f"node-{number}")
        for at, match, bots, source in self._coming:
            self._loop.call_later(at, self._come, match, bots, source)

    def _start_node(self, name: str) -> None:
        process = self.node_process(self, name, f"{name}, start {1 + len(self.processes)}")
        self.processes.append(process)
        self.nodes[name] = process
        process.start()

    def _add(self, number: int, match: Match, bots: list[Bot], source: Source) -> None:
        self._coming.append((self.rng.uniform(0, self.scenario.coming), match, bots, source))

    def _come(self, match: Match, bots: list[Bot], source: Source) -> None:
        self.note(f"match {match.id} is wanted")
        self.store.add(match, bots, source)
        self._came.append((match, bots, source))
        self._coming = [coming for coming in self._coming if coming[1] is not match]

    # -- the end ---------------------------------------------------------------------------

    def _over(self) -> bool:
        if self._coming or not all(match.state.over for match in self.store.all()):
            return False
        return all(process.is_up and not process.frozen and process.idle for process in self.nodes.values())

    async def _check_memory(self) -> None:
        end = self._loop.time() + _SETTLING
        while (left := self._left()) and self._loop.time() < end:
            await asyncio.sleep(1)
        for what in left:
            self.complain(what)
        if self.complaints:
            return
        await next(iter(self.nodes.values())).journal.sweep(next(iter(self.nodes.values())).store.matches.attempts)
        if journals := self.redis.journals:
            self.complain(f"the journal still has {sorted(journals)}")

    def _left(self) -> list[str]:
        if not all(process.is_up for process in self.nodes.values()):
            return ["not all nodes are up"]
        left = [f"{process.name}: {what}" for process in self.nodes.values() for what in process.left()]
        for key in ("seats:matches", "seats:taken"):
            if found := self.keys.hgetall(f"farfalia:{DATABASE}:{key}"):
                left.append(f"Redis still has {key}: {found}")
        for role in (*self.roles, SEATER):
            acting = [process.name for process in self.nodes.values() if process.cluster.leadership.has(role)]
            if len(acting) != 1:
                left.append(f"nodes that act as the {role}: {acting}")
        known = [sorted(process.cluster.registry.live()) for process in self.nodes.values()]
        if any(live != sorted(self.nodes) for live in known):
            left.append(f"nodes know of {known}")
        return left

    async def _check_end(self) -> None:
        """Stop all nodes one after the other: nothing of them may be left."""
        self.ending = True
        for process in list(self.nodes.values()):
            process.stop()
            for _ in range(100):
                if process.dead:
                    break
                await asyncio.sleep(1)
            else:
                self.complain(f"{process.name} does not stop")

    # -- trouble ---------------------------------------------------------------------------

    def _troubles(self) -> list[Any]:
        faults, troubles = self.faults, super()._troubles()
        every: dict[Callable[[], None], float] = {
            self._freeze: faults.freeze,
            partial(self._cut, "redis"): faults.cut_redis,
            partial(self._cut, "store"): faults.cut_store,
            self._stop_one: faults.stop,
        }
        return troubles + [self._often(what, seconds) for what, seconds in every.items() if seconds]

    def _one(self) -> NodeProcess | None:
        living = [process for process in self.nodes.values() if not process.dead]
        return self.rng.choice(living) if living else None

    def _crash(self) -> None:
        if process := self._one():
            process.die()

    def _freeze(self) -> None:
        if (process := self._one()) and not process.frozen:
            process.freeze(self.rng.uniform(0, self.faults.longest_stall))

    def _cut(self, what: str) -> None:
        if process := self._one():
            seconds = self.rng.uniform(0, self.faults.longest_cut)
            self.note(f"{process.name} is cut off from the {what} for {seconds:.1f} s")
            if what == "redis":  # others may play on what its tables know better
                self.witness.crashed(process)
            setattr(process, f"{what}_cut_until", self._loop.time() + seconds)

    def _stop_one(self) -> None:
        if (process := self._one()) and process.is_up:
            self.witness.crashed(process)
            process.stop()

    def _fail_over(self) -> None:
        self.went_back = True
        super()._fail_over()
        self.keys.fail_over(self.rng.randint(1, 8))

    def _fail_store_over(self) -> None:
        super()._fail_store_over()
        there = {match.id for match in self.store.all()}
        lost = [came for came in self._came if came[0].id not in there]
        self._came = [came for came in self._came if came[0].id in there]
        for match, bots, source in lost:
            if self.rng.random() < 0.5:
                continue  # nobody wants it any more
            # Whoever wanted it wants another one, which gets its number.
            secret = self.rng.randbytes(32)
            again = match, bots, replace(source, secret=secret, commitment=commitment(secret))
            self._coming.append((0.0, *again))
            self._loop.call_later(self.rng.uniform(0, _WANTED_AGAIN), self._come, *again)

    def _flush_all(self) -> None:
        self.went_back = True
        super()._flush_all()
        self.witness.emptied = True
        self.keys.flush_all()


@contextmanager
def _machines(seed: int, loop: VirtualTimeLoop) -> Iterator[None]:
    """Give nodes the time, the names and the load of machines that follow from a seed."""
    rng = random.Random(f"{seed}/machines")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("farfalia_server.cluster.registry._now", loop.time)
        patch.setattr(loop_clock, "_TICK", _TICK)
        patch.setattr(lease, "_machine", lambda: "")
        patch.setattr(lease, "_started", lambda _: getattr(PROCESS.get(), "name", ""))
        patch.setattr(node.LoadMeter, "load", lambda _: rng.choice((0.1, 0.9)))
        patch.setattr(secrets, "token_hex", lambda count: rng.randbytes(count).hex())
        yield
