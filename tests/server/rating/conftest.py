"""What a worker process computes, without the process: its start takes longer than all that these tests compute."""

import inspect
import pickle
from typing import Any

import pytest

from farfalia_server.net import worker_process
from farfalia_server.net.worker_process import WorkerProcess


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
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

    async def run(worker: WorkerProcess, *call: Any) -> Any:
        monkeypatch.setattr(worker_process, "_parent", Parent(worker))
        function, *arguments = across(call)
        found = function(*arguments)
        return across(await found if inspect.isawaitable(found) else found)

    monkeypatch.setattr(WorkerProcess, "run", run)
    return told


@pytest.fixture
def without_a_process(messages: list[bytes]) -> None:
    """Calls of a worker process are computed in this one; all that the two tell each other is pickled as for it."""
