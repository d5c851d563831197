"""Worker processes: what a function there raises reaches its caller."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest

import farfalia
import farfalia_engine
import farfalia_server
import farfalia_tournaments
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.worker_process import WorkerProcess

_ODD = """
class Odd(Exception):
    def __init__(self, name, reason):
        super().__init__(f"{name} is {reason}")
raise Odd("this", "odd")
"""


async def test_an_error_that_cannot_cross_processes_is_raised_by_its_text() -> None:
    async with WorkerProcess() as worker:
        with pytest.raises(FarfaliaServerError, match="Odd: this is odd"):
            await worker.run(exec, _ODD)
        assert await worker.run(len, "abc") == 3


async def test_what_a_worker_process_computes_comes_back_or_fails_as_it_would_here() -> None:
    async with WorkerProcess() as worker:
        assert await worker.run(sorted, [3, 1, 2]) == [1, 2, 3]
        with pytest.raises(ValueError, match="invalid literal"):
            await worker.run(int, "three")
        assert await worker.run(sum, [1, 2]) == 3


async def test_a_worker_process_that_dies_is_a_sentence() -> None:
    async with WorkerProcess() as worker:
        with pytest.raises(FarfaliaServerError, match="died before it had answered"):
            await worker.run(exit, 1)


async def test_leaving_ends_a_worker_process_at_once() -> None:
    async with WorkerProcess() as worker:
        endless = asyncio.create_task(worker.run(sum, iter(int, 1)))
        await asyncio.sleep(0.1)
        endless.cancel()


#: Modules that run code which is in the data that they read.
_RUN_DATA = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "marshal", "shelve", "jsonpickle", "joblib"}


def test_only_worker_processes_and_their_parents_read_data_that_may_be_code() -> None:
    """Nothing that comes from Redis, the database, another node, a host or a bot may run here."""
    rooms = [
        Path(room.__file__ or "").parent for room in (farfalia, farfalia_engine, farfalia_server, farfalia_tournaments)
    ]
    found = {
        f"{room.name}/{path.relative_to(room)}"
        for room in rooms
        for path in room.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in imported(node)
        if name.partition(".")[0] in _RUN_DATA
    }
    assert found == {"farfalia_server/net/worker_process.py"}


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
