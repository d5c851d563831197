"""An event loop whose clock moves on by itself whenever nothing is left to do: hours pass in a moment, exactly."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any

import pytest


class _NothingComes(selectors.SelectSelector):
    """Waits for nothing: what would be waited for is added to the loop's clock."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen again"
        self.now += timeout
        return []


def play_in_virtual_time(monkeypatch: pytest.MonkeyPatch, *modules: str, scene: Coroutine[Any, Any, None]) -> None:
    """Runs a scene on such a loop; the modules that read the monotonic clock read the loop's instead."""
    selector = _NothingComes()
    loop = asyncio.SelectorEventLoop(selector)
    monkeypatch.setattr(loop, "time", lambda: selector.now)
    for module in modules:
        monkeypatch.setattr(f"{module}.monotonic", loop.time)
    try:
        loop.run_until_complete(scene)
    finally:
        loop.close()
