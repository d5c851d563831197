"""All open records of a tournament in one download: a line of JSON for each, read and compressed while it is sent.

The event loop that plays the matches runs this: records come as bytes from the process that makes pages, a few at a
time, and are compressed in a thread. Only as much is read as the reader takes.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from google.protobuf.json_format import MessageToJson
from starlette.types import Receive, Scope, Send

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.errors import FailedPrecondition, InvalidArgument, ResourceExhausted
from farfalia_server.untrusted import quoted
from farfalia_server.web.safe_headers import with_safe_headers
from farfalia_server.web.streams import NDJSON, left

#: Downloads at once, and matches that are read at a time.
_MOST, _AT_ONCE = 8, 20
_ADDRESS = "/api/records"


@dataclass(frozen=True, slots=True)
class RecordLines:
    """A few records as lines, newest first, and after which match to go on; 0 if these were the last."""

    lines: bytes
    after: int


#: Returns records: the tournament, and the match to go on after, 0 for the newest.
RecordSource = Callable[[int, int], Awaitable[RecordLines]]


async def record_lines(reader: Reader, tournament: int, after: int) -> RecordLines:
    """Return a few open records of a tournament; NotFound."""
    asked = matches_pb2.ListMatchesRequest(
        tournament=tournament, state=matches_pb2.MATCH_STATE_FINISHED, limit=_AT_ONCE, before=after
    )
    matches = (await reader.matches(asked)).matches
    lines = bytearray()
    for match in matches:
        if not match.record_open:
            continue
        try:
            record = await reader.record(match.id)
        except FailedPrecondition:  # it has been closed since
            continue
        text = await asyncio.to_thread(MessageToJson, record, indent=None, always_print_fields_with_no_presence=True)
        lines += text.encode() + b"\n"
    return RecordLines(bytes(lines), matches[-1].id if len(matches) == _AT_ONCE else 0)


class RecordDownloads:
    """The downloads of records at the HTTP port, an ASGI application.

    Raises FarfaliaServerError before it has answered.
    """

    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._running = 0

    def serves(self, path: str) -> bool:
        """Return whether there is a download at this path."""
        return path == _ADDRESS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the records, or as many as the reader takes."""
        tournament = _tournament(scope["query_string"])
        if self._running >= _MOST:
            raise ResourceExhausted("as many download records as the server takes; try again in a moment", "TOO_MANY")
        self._running += 1
        try:
            found = await self._source(tournament, 0)
            zipped = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
            await _begin(send, tournament, zipped=zipped, ends=scope["method"] == "HEAD")
            if scope["method"] == "HEAD":
                return
            gone = asyncio.create_task(left(receive))
            try:
                await self._send(tournament, found, send, gone, zipped=zipped)
            finally:
                gone.cancel()
        finally:
            self._running -= 1

    async def _send(
        self, tournament: int, found: RecordLines, send: Send, gone: asyncio.Task[None], *, zipped: bool
    ) -> None:
        packer = zlib.compressobj(wbits=31) if zipped else None
        while not gone.done():
            body = found.lines if packer is None else await asyncio.to_thread(packer.compress, found.lines)
            if body:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            if not found.after:
                rest = b"" if packer is None else packer.flush()
                await send({"type": "http.response.body", "body": rest, "more_body": False})
                return
            found = await self._source(tournament, found.after)


def _tournament(query: bytes) -> int:
    """Return the tournament that is asked for; InvalidArgument."""
    given = dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True))
    for name in given:
        if name != "tournament":
            raise InvalidArgument("query", f"there is no parameter {quoted(name)} at this address; expected tournament")
    text = given.get("tournament", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InvalidArgument("tournament", f"tournament is {quoted(text)}; expected its number")
    return int(text)


async def _begin(send: Send, tournament: int, *, zipped: bool, ends: bool) -> None:
    headers = [
        (b"content-type", NDJSON),
        (b"content-disposition", f'attachment; filename="tournament-{tournament}.ndjson"'.encode()),
        (b"cache-control", b"no-store"),
        (b"vary", b"accept-encoding"),
        (b"access-control-allow-origin", b"*"),
        *([(b"content-encoding", b"gzip")] if zipped else []),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": with_safe_headers(headers)})
    if ends:
        await send({"type": "http.response.body", "body": b""})
