"""`farfalia event archive`: an event as a static site, with the records from which it can be verified."""

import asyncio
import ipaddress
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from farfalia.arena import Arena
from farfalia.v1 import events_pb2, matches_pb2, nodes_pb2
from farfalia_server.cli.output import Bar
from farfalia_server.cli.ratings import fetch_ladder
from farfalia_server.cli.records import file_of, write_into
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument
from farfalia_server.healthz import directly
from farfalia_server.web.site_archive import SiteArchive

#: Seconds that a page may take.
_SECONDS = 30.0


async def write_archive(server: str, name: str, folder: Path, pages: str) -> tuple[int, int, int]:
    """Write an event; return how many files it has, how many records, and how many records are not open yet."""
    async with Arena(server) as arena:
        found = await arena.ask("GetEvent", events_pb2.GetEventRequest(name=name))
        if not pages:
            nodes = (await arena.ask("ListNodes", nodes_pb2.ListNodesRequest())).nodes
            pages = next((node.pages for node in nodes if node.pages), "")
        if urlsplit(pages).scheme not in ("http", "https"):
            raise InvalidArgument("pages", f"pages is {pages!r}; name the address of the server's pages with --pages")
        matches: dict[int, bool] = {}
        asked = [matches_pb2.ListMatchesRequest(tournament=number) for number in found.tournaments]
        for request in [*asked, *(matches_pb2.ListMatchesRequest(ladder=ladder) for ladder in found.ladders)]:
            for match in (await arena.ask_all("ListMatches", request)).matches:
                matches[match.id] = match.record_open and match.state == matches_pb2.MATCH_STATE_FINISHED
    closed = 0
    for ladder in found.ladders:
        _, _, waiting = await fetch_ladder(server, ladder, folder / "records")
        closed += waiting
    async with Arena(server) as arena:
        for number, is_open in matches.items():
            if is_open and not file_of(folder / "records", number).exists():
                write_into(folder / "records", await arena.record(number))
    site = SiteArchive(
        name,
        lambda path: asyncio.to_thread(_get, pages.rstrip("/") + path),
        tournaments=found.tournaments,
        matches=matches,
        ladders=found.ladders,
    )
    written = 0
    with Bar("pages") as bar:
        async for path, data in site.files():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            written += 1
            bar.update(written, written)
    records = len(list((folder / "records").glob("match-*.json")))
    return written, records, closed


def _open(address: str) -> Any:
    host = urlsplit(address).hostname or ""
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return directly(address, _SECONDS)
    return urllib.request.urlopen(address, timeout=_SECONDS)  # noqa: S310 - http or https, as was checked


def _get(address: str) -> bytes | None:
    """Return what is at an address; None if there is nothing."""
    try:
        with _open(address) as answer:
            data: bytes = answer.read()
            return data
    except urllib.error.HTTPError as error:
        if error.code in (404, 409):
            return None
        raise FarfaliaServerError(f"{address} says {error.code} {error.reason}") from None
    except OSError as error:
        raise FarfaliaServerError(f"cannot read {address}: {error}") from None
