"""Bots and questions for tests in which the database or Redis of a real server goes away."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from tests.server.live import PATIENCE, LiveServer
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2, record_pb2

#: Nobody plays out of time on a machine that is busy with other things.
SLOW = record_pb2.TimeControl(limit_ms=60_000, bank_ms=600_000, grace=3)


class Gate:
    """Keeps what bots are asked until it is opened; then they answer at once, until a number of matches has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[tuple[RawBot, play_pb2.PlayResponse]] | None = []
        self._ended: set[int] = set()
        self._closes_after = math.inf

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        with self._lock:
            self._ended.update(finished.match for finished in message.finished)
            if self._kept is None and len(self._ended) >= self._closes_after:
                self._kept = []
            if self._kept is not None:
                if message.questions:
                    self._kept.append((bot, message))
                return
        first_legal(bot, message)

    def open(self, until_ended: float = math.inf) -> None:
        with self._lock:
            self._closes_after = until_ended
            kept, self._kept = self._kept or [], None
        for bot, message in kept:
            first_legal(bot, message)

    @property
    def keeps_a_question(self) -> bool:
        return bool(self._kept)


def until(condition: Callable[[], object], what: str = "what must come") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.05)


def in_the_middle(
    nodes: Sequence[LiveServer], bots: ExitStack, rounds: int, *, until_ended: int = 3, redial: bool = False
) -> tuple[int, Gate]:
    """A tournament of five bots, which are connected to these nodes in turn, and the gate that keeps their questions;
    so many of its matches have ended.
    """
    names, gate = [f"bot-{number}" for number in range(5)], Gate()
    for number, name in enumerate(names):
        token, node = nodes[0].register(name), nodes[number % len(nodes)]
        bots.enter_context(RawBot(node.grpc_address, token, react=gate, redial=redial))
    tournament = nodes[0].tournament(names, rounds=rounds, control=SLOW, ruleset="basic")
    gate.open(until_ended=until_ended)
    until(lambda: gate.keeps_a_question, "matches are in the middle")
    return tournament, gate


def all_is_well_after(server: LiveServer, tournament: int, matches: int) -> None:
    """Every match is finished at its first attempt, nobody has a strike, and the log has no traceback."""
    after = server.wait_for(tournament)
    assert after.finished == after.matches == matches
    boards = {server.record(match.id).source.board for match in server.matches(tournament)}
    assert boards == {f"board-1-{number}" for number in range(1, matches + 1)}
    assert {standing.strikes for standing in after.standings} == {0}
    assert {standing.forfeits for standing in after.standings} == {0}
    assert server.log().split("Traceback")[1:] == []
    assert "never retrieved" not in server.log()
