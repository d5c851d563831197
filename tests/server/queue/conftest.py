"""Fixtures of the queue's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.queue_world import Node, on_one_node


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    """A node that is alone with a Redis of its own."""
    async with on_one_node(tmp_path) as node:
        yield node
