"""Tasks that must not end by themselves: when one does, the whole server exits, so that it can be started again.

A server without its journal or its clock looks alive but plays nothing. After a restart every match goes on where it
was, so a loud exit costs seconds, while half a server costs everything until somebody notices.

Start every long-running task with `supervised`. Within `with supervisor.adopting():` that registers the task;
elsewhere, for example in a test of one part, it is an ordinary task.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any
from weakref import WeakSet

import structlog

from farfalia_server.contract.errors import FarfaliaServerError

log = structlog.get_logger(__name__)


class PartFailed(FarfaliaServerError):
    """Raised when a part of the server has ended by itself, so that the server ends too."""

    reason = "PART_FAILED"
    exit_code = 5


class Supervisor:
    """A watch over the tasks of one server until `close`."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False
        self._failed = asyncio.Event()
        self._error: FarfaliaServerError | None = None

    @property
    def tasks(self) -> Mapping[str, asyncio.Task[None]]:
        """The tasks by name."""
        return MappingProxyType(self._tasks)

    @property
    def error(self) -> FarfaliaServerError | None:
        """The error with which the server must exit, if any: PartFailed, or the user's error that ended a part."""
        return self._error

    @contextmanager
    def adopting(self) -> Iterator[None]:
        """Make `supervised` register what it starts within the block with this supervisor."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def start(self, work: Coroutine[Any, Any, None], name: str, *, ends: bool = False) -> asyncio.Task[None]:
        """Start a task of that name; one that `ends` may return, and may not fail."""
        if name in self._tasks and not self._tasks[name].done():
            work.close()
            raise ValueError(f"there is a task {name!r} already")
        task = asyncio.create_task(self._guarded(work, name, ends), name=name)

        def ended(done: asyncio.Task[None]) -> None:
            work.close()
            if done.cancelled() and done not in _may_end:  # before its first step, so it could not report this itself
                self._fail(name, "was cancelled")

        task.add_done_callback(ended)
        self._tasks[name] = task
        return task

    @asynccontextmanager
    async def guarding(self) -> AsyncIterator[None]:
        """Interrupt the block when a part fails, and raise `error`."""
        task = asyncio.current_task()
        assert task is not None

        async def interrupt() -> None:
            await self._failed.wait()
            task.cancel()

        interrupting = asyncio.create_task(interrupt(), name="supervisor")
        try:
            yield
        except asyncio.CancelledError:
            if self._error is None:
                raise
            task.uncancel()
            raise self._error from None
        finally:
            interrupting.cancel()

    def close(self) -> None:
        """Let tasks end from now on: the server stops."""
        self._closing = True

    async def _guarded(self, work: Coroutine[Any, Any, None], name: str, ends: bool) -> None:
        """Do the work and keep its error, so that awaiting the task at shutdown does not raise it again."""
        try:
            await work
        except asyncio.CancelledError:
            if self._closing or asyncio.current_task() in _may_end:
                raise
            self._fail(name, "was cancelled")
        except FarfaliaServerError as error:
            self._fail(name, f"failed: {error}", error)
        except Exception as error:
            log.exception("part_crashed", part=name)
            self._fail(name, f"failed: {type(error).__name__}: {error}")
        else:
            if not ends and asyncio.current_task() not in _may_end:
                self._fail(name, "ended by itself")

    def _fail(self, name: str, how: str, error: FarfaliaServerError | None = None) -> None:
        """End the server; with this error if it has an exit code of its own, for then it says why."""
        if self._error is None and not self._closing:
            self._error = error if error is not None and error.exit_code != 1 else PartFailed(f"{name} {how}")
            log.error("part_failed", part=name, error=str(self._error))
            self._failed.set()


def supervised(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task that ends only when the server does."""
    supervisor = _current.get()
    if supervisor is None:
        return asyncio.create_task(work, name=name)
    return supervisor.start(work, name)


def may_end(task: asyncio.Task[None]) -> None:
    """Let a task end without ending the server: its work is no longer needed."""
    _may_end.add(task)


_may_end: WeakSet[asyncio.Task[None] | None] = WeakSet()
_current: ContextVar[Supervisor | None] = ContextVar("supervisor", default=None)
