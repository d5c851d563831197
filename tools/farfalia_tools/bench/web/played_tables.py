"""What people at tables of their own cost the tables of bots: with people who play and with people who hold back."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from farfalia_server.contract.errors import ProgramError
from farfalia_tools.bench.checkouts import HERE
from farfalia_tools.bench.processes import cpu_seconds, python_process
from farfalia_tools.bench.server.load import Slice
from farfalia_tools.bench.server.systems import ServerSystem, server_system

#: Tables of bots, seconds of a slice, and slices of each kind, at least.
TABLES, _SLICE, _LEAST = 64, 2.0, 3
#: Seconds in which the people begin before a slice is counted, and in which all of them must have a seat.
_BEGIN, _PATIENCE = 1.0, 300.0


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """Decisions a second of bots, and the server's CPU for each, in seconds: alone, and beside people who play."""

    people: int
    alone: float
    beside: float
    alone_cpu: float
    beside_cpu: float
    #: Decisions a second of the people, and how many of a core the processes use that people's machines have.
    decisions: float
    clients_cores: float


async def measure_people(folder: Path, seconds: float, people: int) -> PeopleFigures:
    """Let bots play for this many seconds beside people who play, and as long beside people who hold back, in turn.

    The data of the server are in the folder. Raises ProgramError if it, its bots or the people end early.
    """
    slices = max(_LEAST, round(seconds / _SLICE))
    async with AsyncExitStack() as stack:
        started = server_system(HERE, folder, TABLES, 5, seconds=2 * slices * _SLICE, others=people)
        system = await stack.enter_async_context(started)
        crowd = await stack.enter_async_context(
            python_process("farfalia_tools.bench.web.people", f"http://127.0.0.1:{system.http}", str(people))
        )
        await _told(crowd, 0)
        alone: list[Slice] = []
        beside: list[Slice] = []
        decisions: list[float] = []
        cores: list[float] = []
        for number in range(2 * slices):
            if number % 4 in (0, 3):
                alone.append(await system.slice(_SLICE))
                continue
            before = cpu_seconds(crowd.pid)
            beside_now, taken = await asyncio.gather(_slice_later(system), _told(crowd, _BEGIN + _SLICE))
            beside.append(beside_now)
            decisions.append(taken / (_BEGIN + _SLICE))
            cores.append((cpu_seconds(crowd.pid) - before) / (_BEGIN + _SLICE))
    return PeopleFigures(
        people,
        alone=_rate(alone),
        beside=_rate(beside),
        alone_cpu=_cpu(alone),
        beside_cpu=_cpu(beside),
        decisions=median(decisions),
        clients_cores=median(cores),
    )


def _rate(slices: list[Slice]) -> float:
    return median(one.decisions / one.seconds for one in slices)


def _cpu(slices: list[Slice]) -> float:
    return median(one.server_cpu / max(1, one.decisions) for one in slices)


async def _slice_later(system: ServerSystem) -> Slice:
    await asyncio.sleep(_BEGIN)
    return await system.slice(_SLICE)


async def _told(crowd: Process, seconds: float) -> int:
    """Let the people play, or wait until all have a seat; return what they say then."""
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    crowd.stdin.write(f"{seconds}\n".encode())
    try:
        line = await asyncio.wait_for(crowd.stdout.readline(), _PATIENCE)
    except TimeoutError:
        raise ProgramError(f"not all people of the benchmark had a seat in {_PATIENCE:.0f} s") from None
    if not line:
        raise ProgramError("the people of the benchmark have ended; their last lines say why")
    return int(json.loads(line))
