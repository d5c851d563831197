"""`farfalia event archive`: an event as a static site, with the records from which it can be verified."""

import asyncio
import ipaddress
import urllib.error
import urllib.request
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from farfalia.arena import SyncArena
from farfalia.v1 import matches_pb2
from farfalia_server.cli.output import Bar
from farfalia_server.cli.ratings import fetch_ladder
from farfalia_server.cli.records import file_of, write_into
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument
from farfalia_server.contract.said import in_english
from farfalia_server.healthz import directly
from farfalia_server.web.site_archive import SiteArchive

#: Seconds that a page may take.
_SECONDS = 30.0


def write_archive(server: str, name: str, folder: Path, pages: str) -> tuple[int, int, int]:
    """Write an event; return how many files it has, how many records, and how many records are not open yet."""
    with SyncArena(server) as arena:
        found = arena.get_event(name=name)
        if not pages:
            pages = next((node.pages for node in arena.list_nodes().nodes if node.pages), "")
        if urlsplit(pages).scheme not in ("http", "https"):
            raise InvalidArgument(
                "pages", in_english(f"pages is {pages!r}; name the address of the server's pages with --pages")
            )
        matches: dict[int, bool] = {}
        asked = [arena.all_matches(tournament=number) for number in found.tournaments]
        for match in chain(*asked, *(arena.all_matches(ladder=ladder) for ladder in found.ladders)):
            matches[match.id] = match.record_open and match.state == matches_pb2.MATCH_STATE_FINISHED
        closed = 0
        for ladder in found.ladders:
            _, _, waiting = fetch_ladder(server, ladder, folder / "records")
            closed += waiting
        for number, is_open in matches.items():
            if is_open and not file_of(folder / "records", number).exists():
                write_into(folder / "records", arena.get_record(match=number).record)
    site = SiteArchive(
        name,
        lambda path: asyncio.to_thread(_get, pages.rstrip("/") + path),
        tournaments=found.tournaments,
        matches=matches,
        ladders=found.ladders,
    )
    written = asyncio.run(_write_pages(site, folder))
    records = len(list((folder / "records").glob("match-*.json")))
    return written, records, closed


async def _write_pages(site: SiteArchive, folder: Path) -> int:
    """Write the files of a site; return how many there are."""
    written = 0
    with Bar("pages") as bar:
        async for path, data in site.files():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            written += 1
            bar.update(written, written)
    return written


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
