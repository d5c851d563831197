"""What a worker process computes, without the process: its start takes longer than all that these tests compute."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from farfalia_server.net.worker_process import WorkerProcess


@pytest.fixture
def without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of a worker process are computed in this one, and function, arguments and result are pickled as for it."""

    async def run(worker: WorkerProcess, *call: Any) -> Any:
        function, *arguments = pickle.loads(pickle.dumps(call))
        compute: Callable[..., Any] = function
        return pickle.loads(pickle.dumps(compute(*arguments)))

    monkeypatch.setattr(WorkerProcess, "run", run)
