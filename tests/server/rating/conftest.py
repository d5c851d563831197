"""Ratings are computed in this process: tests/cli/test_ratings.py has a server with the worker process."""

from collections.abc import Iterator

import pytest
from tests.server.same_process import in_this_process


@pytest.fixture(autouse=True)
def messages() -> Iterator[list[bytes]]:
    """What would have crossed from one process to the other."""
    with in_this_process() as told:
        yield told
