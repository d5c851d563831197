"""Many viewers of one table: news gather, so that each part costs the processor little. In virtual time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message

from farfalia_server.web.event_streams import EventStreams
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.match_streams import LiveSource, match_streams
from farfalia_tools.testing import VIRTUAL_TIME

EVENTS = 40


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


def table(begun: float) -> LiveSource:
    """A table that plays a card in each hundredth of a second."""

    async def news(match: int, before: LiveNews) -> LiveNews:
        await asyncio.sleep(0.01)
        now = min(EVENTS, int((asyncio.get_running_loop().time() - begun) * 100) + 1)
        return LiveNews("1", tuple(b'{"n":%d}' % n for n in range(1, now + 1)), over=now == EVENTS)

    return news


async def parts(streams: EventStreams) -> list[bytes]:
    """What one viewer is sent, part by part, without the head and the empty end."""
    sent: list[bytes] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message.get("body", b""))

    scope = {"type": "http", "method": "GET", "path": "/api/matches/1/events", "query_string": b"", "headers": []}
    await streams(scope, receive, send)
    return sent[2:-1]


@pytest.mark.parametrize(("viewers", "most"), [(1, EVENTS), (500, 8)])
async def test_the_more_watch_the_fewer_and_larger_parts_each_is_sent_and_all_see_all(viewers: int, most: int) -> None:
    streams = match_streams(table(asyncio.get_running_loop().time()))
    seen = await asyncio.gather(*(parts(streams) for _ in range(viewers)))
    assert len({b"".join(one) for one in seen}) == 1
    assert b"".join(seen[0]).count(b"data: {") == EVENTS + 1
    assert b"id: 1.1\n" in seen[0][0]
    assert max(map(len, seen)) <= most
    if viewers == 1:
        assert len(seen[0]) > EVENTS / 2, "one viewer sees each card at once"
    made = {id(part) for one in seen for part in one[:-1]}
    assert len(made) == len(seen[0]) - 1, "a part is made once for all"


async def test_during_a_silence_viewers_get_a_sign_of_life_and_then_the_rest() -> None:
    async def news(match: int, before: LiveNews) -> LiveNews:
        await asyncio.sleep(40 if before.events else 0)
        return LiveNews("1", (*before.events, b'{"n":%d}' % (len(before.events) + 1)), over=before.events != ())

    one, other = await asyncio.gather(*[parts(match_streams(news)) for _ in range(2)])
    assert one == other
    assert one == [
        b'id: 1.1\ndata: {"n":1}\n\n',
        b":\n\n",
        b":\n\n",
        b'id: 1.2\ndata: {"n":2}\n\ndata: {"type":"end"}\n\n',
    ]


async def test_a_viewer_that_leaves_while_nothing_happens_is_let_go() -> None:
    async def news(match: int, before: LiveNews) -> LiveNews:
        await asyncio.sleep(1000 if before.events else 0)
        return LiveNews("1", (*before.events, b"{}"))

    async def receive() -> Message:
        await asyncio.sleep(3)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    began = asyncio.get_running_loop().time()
    scope = {"type": "http", "method": "GET", "path": "/api/matches/1/events", "query_string": b"", "headers": []}
    await match_streams(news)(scope, receive, send)
    assert asyncio.get_running_loop().time() - began == pytest.approx(3)
