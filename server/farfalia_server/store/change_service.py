"""Services that work on what is committed."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import ClassVar, Self

from farfalia_server.net.service import PeriodicService
from farfalia_server.store.changes import Change, Changes, Topic


class ChangeService(PeriodicService):
    """A periodic service that implements `_changed`, too, which is called after commits about its topics while it runs.

    `changes` are those of the store that it works on; the rest is as for every periodic service.
    """

    #: What it hears about.
    topics: ClassVar[tuple[Topic, ...]]

    def __init__(
        self,
        changes: Changes,
        name: str,
        *,
        every: float | None,
        rest: float = 0.0,
        gather: float = 0.0,
        pause: float = 1.0,
    ) -> None:
        super().__init__(name, every=every, rest=rest, gather=gather, pause=pause)
        self._changes = changes
        self._unlisten: Callable[[], None] = lambda: None

    async def __aenter__(self) -> Self:
        self._unlisten = self._changes.on(self.topics, self._changed)
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unlisten()
        await super().__aexit__(kind, error, trace)

    def _changed(self, change: Change) -> None:
        raise NotImplementedError  # a service says what concerns it
