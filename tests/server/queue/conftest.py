"""Fixtures of the queue's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server import queue_world
from tests.server.migrated import sqlite_url
from tests.server.queue_world import Node
from tests.server.shared_redis import empty_redis


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    """A node that is alone."""
    async with empty_redis() as redis_url, queue_world.node(sqlite_url(tmp_path / "store.db"), redis_url) as node:
        yield node
