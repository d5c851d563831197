"""The real command, as a process of its own, and a Redis for it."""

from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.server.postgres_fixture import database_url, postgres

__all__ = ["database_url", "postgres"]


@pytest.fixture
def farfalia(tmp_path: Path) -> Command:
    """`farfalia …` in an empty directory."""
    return Command(tmp_path)
