"""House bots that search decide in other processes: the loop goes on, and a process that dies or hangs is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from farfalia_engine import Deals, TimeControl, ruleset
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.house_search import HouseSearch
from farfalia_server.play.match_core import SeatState
from farfalia_server.play.table import Table
from farfalia_server.records.house_bot import HouseBot, Search
from farfalia_tools.testing import MemoryJournal

DEALS = Deals(bytes(32))
VIEW = ruleset("two").new_match(DEALS).observation(0)


@dataclass(frozen=True, slots=True)
class Pid(Search):
    """A search that finds which process it is done in, and before that lies down to die, or to sleep, once."""

    mark: str = ""
    sleeps: bool = False

    def answer(self) -> int:
        if self.mark and not Path(self.mark).exists():
            Path(self.mark).write_text(f"{os.getpid()}\n")
            if self.sleeps:
                time.sleep(3600)
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()


class Dies(Search):
    """A search that kills every process."""

    __slots__ = ()

    def answer(self) -> int:
        os._exit(1)


@pytest.fixture(autouse=True)
def _has_this_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def pid(mark: Path | str = "", *, sleeps: bool = False) -> Pid:
    return Pid("expert", 1, VIEW, str(mark), sleeps)


async def test_no_more_processes_search_than_may_and_none_is_this_one() -> None:
    async with HouseSearch(processes=2) as searching:
        first = await searching.decide(pid())
        assert await searching.decide(pid()) == first, "one that is free is taken before another is started"
        found = set(await asyncio.gather(*(searching.decide(pid()) for _ in range(12))))
    assert first in found
    assert len(found) == 2
    assert os.getpid() not in found


@pytest.mark.parametrize("sleeps", [False, True])
async def test_what_a_killed_or_hanging_process_was_asked_is_asked_again(tmp_path: Path, sleeps: bool) -> None:
    async with HouseSearch(seconds=20 if sleeps else 60) as searching:
        first = await searching.decide(pid())
        assert await searching.decide(pid(tmp_path / "mark", sleeps=sleeps)) not in (first, os.getpid())


async def test_a_search_that_kills_every_process_is_given_up_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.play.house_search._PAUSE", 0)
    async with HouseSearch() as searching:
        with pytest.raises(FarfaliaServerError, match="expert came to no answer 5 times: the worker process died"):
            await searching.decide(Dies("expert", 1, VIEW))
        assert await searching.decide(pid()) != os.getpid()


async def test_one_whose_caller_gives_up_holds_its_process_until_it_is_done(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    async with HouseSearch() as searching:
        hangs = asyncio.create_task(searching.decide(pid(mark, sleeps=True)))
        while not (mark.exists() and mark.read_text().endswith("\n")):
            await asyncio.sleep(0.01)
        hangs.cancel()
        following = asyncio.create_task(searching.decide(pid()))
        await asyncio.sleep(0.1)
        assert not following.done()
        os.kill(int(mark.read_text()), signal.SIGKILL)
        assert await following not in (int(mark.read_text()), os.getpid())


def table(game: str, journal: MemoryJournal, searching: HouseSearch, names: Sequence[str], epoch: int = 1) -> Table:
    rules = ruleset(game)
    clock = TimeControl(limit_ms=1000, bank_ms=0, grace=0)
    return Table(
        1,
        attempt=1,
        epoch=epoch,
        state=rules.new_match(DEALS),
        bots={},
        states=[SeatState(SeatClock(clock), HouseBot(names[seat % len(names)], DEALS)) for seat in range(rules.seats)],
        journal=journal,
        house=lambda: HouseBot("greedy", DEALS),
        measures=Measures(),
        now=lambda: datetime.now(UTC),
        house_search=searching,
    )


def played(table: Table) -> list[tuple[int, int, int]]:
    return [(one.seat, one.action, one.cause) for one in table.pieces.joined().actions]


async def test_a_match_is_resumed_at_any_card_and_goes_on_as_it_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.records.house_bot.ITERATIONS", 16)
    journal = MemoryJournal()

    async def here(search: Search) -> int:
        await asyncio.sleep(0)
        return search.answer()

    async with HouseSearch() as searching:
        monkeypatch.setattr(searching, "decide", here)
        await journal.claim(1, 1, "node")
        whole = table("two", journal, searching, ["expert", "random"])
        await whole.play([])
        entries = await journal.read(1, 1)
        assert not whole.pieces.joined().incidents, "none is late"
        for cut in (1, len(entries) // 3, len(entries) - 1):
            again = MemoryJournal()
            await again.claim(1, 2, "node")
            resumed = table("two", again, searching, ["expert", "random"], epoch=2)
            await resumed.play(entries[:cut], are_lost=True)
            assert played(resumed) == played(whole)
