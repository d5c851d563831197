"""What a worker process computes, without the process: its start takes longer than all that most tests compute."""

import inspect
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from farfalia_server.net import worker_process
from farfalia_server.net.worker_process import WorkerProcess


@contextmanager
def in_this_process() -> Iterator[list[bytes]]:
    """All that this process and the worker process would have told each other, were the latter not this one, too."""
    told: list[bytes] = []

    def across(value: Any) -> Any:
        told.append(pickle.dumps(value))
        return pickle.loads(told[-1])

    class Parent:
        def __init__(self, worker: WorkerProcess) -> None:
            self._worker = worker

        async def call(self, request: Any) -> Any:
            assert self._worker._answers is not None
            return across(await self._worker._answers(*across(request)))

    with pytest.MonkeyPatch.context() as patch:

        async def run(worker: WorkerProcess, *call: Any) -> Any:
            patch.setattr(worker_process, "_parent", Parent(worker))
            function, *arguments = across(call)
            found = function(*arguments)
            return across(await found if inspect.isawaitable(found) else found)

        patch.setattr(WorkerProcess, "run", run)
        yield told
