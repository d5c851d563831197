"""Calls that wait for the database."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net.backoff import backoff

log = structlog.get_logger(__name__)

#: Seconds before the first retry.
_FIRST_PAUSE = 0.1

T = TypeVar("T")


async def retrying(what: str, call: Callable[[], Awaitable[T]], *, longest: float = 5.0, match: int = 0) -> T:
    """Call until the database answers, with exponential backoff, and log each failed attempt with the match.

    Only for calls that may safely be repeated.
    """
    for pause in backoff(_FIRST_PAUSE, longest):
        try:
            return await call()
        except StoreUnavailable as error:
            about = {"match": match} if match else {}
            log.warning("store_unavailable", what=what, retry_seconds=pause, error=str(error), **about)
        await asyncio.sleep(pause)
    raise AssertionError("unreachable")
