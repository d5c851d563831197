"""The network between bots and a server, which can fail for all of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from types import TracebackType
from typing import Any, Self

from farfalia_tools.torment.relay import Relay


class Cable:
    """An address that leads to a server, except while it is cut: then connections break, and new ones are refused.

    It has a thread of its own, since the driver of a browser keeps the event loop of the test's.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._relay: Relay | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._listen(0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """Break all connections, and refuse new ones from now on."""
        if self._relay is not None:
            self._run(self._relay.__aexit__(None, None, None))
        self._relay = None

    def mend(self) -> None:
        """Let connections through again, at the same address."""
        self._listen(int(self.address.rpartition(":")[2]))

    def _listen(self, port: int) -> None:
        relay = Relay(self._target, port)
        self._run(relay.__aenter__())
        self._relay, self.address = relay, relay.address

    def _run(self, what: Coroutine[Any, Any, object]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result()
