"""The viewers of the benchmark: all of them watch, and who has not seen something counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import pytest

from farfalia_tools.bench.web import viewers
from farfalia_tools.bench.web.viewers import Crowd, middle_and_slowest

_EVENTS = b'HTTP/1.1 200 OK\r\n\r\nretry: 2000\n\nid: 1.1\ndata: {"type":"match"}\n\n'
_REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\n\r\n"


@asynccontextmanager
async def server(refused: int) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that refuses the first requests and shows an event to all others; its address, and its answers."""
    answers: list[bytes] = []
    answering: set[asyncio.Task[None] | None] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering.add(asyncio.current_task())
        await reader.readuntil(b"\r\n\r\n")
        answers.append(_EVENTS if len(answers) >= refused else _REFUSAL)
        writer.write(answers[-1])
        if answers[-1] is _EVENTS:
            await reader.read()  # until the viewer leaves
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        yield "http://{}:{}".format(*listening.sockets[0].getsockname()), answers
    await asyncio.gather(*filter(None, answering), return_exceptions=True)


async def test_viewers_who_were_refused_come_again_until_all_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "_AGAIN", 0.0)
    async with server(refused=7) as (address, answers):
        crowd = Crowd(address, 5)
        await crowd.come(1)
        assert (answers.count(_REFUSAL), answers.count(_EVENTS)) == (7, 5)
        told = await crowd.leave()
    assert list(told) == ["1.1"]
    assert max(told["1.1"]) < inf


def test_who_has_not_seen_something_counts_among_all_viewers() -> None:
    assert middle_and_slowest([3.0, 1.0, 2.0], 3) == (2.0, 3.0)
    assert middle_and_slowest(range(1, 97), 100) == (51, 96)
    assert middle_and_slowest(range(1, 95), 100) == (51, inf)
    assert middle_and_slowest([1.0], 3) == (inf, inf)
