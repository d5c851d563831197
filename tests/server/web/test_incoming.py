"""Bodies that are files: they may come slowly, but not stand still, and end where they are too long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from farfalia_server.web.incoming import LONGEST, IncomingBody
from farfalia_tools.testing import VIRTUAL_TIME

MOST = 1 << 20


@pytest.fixture
def anyio_backend() -> object:
    return VIRTUAL_TIME


def request(parts: Iterable[tuple[float, bytes]], *, gone: bool = False, **headers: str) -> tuple[Request, list[bytes]]:
    """A request whose body comes in these parts, each after some seconds, and the parts that were read of it."""
    left, read = list(parts), list[bytes]()

    async def receive() -> dict[str, Any]:
        if not left:
            return {"type": "http.disconnect"} if gone else {"type": "http.request", "body": b"", "more_body": False}
        wait, part = left.pop(0)
        await asyncio.sleep(wait)
        read.append(part)
        return {"type": "http.request", "body": part, "more_body": bool(left) or gone}

    told = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return Request({"type": "http", "headers": told}, receive), read


async def whole(body: IncomingBody) -> bytes:
    parts: AsyncIterator[bytes] = body.parts()
    return b"".join([part async for part in parts])


async def refusal(body: IncomingBody) -> int:
    with pytest.raises(HTTPException) as refused:
        await whole(body)
    return refused.value.status_code


async def test_a_body_may_come_slowly() -> None:
    sent, _ = request([(9.0, b"a"), (9.0, b""), (0.5, b"b")])
    assert await whole(IncomingBody(sent, MOST)) == b"ab"


@pytest.mark.parametrize(
    "parts", [[(0.0, b"a"), (11.0, b"b")], [(9.0, b"a")] * round(LONGEST / 9 + 1)], ids=["stands still", "is endless"]
)
async def test_a_body_that_stands_still_or_never_ends_is_refused(parts: list[tuple[float, bytes]]) -> None:
    sent, _ = request(parts)
    assert await refusal(IncomingBody(sent, MOST)) == 408


async def test_a_body_that_breaks_off_is_refused() -> None:
    sent, _ = request([(0.0, b"a")], gone=True)
    assert await refusal(IncomingBody(sent, MOST)) == 400


async def test_a_body_that_says_it_is_too_long_is_not_read() -> None:
    sent, read = request([(0.0, b"a")], content_length=str(MOST + 1))
    assert await refusal(IncomingBody(sent, MOST)) == 413
    assert not read


async def test_what_is_left_of_a_refused_body_is_read_within_bounds() -> None:
    sent, read = request([(0.0, bytes(MOST))] * 20)
    body = IncomingBody(sent, MOST)
    assert await refusal(body) == 413
    assert len(read) == 2
    await body.discard()
    assert len(read) == 5


async def test_who_asks_before_it_sends_hears_a_refusal_at_once() -> None:
    sent, read = request([(0.0, b"a")], expect="100-continue")
    await IncomingBody(sent, MOST).discard()
    assert not read
