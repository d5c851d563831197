"""An event as one file: its pages as a static site, and its open records and chains, made while it is sent."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final

from google.protobuf.json_format import MessageToJson
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from farfalia.v1 import events_pb2, matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.request_checks import MOST_ROWS
from farfalia_server.contract.errors import FailedPrecondition, RecordDamaged, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.web.rendered_page import Page, PageRequest
from farfalia_server.web.site_archive import SiteArchive

#: Archives that are made at a time, and matches of an event beyond which it is for the command line.
_AT_ONCE: Final = 1
_MOST_MATCHES: Final = 1000


class EventArchives:
    """The archives of events; `opened` returns what reads them, and `page` the page at an address."""

    def __init__(self, opened: Callable[[], Awaitable[Reader]], page: Callable[[PageRequest], Awaitable[Page]]) -> None:
        self._opened = opened
        self._page = page
        self._running = 0

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/events/{event}/archive.zip", self._archive, methods=["GET"])]

    async def _archive(self, request: Request) -> StreamingResponse:
        """Return an archive; ResourceExhausted: TOO_MANY while another is made, EVENT_TOO_LARGE."""
        reader, name = await self._opened(), request.path_params["event"]
        found = await reader.events.public(name)
        if self._running >= _AT_ONCE:
            raise ResourceExhausted(said("another archive is being made; try again in a minute"), "TOO_MANY")
        matches = await _matches(reader, found)
        if len(matches) > _MOST_MATCHES:
            text = said(
                "the event has more than %(most)s matches; use `farfalia event archive %(name)s FOLDER`",
                most=_MOST_MATCHES,
                name=name,
            )
            raise ResourceExhausted(text, "EVENT_TOO_LARGE", retry=0.0)
        headers = {
            "content-type": "application/zip",
            "content-disposition": f'attachment; filename="{found.event.name}.zip"',
            "cache-control": "no-store",
        }
        return StreamingResponse(self._parts(reader, found, matches), headers=headers)

    async def _parts(
        self, reader: Reader, found: events_pb2.GetEventResponse, matches: dict[int, bool]
    ) -> AsyncIterator[bytes]:
        """Yield the archive, part by part."""
        self._running += 1
        sink = _Sink()
        try:
            with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # writes
                async for path, data in self._files(reader, found, matches):
                    await asyncio.to_thread(archive.writestr, f"{found.event.name}/{path}", data)
                    yield sink.taken()
            yield sink.taken()
        finally:
            self._running -= 1

    async def _files(
        self, reader: Reader, found: events_pb2.GetEventResponse, matches: dict[int, bool]
    ) -> AsyncIterator[tuple[str, bytes]]:
        site = SiteArchive(
            found.event.name, self._get, tournaments=found.tournaments, matches=matches, ladders=found.ladders
        )
        async for path, data in site.files():
            yield path, data
        for ladder in found.ladders:
            yield f"records/{ladder}-chain.ndjson", (await _chain(reader, ladder)).encode()
        for match, is_open in matches.items():
            if is_open:
                with suppress(FailedPrecondition, RecordDamaged):
                    text = await asyncio.to_thread(MessageToJson, await reader.record(match), indent=None)
                    yield f"records/match-{match}.json", f"{text}\n".encode()

    async def _get(self, path: str) -> bytes | None:
        """Return the page at a path, None if there is none."""
        page = await self._page(PageRequest("GET", path, path.encode(), b"", gzip=False))
        return page.body if page.status == 200 else None


class _Sink:
    """What a zip archive is written into, and taken out of again: it is never kept whole."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Take some bytes."""
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: what was written is there."""

    def taken(self) -> bytes:
        """Return what was written since this was called last."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


async def _matches(reader: Reader, found: events_pb2.GetEventResponse) -> dict[int, bool]:
    """Return the matches of an event, a few more than an archive takes at the most, and whether their records are
    open.
    """
    matches: dict[int, bool] = {}
    asked = [matches_pb2.ListMatchesRequest(tournament=number) for number in found.tournaments]
    asked += [matches_pb2.ListMatchesRequest(ladder=ladder) for ladder in found.ladders]
    for request in asked:
        request.limit = MOST_ROWS
        for match in (await reader.matches(request)).matches:
            matches[match.id] = match.record_open and match.state == matches_pb2.MATCH_STATE_FINISHED
        if len(matches) > _MOST_MATCHES:
            break
    return matches


async def _chain(reader: Reader, ladder: str) -> str:
    lines: list[str] = []
    while True:
        entries = (await reader.rating_chain(ladder, MOST_ROWS, len(lines))).entries
        lines += [entry.line for entry in entries]
        if len(entries) < MOST_ROWS:
            return "".join(f"{line}\n" for line in lines)
