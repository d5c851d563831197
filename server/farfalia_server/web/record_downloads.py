"""All open records of a tournament or of a ladder, or the chain of a ladder, in one download: a line of JSON for each,
read and compressed while it is sent. Only as much is read as the reader takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import structlog
from google.protobuf.json_format import MessageToJson
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route
from starlette.types import Send

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import MOST_ROWS
from farfalia_server.contract.errors import (
    FailedPrecondition,
    FarfaliaServerError,
    InvalidArgument,
    RecordDamaged,
    ResourceExhausted,
)
from farfalia_server.contract.said import in_english
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.event_streams import NDJSON
from farfalia_server.web.query_parameters import check_names

log = structlog.get_logger(__name__)

#: Downloads at a time, and matches that are read at a time.
_MOST, _AT_ONCE = 8, 20


async def _record_lines(reader: Reader, asked: matches_pb2.ListMatchesRequest) -> AsyncIterator[bytes]:
    """Yield the open records of matches as lines, newest first, a few at a time; NotFound."""
    asked.state, asked.limit = matches_pb2.MATCH_STATE_FINISHED, _AT_ONCE
    while True:
        matches = (await reader.matches(asked)).matches
        yield b"".join([await _line(reader, match.id) for match in matches if match.record_open])
        if len(matches) < _AT_ONCE:
            return
        asked.before = matches[-1].id


async def _chain_lines(reader: Reader, ladder: str, after: int) -> AsyncIterator[bytes]:
    """Yield the entries of a ladder's chain after one of them as lines, in order, a few at a time; NotFound."""
    while True:
        entries = (await reader.rating_chain(ladder, MOST_ROWS, after)).entries
        yield "".join(f"{entry.line}\n" for entry in entries).encode()
        if len(entries) < MOST_ROWS:
            return
        after = entries[-1].number


async def _line(reader: Reader, match: int) -> bytes:
    """Return the record of a match as a line; empty if it is closed or damaged."""
    try:
        record = await reader.record(match)
    except FailedPrecondition:  # it has been closed since
        return b""
    except RecordDamaged as error:  # all others can still be had
        log.error("record_damaged", match=match, error=str(error))
        return b""
    text = await asyncio.to_thread(MessageToJson, record, indent=None, always_print_fields_with_no_presence=True)
    return text.encode() + b"\n"


class RecordDownloads:
    """The downloads of records and chains at the HTTP port; `opened` returns what reads them."""

    def __init__(self, opened: Callable[[], Awaitable[Reader]]) -> None:
        self._opened = opened
        self._running = 0

    def routes(self) -> list[Route]:
        """Return the addresses."""
        zipped = [Middleware(GZipMiddleware, minimum_size=0, compresslevel=6)]
        return [
            Route("/api/records", self._records, middleware=zipped),
            Route("/api/ladders/{ladder}/chain", self._chain, middleware=zipped),
        ]

    async def _records(self, request: Request) -> StreamingResponse:
        given = _given(request, "tournament", "ladder")
        if len(given) != 1:
            what = "tournament and ladder are both given" if given else "neither tournament nor ladder is given"
            raise InvalidArgument("query", in_english(f"{what}; expected one of them"))
        if "ladder" in given:
            ladder = await (await self._opened()).ladder(given["ladder"])
            file, asked = f"{ladder}-records", matches_pb2.ListMatchesRequest(ladder=ladder)
        else:
            number = _number("tournament", given["tournament"], "its number")
            file, asked = f"tournament-{number}", matches_pb2.ListMatchesRequest(tournament=number)
        return await self._download(request, file, _record_lines(await self._opened(), asked))

    async def _chain(self, request: Request) -> StreamingResponse:
        after = _number("after", _given(request, "after").get("after", "0"), "a number")
        reader = await self._opened()
        ladder = await reader.ladder(request.path_params["ladder"])
        return await self._download(request, f"{ladder}-chain", _chain_lines(reader, ladder, after))

    async def _download(self, request: Request, file: str, lines: AsyncIterator[bytes]) -> StreamingResponse:
        """Return the lines as a file of this name; raises FarfaliaServerError if there are none."""
        if self._running >= _MOST:
            raise ResourceExhausted(
                in_english("too many people are downloading records; try again in a moment"), "TOO_MANY"
            )
        parts = self._parts(lines)
        first = await anext(parts)
        if request.method == "HEAD":
            await parts.aclose()
        return _LinesResponse(file, first, parts)

    async def _parts(self, lines: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        self._running += 1
        try:
            async for part in lines:
                yield part
        finally:
            self._running -= 1


class _LinesResponse(StreamingResponse):
    """A download whose first lines are there; one that cannot be continued ends with its connection."""

    def __init__(self, file: str, first: bytes, rest: AsyncGenerator[bytes, None]) -> None:
        headers = {
            "content-type": NDJSON,
            "content-disposition": f'attachment; filename="{file}.ndjson"',
            "cache-control": "no-store",
        }
        super().__init__(self._lines(first, rest), headers=headers)
        self._file = file

    async def _lines(self, first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
        async with aclosing(rest):
            yield first
            async for part in rest:
                yield part

    async def stream_response(self, send: Send) -> None:
        """Send the lines, or as many as can be had."""
        try:
            await super().stream_response(send)
        except FarfaliaServerError as error:
            # The answer has begun: without its end, the connection is closed, and the reader sees that lines miss.
            log.warning("download_broken", download=self._file, error=str(error))


def _given(request: Request, *known: str) -> dict[str, str]:
    """Return the parameters; a form sends what was left empty, too."""
    check_names(request, known)
    return {name: text for name, text in request.query_params.items() if text}


def _number(name: str, text: str, expected: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InvalidArgument(
            name,
            in_english(f"{name} is {quoted(text)}; expected {expected}"),
        )
    return int(text)
