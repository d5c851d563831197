"""What the client sends, and how fast, in virtual time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from farfalia.measured_capacity import MeasuredCapacity
from farfalia.outbox import Outbox
from farfalia.v1 import play_pb2
from farfalia_tools.testing import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


async def test_log_lines_leave_no_faster_than_the_server_keeps_them() -> None:
    loop = asyncio.get_running_loop()
    outbox = Outbox(MeasuredCapacity(1, 1))
    outbox.hello(play_pb2.Hello())
    for at in range(250):
        outbox.log(0, str(at))
    began = loop.time()
    sent: list[tuple[float, str]] = []
    while len(sent) < 250:
        await outbox.filled.wait()
        message = outbox.message()
        assert message != play_pb2.PlayRequest()  # a message without anything counts as useless
        sent += [(loop.time() - began, line.text) for line in message.logs]
    assert [text for _, text in sent] == [str(at) for at in range(250)]
    for second in range(10):
        assert sum(when <= second for when, _ in sent) <= 200 + 10 * second
