"""All open records of a tournament or of a ladder, or the chain of a ladder, in one download: a line of JSON for each,
read and compressed while it is sent.

The event loop that plays the matches runs this: lines come as bytes from the process that makes pages, a few at a
time, and are compressed in a thread. Only as much is read as the reader takes.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import parse_qsl

import structlog
from google.protobuf.json_format import MessageToJson
from starlette.types import Receive, Scope, Send

from farfalia.v1 import matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import MOST_ROWS, ladder_named
from farfalia_server.contract.errors import (
    FailedPrecondition,
    FarfaliaServerError,
    InvalidArgument,
    RecordDamaged,
    ResourceExhausted,
)
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.event_streams import NDJSON, left
from farfalia_server.web.query_parameters import no_such_parameter
from farfalia_server.web.safe_headers import with_safe_headers

log = structlog.get_logger(__name__)

#: Downloads at once, and matches that are read at a time.
_MOST, _AT_ONCE = 8, 20
_RECORDS = "/api/records"
_CHAIN = re.compile("/api/ladders/([^/]+)/chain")


class Lines(StrEnum):
    """What a download has a line for."""

    OF_TOURNAMENT = "tournament"  #: each open record of a tournament
    OF_LADDER = "ladder"  #: each open record of a ladder
    OF_CHAIN = "chain"  #: each entry of a ladder's chain


@dataclass(frozen=True, slots=True)
class Download:
    """A download: of which lines, of which tournament or ladder, and after which match or entry it begins."""

    lines: Lines
    of: str
    after: int = 0

    @property
    def file(self) -> str:
        """The name that the file gets."""
        return f"tournament-{self.of}" if self.lines is Lines.OF_TOURNAMENT else f"{self.of}-{_SUFFIXES[self.lines]}"


_SUFFIXES = {Lines.OF_LADDER: "records", Lines.OF_CHAIN: "chain"}


@dataclass(frozen=True, slots=True)
class RecordLines:
    """A few lines, and after which match or entry to go on; 0 if these were the last."""

    lines: bytes
    after: int


#: Returns lines of a download, those after its `after`.
RecordSource = Callable[[Download], Awaitable[RecordLines]]


async def record_lines(reader: Reader, wanted: Download) -> RecordLines:
    """Return a few lines of a download: records newest first, entries of a chain in order; NotFound."""
    if wanted.lines is Lines.OF_CHAIN:
        entries = (await reader.rating_chain(wanted.of, MOST_ROWS, wanted.after)).entries
        text = "".join(f"{entry.line}\n" for entry in entries)
        return RecordLines(text.encode(), entries[-1].number if len(entries) == MOST_ROWS else 0)
    asked = matches_pb2.ListMatchesRequest(state=matches_pb2.MATCH_STATE_FINISHED, limit=_AT_ONCE, before=wanted.after)
    if wanted.lines is Lines.OF_TOURNAMENT:
        asked.tournament = int(wanted.of)
    else:
        asked.game = ladder_named(wanted.of)
    matches = (await reader.matches(asked)).matches
    lines = bytearray()
    for match in matches:
        if not match.record_open:
            continue
        try:
            record = await reader.record(match.id)
        except FailedPrecondition:  # it has been closed since
            continue
        except RecordDamaged as error:  # all others can still be had
            log.error("record_damaged", match=match.id, error=str(error))
            continue
        text = await asyncio.to_thread(MessageToJson, record, indent=None, always_print_fields_with_no_presence=True)
        lines += text.encode() + b"\n"
    return RecordLines(bytes(lines), matches[-1].id if len(matches) == _AT_ONCE else 0)


class RecordDownloads:
    """The downloads of records and chains at the HTTP port, an ASGI application.

    Raises FarfaliaServerError before it has answered. A download that cannot be continued ends with its connection.
    """

    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._running = 0

    def serves(self, path: str) -> bool:
        """Return whether there is a download at this path."""
        return path == _RECORDS or _CHAIN.fullmatch(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines, or as many as the reader takes."""
        wanted = _wanted(scope["path"], scope["query_string"])
        if self._running >= _MOST:
            raise ResourceExhausted("too many people are downloading records; try again in a moment", "TOO_MANY")
        self._running += 1
        try:
            found = await self._source(wanted)
            zipped = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
            await _begin(send, wanted, zipped=zipped, ends=scope["method"] == "HEAD")
            if scope["method"] == "HEAD":
                return
            gone = asyncio.create_task(left(receive))
            try:
                await self._send(wanted, found, send, gone, zipped=zipped)
            finally:
                gone.cancel()
        finally:
            self._running -= 1

    async def _send(
        self, wanted: Download, found: RecordLines, send: Send, gone: asyncio.Task[None], *, zipped: bool
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
            try:
                found = await self._source(replace(wanted, after=found.after))
            except FarfaliaServerError as error:
                # The answer has begun: without its end, the connection is closed, and the reader sees that lines miss.
                log.warning("download_broken", download=wanted.file, after=found.after, error=str(error))
                return


def _wanted(path: str, query: bytes) -> Download:
    """Return the download that is asked for; InvalidArgument."""
    given = dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True))
    chain = _CHAIN.fullmatch(path)
    known = ("after",) if chain else ("tournament", "ladder")
    for name in given:
        if name not in known:
            raise InvalidArgument("query", no_such_parameter(name, known))
    given = {name: text for name, text in given.items() if text}  # a form sends what was left empty
    if chain:
        return Download(Lines.OF_CHAIN, ladder_named(chain[1]), _number("after", given.get("after", "0"), "a number"))
    if len(given) != 1:
        what = "tournament and ladder are both given" if given else "neither tournament nor ladder is given"
        raise InvalidArgument("query", f"{what}; expected one of them")
    if "ladder" in given:
        return Download(Lines.OF_LADDER, ladder_named(given["ladder"]))
    return Download(Lines.OF_TOURNAMENT, str(_number("tournament", given["tournament"], "its number")))


def _number(name: str, text: str, expected: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InvalidArgument(name, f"{name} is {quoted(text)}; expected {expected}")
    return int(text)


async def _begin(send: Send, wanted: Download, *, zipped: bool, ends: bool) -> None:
    headers = [
        (b"content-type", NDJSON),
        (b"content-disposition", f'attachment; filename="{wanted.file}.ndjson"'.encode()),
        (b"cache-control", b"no-store"),
        (b"vary", b"accept-encoding"),
        (b"access-control-allow-origin", b"*"),
        *([(b"content-encoding", b"gzip")] if zipped else []),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": with_safe_headers(headers)})
    if ends:
        await send({"type": "http.response.body", "body": b""})
