"""House bots get a moment of each turn of the loop. Decisions and turns are counted; the clock is the test's."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime

import pytest
from tests.server.event_loops import LOOPS

from farfalia_engine import Deals, TimeControl, ruleset
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.house_scheduler import HouseScheduler
from farfalia_server.play.match_core import SeatState
from farfalia_server.play.table import Table
from farfalia_server.records.house_bot import HouseBot
from farfalia_tools.testing import MemoryJournal


class Decisions:
    """Tables that never end; each decision takes the same time by the test's clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.time = 0.0
        self.made: list[str] = []
        self.scheduler = HouseScheduler(lambda: self.time)

    def sit(self, name: str, *, with_bots: bool = False) -> None:
        def decide() -> None:
            self.time += self.seconds
            self.made.append(name)
            self.scheduler.add(decide, with_bots=with_bots)

        self.scheduler.add(decide, with_bots=with_bots)

    async def process(self) -> list[str]:
        """What is decided in the next turn of the loop."""
        self.made.clear()
        while not self.made:
            await asyncio.sleep(0)
        return list(self.made)


async def test_many_tables_decide_for_two_milliseconds_a_turn_and_then_wait_for_the_next() -> None:
    decisions = Decisions(0.0001)
    for table in range(256):
        decisions.sit(str(table))
    assert 15 <= len(await decisions.process()) <= 25
    assert 15 <= len(await decisions.process()) <= 25


async def test_tables_take_turns() -> None:
    decisions = Decisions(0.001)
    for table in "abc":
        decisions.sit(table)
    made = [name for _ in range(6) for name in await decisions.process()]
    assert made == list("abcabcabcabc")


async def test_beside_bots_the_share_of_house_bots_is_smaller() -> None:
    decisions = Decisions(0.0001)
    decisions.sit("a")
    alone = len(await decisions.process())
    with decisions.scheduler.table_with_bots():
        assert len(await decisions.process()) <= alone // 3
    assert abs(len(await decisions.process()) - alone) <= 1


async def test_tables_with_bots_come_first_and_the_others_are_not_forgotten() -> None:
    decisions = Decisions(0.0001)
    decisions.sit("house")
    decisions.sit("with bots", with_bots=True)
    made = await decisions.process()
    assert made.count("house") == 1
    assert made[0] == "with bots"
    assert made.count("with bots") > 10


@pytest.mark.parametrize("anyio_backend", LOOPS.values(), ids=LOOPS)
async def test_input_is_read_in_every_turn() -> None:
    loop, decisions = asyncio.get_running_loop(), Decisions(0.001)
    here, there = socket.socketpair()
    waited = []

    def read() -> None:
        here.recv(1)
        waited.append(len(decisions.made))
        decisions.made.clear()
        if len(waited) < 50:
            there.send(b"x")

    with here, there:
        loop.add_reader(here, read)
        there.send(b"x")
        for table in range(256):
            decisions.sit(str(table))
        while len(waited) < 50:
            await asyncio.sleep(0)
        loop.remove_reader(here)
    assert max(waited[1:]) <= 4  # two turns of two decisions


async def test_a_match_of_house_bots_ends_and_one_that_is_given_up_is_not_played_on() -> None:
    journal = MemoryJournal()
    scheduler, measures = HouseScheduler(), Measures()

    def seat(number: int) -> SeatState:
        clock = SeatClock(TimeControl(limit_ms=1000, bank_ms=0, grace=0))
        return SeatState(clock, HouseBot("random", Deals(bytes([number] * 32))))

    def table(match: int) -> Table:
        return Table(
            match,
            attempt=1,
            epoch=1,
            state=ruleset("chinkway").new_match(Deals(bytes(32))),
            bots={},
            states=[seat(number) for number in range(5)],
            journal=journal,
            house=lambda: HouseBot("greedy", Deals(bytes(32))),
            measures=measures,
            now=lambda: datetime.now(UTC),
            house_scheduler=scheduler,
        )

    await journal.claim(1, 1, "node")
    played, given_up = table(1), table(2)
    playing = asyncio.create_task(given_up.play([]))
    while not given_up.core.events:
        await asyncio.sleep(0)
    playing.cancel()
    await asyncio.wait([playing])
    events = given_up.core.events
    await played.play([])
    assert played.core.state.outcome is not None
    assert given_up.core.events == events
