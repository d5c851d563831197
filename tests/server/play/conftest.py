"""Fixtures of the tests of play."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.migrated import sqlite_url
from tests.server.runner_world import RunnerScene, hosted


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the runner of matches tries again is tried again at once."""
    monkeypatch.setattr("farfalia_server.play.match_runner._BACKOFF", (0.001, 0.001))


@pytest.fixture
async def scene(tmp_path: Path, impatient: None) -> AsyncIterator[RunnerScene]:
    """A store, a journal and the runner of matches."""
    async with hosted(sqlite_url(tmp_path / "store.db")) as scene:
        yield scene
