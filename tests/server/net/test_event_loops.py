"""What gRPC brings too late for one test does not fail the next, on either loop."""

import asyncio
from typing import Any

import pytest
from tests.server.event_loops import LOOPS


@pytest.mark.parametrize("anyio_backend", LOOPS.values(), ids=LOOPS)
async def test_only_what_fails_on_a_closed_loop_is_passed_over() -> None:
    loop, seen = asyncio.get_running_loop(), list[str]()

    def fail(text: str) -> None:
        raise RuntimeError(text)

    def keep(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        seen.append(str(context["exception"]))

    before = loop.get_exception_handler()
    loop.set_exception_handler(keep)
    try:
        loop.call_soon(fail, "Event loop is closed")
        loop.call_soon(fail, "anything else")
        while not seen:
            await asyncio.sleep(0)
    finally:
        loop.set_exception_handler(before)
    assert seen == ["anything else"]
