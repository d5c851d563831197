"""Processes among which a benchmark without a server shares its work."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


class WorkerPool(ProcessPoolExecutor):
    """A pool of processes, one for each core by default, whose work ends with the command, however that ends.

    Signals for the whole terminal or group reach the command alone; an exception in the block, which is what Ctrl-C
    becomes, ends the processes at once, whatever they are doing.
    """

    def __init__(self, processes: int | None = None) -> None:
        super().__init__(processes or os.cpu_count(), get_context("spawn"), _end_with_parent)

    def submit(self, function: Callable[..., T], /, *arguments: Any, **more: Any) -> Future[T]:
        """Have a process call the function; one may be started for it."""
        # It inherits what is blocked here. From its first import on Ctrl-C would make it print a traceback.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            return super().submit(function, *arguments, **more)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def results(self, function: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """Yield what the function returns for the first of all arguments, the second, …; all calls begin now.

        `map` would cancel calls when it is interrupted: that the processes end then makes a thread of the pool fail.
        """
        futures = deque(self.submit(function, *each) for each in zip(*arguments, strict=True))

        def yielded() -> Iterator[T]:
            while futures:
                yield futures.popleft().result()

        return yielded()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for the work, unless the block was left by an exception."""
        if kind is not None:
            for process in active_children():
                process.kill()
        super().__exit__(kind, error, trace)


def _end_with_parent() -> None:
    """Let this process end with the one that has started it, which may be killed and then tells nobody."""
    Thread(target=_wait_for_parent, name="end with parent", daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
