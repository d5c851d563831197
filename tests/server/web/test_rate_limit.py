"""How many readers the HTTP port lets in at the same moment, in virtual time."""

import asyncio

import pytest

from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.web.gate import PATIENCE, RATE
from farfalia_server.web.rate_limit import RateLimit
from farfalia_tools.testing.virtual_time import VirtualTimeLoop

#: Files of the page of a match: itself, styles, icon, scripts, the stream.
_FILES = 15


def run(readers: int) -> list[BaseException | None]:
    """Let this many readers ask for all files of a page at the same moment."""

    async def ask() -> list[BaseException | None]:
        limit = RateLimit(RATE, PATIENCE)
        turns = (limit.turn() for _ in range(readers * _FILES))
        return await asyncio.gather(*turns, return_exceptions=True)

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(ask())


def test_a_class_that_opens_the_same_page_at_the_same_moment_is_served() -> None:
    assert run(readers=40) == [None] * (40 * _FILES)


def test_a_crowd_is_sent_away_before_it_waits_for_long() -> None:
    refused = [error for error in run(readers=200) if error is not None]
    assert len(refused) == 200 * _FILES - round(RATE * (PATIENCE + 1))
    with pytest.raises(ResourceExhausted, match="try again in a moment"):
        raise refused[0]
