"""Has house bots that search decide in processes of their own, which are few, and none for longer than it may."""

from __future__ import annotations

import asyncio
import os
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import structlog

from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.worker_process import WorkerProcess

log = structlog.get_logger(__name__)

Found = TypeVar("Found", covariant=True)

#: Seconds that a decision may take, some hundred times what it does take; after that its process is replaced.
_SECONDS = 60.0
#: How often a decision is asked for before its match is given up; seconds before the second time, doubled each time.
_TRIES, _PAUSE = 5, 0.1


class Searching(Protocol[Found]):
    """A question about cards that any process answers in the same way: a `Search` of a table, or that of a hint."""

    @property
    def house(self) -> str:
        """The house bot that searches."""

    def answer(self) -> Found:
        """Search, and return what was found."""


class HouseSearch:
    """The processes of a node in which its house bots search; `async with` ends them.

    They start with the first decisions, at most `processes` of them, and have a low priority. Decisions that find none
    free wait in the order in which they came. One whose process dies, or takes more than `seconds`, is asked for again
    in a new process, where its answer is the same.
    """

    def __init__(self, processes: int = 1, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        #: The last to be done comes first: so no more processes are started than are needed at a time.
        self._free: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        self._workers = [WorkerProcess() for _ in range(processes)]
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._searching: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._searching:
            task.cancel()
        for worker in self._workers:
            await worker.__aexit__(kind, error, trace)

    async def decide(self, search: Searching[Found]) -> Found:
        """Return the answer of a search; FarfaliaServerError if process after process came to none.

        If its caller gives up meanwhile, the process still ends what it has begun.
        """
        worker = await self._free.get()
        task = asyncio.create_task(self._ask(worker, search), name="house search")
        self._searching.add(task)
        task.add_done_callback(lambda task: self._done(task, worker))
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any], worker: WorkerProcess) -> None:
        self._searching.discard(task)
        self._free.put_nowait(worker)
        if not task.cancelled():
            task.exception()  # its caller may have gone

    async def _ask(self, worker: WorkerProcess, search: Searching[Found]) -> Found:
        pause = _PAUSE
        for _ in range(_TRIES):
            try:
                async with asyncio.timeout(self._seconds):
                    return await worker.run(_answer, search)
            except TimeoutError:
                why = f"it took more than {self._seconds:g} s"
                worker.kill()
            except FarfaliaServerError as error:
                why = str(error)
            log.warning("house_search_again", house=search.house, error=why)
            await asyncio.sleep(pause)
            pause *= 2
        raise FarfaliaServerError(f"the house bot {search.house} came to no answer {_TRIES} times: {why}")


def _answer(search: Searching[Found]) -> Found:
    # Before NumPy is imported: its tables are too small for threads, and other processes need the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return search.answer()
