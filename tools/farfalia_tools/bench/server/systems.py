"""What `farfalia bench server` measures: whole servers and the yardstick, each with a process of bots."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO

from farfalia.arena import Arena, ArenaError
from farfalia.v1 import bots_pb2, nodes_pb2, tournaments_pb2
from farfalia_server.contract.bounds import MOST_ROUNDS
from farfalia_server.contract.errors import ComparisonError, ProgramError
from farfalia_server.healthz import directly
from farfalia_tools.bench.checkouts import Checkout
from farfalia_tools.bench.processes import free_port, output_of, python_process
from farfalia_tools.bench.server.contract_used import differing, used
from farfalia_tools.bench.server.load import Slice, added
from farfalia_tools.bench.server.yardstick import SEATS

#: Seconds that a server gets to start, to fill its tables, and to answer a call.
_PATIENCE = 120.0
#: Seconds between the end of a break and the first count.
_SETTLE = 0.1
#: Milliseconds for a decision: breaks must not cost the bots anything.
_LIMIT_MS = 600_000
#: One table of this many may have no match when the measuring begins.
_UNFILLED = 16
#: Matches of the tournament, at least, and more for each second that it is played: a fast machine plays that many. It
#: is cancelled when the measuring is over; one that ended before would leave nothing to measure.
_MATCHES, _MATCHES_A_SECOND = 1000, 100
_METRIC = re.compile(r"^(farfalia_\w+)(?:\{([^}]*)\})? (\S+)$", re.MULTILINE)


class BotsEnded(ProgramError):
    """A process of bots has ended early."""

    def __init__(self) -> None:
        super().__init__("the bots of the benchmark have ended; their last lines say why")


class System:
    """A server, perhaps with several workers, and its bots, which hold their answers back until a slice is measured."""

    def __init__(self, server: Process, bots: Sequence[Process], workers: int = 1) -> None:
        self._server, self._bots, self._workers = server, bots, workers

    async def slice(self, seconds: float, rate: float | None = None) -> Slice:
        """Measure for this long, with this many answers a second or as many as there are."""
        share = None if rate is None else rate / len(self._bots)
        nobody: list[int] = []
        counted = [self._counted(self._bots[0], seconds, share, *self._processes())]
        counted += [self._counted(bots, seconds, share, nobody, nobody) for bots in self._bots[1:]]
        return added(await asyncio.gather(*counted))

    def check_bots(self) -> None:
        """Raise BotsEnded if they have."""
        if any(bots.returncode is not None for bots in self._bots):
            raise BotsEnded

    def _processes(self) -> tuple[list[int], list[int]]:
        """Return the processes that serve, and Redis."""
        pid, started = self._server.pid, children(self._server.pid)
        python = [child for child in started if _is_python(child)]
        # One server has its worker process there, several workers themselves.
        return [pid, *(python if self._workers > 1 else ())], [child for child in started if child not in python]

    @staticmethod
    async def _counted(
        bots: Process, seconds: float, rate: float | None, servers: Sequence[int], redis: Sequence[int]
    ) -> Slice:
        assert bots.stdin is not None
        assert bots.stdout is not None
        arguments = {"seconds": seconds, "rate": rate, "settle": _SETTLE, "servers": servers, "redis": redis}
        bots.stdin.write(json.dumps(arguments).encode() + b"\n")
        line = await bots.stdout.readline()
        if not line:
            raise BotsEnded
        given = json.loads(line)
        given["batches"] = {int(size): number for size, number in given["batches"].items()}
        return Slice(**given)


class ServerSystem(System):
    """A whole server with its bots."""

    def __init__(self, server: Process, bots: Sequence[Process], http: int, workers: int = 1) -> None:
        super().__init__(server, bots, workers)
        self.http = http

    async def metrics(self) -> dict[str, float]:
        """Return what `/metrics` shows."""
        return await asyncio.to_thread(self._metrics)

    def _metrics(self) -> dict[str, float]:
        with directly(f"http://127.0.0.1:{self.http}/metrics", _PATIENCE) as answer:
            text = answer.read().decode()
        return {name + (labels and "{" + labels + "}"): float(value) for name, labels, value in _METRIC.findall(text)}

    async def fill(self, tables: int) -> None:
        """Play until this many tables are busy, or nearly.

        Bots whose seats are just enough never fill all of them: those that have room left are not those of one match.
        """
        until, enough = monotonic() + _PATIENCE, tables - tables // _UNFILLED
        while (await self.metrics()).get('farfalia_matches{state="running"}', 0) < enough:
            if monotonic() > until:
                raise ProgramError(f"the server of the benchmark did not fill {tables} tables in {_PATIENCE:.0f} s")
            await self.slice(0.5)


def children(pid: int) -> list[int]:
    """Return processes that a process has started and that are alive (Linux)."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def _is_python(pid: int) -> bool:
    """Return whether it is the server's worker process, and not its Redis (Linux)."""
    return "python" in Path(f"/proc/{pid}/comm").read_text()


async def check_contract(other: Checkout) -> None:
    """Raise ComparisonError if these bots cannot talk to the server of another checkout."""
    try:
        output = await output_of("farfalia_tools.bench.server.contract_used", checkout=other, bench=True)
    except ProgramError as error:
        raise ComparisonError(f"the contract of {other.name} cannot be read; is its environment installed?") from error
    if found := differing(used(), json.loads(output)):
        raise ComparisonError(
            f"the contract of {other.name} differs in {', '.join(found)}; expected one that the same bots can use"
        )


@asynccontextmanager
async def yardstick(tables: int, bots: int) -> AsyncIterator[System]:
    """Run the bare transport at this many tables."""
    async with AsyncExitStack() as stack:
        yardstick_server = python_process("farfalia_tools.bench.server.yardstick", "serve", str(tables), str(bots))
        server = await stack.enter_async_context(yardstick_server)
        assert server.stdout is not None
        port = (await server.stdout.readline()).decode().strip()
        playing = await stack.enter_async_context(python_process("farfalia_tools.bench.server.yardstick", "bots", port))
        _tell(playing, bots)
        yield System(server, [playing])


@asynccontextmanager
async def server_system(
    checkout: Checkout,
    folder: Path,
    tables: int,
    bots: int,
    *,
    seconds: float = 0.0,
    workers: int = 1,
    processes: int = 1,
    others: int = 0,
) -> AsyncIterator[ServerSystem]:
    """Run a server of this checkout that plays at this many tables, with its bots in `processes` processes.

    Its data are in the folder. It has matches for as many seconds of play, and room for as many tables of `others`.
    """
    most = (max(256, tables) if bots == SEATS else tables) + others
    async with started_server(checkout, folder, max_tables=most, workers=workers) as started:
        arena, names = started.arena, [f"bench-{number + 1}" for number in range(bots)]
        tokens = [(await arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name=name))).token for name in names]
        seats = -(-tables * SEATS // bots)
        async with started.with_bots(tokens, seats if bots == SEATS else 2 * seats, processes) as system:
            rounds = -(-_matches(seconds) * SEATS // bots)
            request = tournaments_pb2.CreateTournamentRequest(name="bench", bots=names, rounds=rounds)
            number = (await arena.ask("CreateTournament", request)).tournament.id
            await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
            await system.fill(tables)
            yield system
            over = tournaments_pb2.CancelTournamentRequest(id=number, reason="the measuring is over")
            await arena.ask("CancelTournament", over)


def _matches(seconds: float) -> int:
    """Return how many matches the tournament has, at most as many as one of five bots may have."""
    return min(MOST_ROUNDS, _MATCHES + round(_MATCHES_A_SECOND * seconds))


@dataclass(frozen=True, slots=True)
class StartedServer:
    """A server that answers, before it has bots."""

    process: Process
    address: str
    http: int
    arena: Arena
    workers: int = 1

    @asynccontextmanager
    async def with_bots(self, tokens: Sequence[str], capacity: int, processes: int = 1) -> AsyncIterator[ServerSystem]:
        """Connect bots that take this many matches each, and hold their answers back until a slice is measured."""
        async with AsyncExitStack() as stack:
            playing = []
            for number in range(processes):
                arguments = (self.address, str(capacity), str(SEATS))
                bots = await stack.enter_async_context(python_process("farfalia_tools.bench.server.bots", *arguments))
                _tell(bots, tokens[number::processes])
                playing.append(bots)
            yield ServerSystem(self.process, playing, self.http, self.workers)


@asynccontextmanager
async def started_server(
    checkout: Checkout, folder: Path, *, max_tables: int, workers: int = 1
) -> AsyncIterator[StartedServer]:
    """Run a server of this checkout; its data are in the folder."""
    grpc_port, http_port = free_port(), free_port()
    settings = {
        "FARFALIA_DATA_DIR": str(folder),
        "FARFALIA_GRPC_PORT": str(grpc_port),
        "FARFALIA_HTTP_PORT": str(http_port),
        "FARFALIA_ADMIN_TOKEN": "bench",
        "FARFALIA_LOG_LEVEL": "warning",
        "FARFALIA_LIMIT_MS": str(_LIMIT_MS),
        "FARFALIA_MAX_TABLES": str(max_tables),
        "FARFALIA_ANALYSIS_MINUTES": "0",
        "FARFALIA_WORKERS": str(workers),
    }
    address = f"127.0.0.1:{grpc_port}"
    async with AsyncExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # the stack closes it
        server = await stack.enter_async_context(
            python_process("farfalia_server", "serve", checkout=checkout, log=log, bench=False, data=folder, **settings)
        )
        arena = await stack.enter_async_context(Arena(address, "bench", timeout=_PATIENCE))
        await _until_it_answers(arena, server, checkout, log, workers)
        yield StartedServer(server, address, http_port, arena, workers)


def _tell(process: Process, what: int | Sequence[str]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(what).encode() + b"\n")


async def _until_it_answers(arena: Arena, server: Process, checkout: Checkout, log: IO[bytes], workers: int) -> None:
    until = monotonic() + _PATIENCE
    while True:
        try:
            up = len((await arena.ask("ListNodes", nodes_pb2.ListNodesRequest())).nodes)
        except ArenaError as error:
            if server.returncode is not None:
                log.seek(0)
                last = (log.read().decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
                raise ProgramError(f"the server of {checkout.name} does not start: {last}") from error
            if monotonic() > until:
                raise ProgramError(f"the server of {checkout.name} does not answer") from error
            await asyncio.sleep(0.1)
        else:
            if up >= workers:
                return
            if monotonic() > until:
                raise ProgramError(f"{up} of {workers} workers of {checkout.name} have started")
            await asyncio.sleep(0.1)
