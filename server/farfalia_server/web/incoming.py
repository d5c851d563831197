"""The body of a request that is a file: it is read as it comes, and never whole in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from farfalia_server.contract.said import said
from farfalia_server.net.http_connection import PATIENCE

#: Seconds that a whole body may take.
LONGEST: Final = 600.0
#: How often as much as a body may have is read of one that is refused.
_DISCARDED = 4


class IncomingBody:
    """The body of a request, of at most `most` bytes.

    It may come slowly, but not stand still: `idle` seconds without a byte end it, and `longest` seconds in any case.
    """

    def __init__(self, request: Request, most: int, *, idle: float = PATIENCE, longest: float = LONGEST) -> None:
        self._headers = request.headers
        self._stream = request.stream()
        self._most = most
        self._idle = idle
        self._longest = longest
        self._ends = asyncio.get_running_loop().time() + longest
        self._size = 0

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it comes.

        HTTPException if it is too long (413), stands still or takes too long (408), or ends before it is whole (400).
        """
        told = self._headers.get("content-length", "")
        if told.isascii() and told.isdigit() and int(told) > self._most:
            raise self._too_long()
        while part := await self._next():
            if self._size > self._most:
                raise self._too_long()
            yield part

    async def discard(self) -> None:
        """Read what is left of a body that is refused: a browser shows an answer only after it has sent everything.

        A client that asks before it sends the body hears the refusal instead, and is not asked to send it.
        """
        if not self._size and self._headers.get("expect", "").lower() == "100-continue":
            return
        with suppress(HTTPException):
            while self._size <= _DISCARDED * self._most and await self._next():
                pass

    async def _next(self) -> bytes:
        """Return what comes next, empty at the end."""
        left = self._ends - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(min(self._idle, left)):
                async for part in self._stream:
                    if part:
                        self._size += len(part)
                        return part
        except ClientDisconnect:
            raise HTTPException(400, said("the connection ended before the body had come")) from None
        except TimeoutError:
            raise HTTPException(
                408,
                said(
                    "the body comes too slowly; expected at most %(longest)s s in all, and %(idle)s s without a byte",
                    longest=f"{self._longest:.0f}",
                    idle=f"{self._idle:.0f}",
                ),
            ) from None
        return b""

    def _too_long(self) -> HTTPException:
        return HTTPException(413, said("more than %(most)s MB were sent; expected at most that", most=self._most >> 20))
