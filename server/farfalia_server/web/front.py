"""Answers at the HTTP port: caches pages, and limits readers to a small share of the server.

The event loop that plays the matches runs this, so everything costly is behind `pages`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from time import monotonic

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from farfalia_server.errors import FarfaliaServerError, InvalidArgument, NotFound, ResourceExhausted
from farfalia_server.net.client_address import counted_as, is_counted
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.web.event_streams import EventStreams
from farfalia_server.web.problem import PROBLEM_JSON, is_for_programs, problem
from farfalia_server.web.rate_limit import RateLimit
from farfalia_server.web.record_downloads import RecordDownloads
from farfalia_server.web.rendered_page import RETRY_AFTER, Page, PageRequest, fetch
from farfalia_server.web.safe_headers import with_safe_headers

log = structlog.get_logger(__name__)

Pages = Callable[[PageRequest], Awaitable[Page]]

#: Answers per second, and most seconds that a request waits for its turn. An answer takes 0.15 to 0.3 ms of the loop,
#: so readers have 3 % of it. A page asks for a dozen files, and forty people may open the same one at the same moment.
RATE, PATIENCE = 100.0, 5.0
#: Pages that are made at once, and most requests that wait for it.
_AT_ONCE, _WAITING = 4, 64
#: Seconds for which a page is shown that may change. One that took long to make is shown for this many times as long,
#: up to this many times the seconds.
FRESH, _TIMES_ITS_MAKING, _TIMES_FRESH = 1.0, 20, 10
#: Most bytes of cached pages, and of a single one; most characters of a cached address.
_MOST, _LONGEST, _LONGEST_ADDRESS = 32 * 2**20, 2 * 2**20, 300
_FOR_MACHINES = ("/healthz", "/livez", "/metrics")
#: Lets scripts of other sites read an answer, and send headers of their own. Nothing here is private.
_SHARED = ((b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"etag, retry-after"))
_PREFLIGHT = (
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"accept, if-none-match, last-event-id"),
    (b"access-control-max-age", b"86400"),
)
#: Headers that 304 Not Modified leaves out.
_ABOUT_BODY = frozenset({b"content-length", b"content-type", b"content-encoding"})


@dataclass(frozen=True, slots=True)
class _CachedPage:
    page: Page
    good_until: float  # infinite if it never changes


class Front:
    """An ASGI application in front of `pages`, which makes them, and `monitoring`, which is for machines.

    A page that the maker calls `immutable` is made once; any other one at most once every `fresh` seconds, or in
    twenty times what its making took (up to ten times `fresh`), however many ask for it. All have an ETag. `now` is a
    clock in seconds, `is_counted` says whether requests from an address are limited.
    """

    def __init__(
        self,
        pages: Pages,
        monitoring: ASGIApp,
        *,
        fresh: float = FRESH,
        rate: float = RATE,
        now: Callable[[], float] = monotonic,
        is_counted: Callable[[str], bool] = is_counted,
        streams: Sequence[EventStreams | RecordDownloads] = (),
    ) -> None:
        self._pages = pages
        self._streams = streams
        self._monitoring = partial(fetch, monitoring)
        self._fresh = fresh
        self._now = now
        self._is_counted = is_counted
        self._limit = RateLimit(rate, PATIENCE)
        self._machines_limit = RateLimit(rate, PATIENCE)
        #: The requests of each address.
        self.views = TokenBuckets(limits.VIEWS_BURST, limits.VIEWS_RATE)
        self._kept: OrderedDict[PageRequest, _CachedPage] = OrderedDict()
        self._bytes = 0
        self._making: dict[PageRequest, asyncio.Task[Page]] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        headers = dict(scope["headers"])
        shared = _SHARED if is_for_programs(scope["path"]) else ()
        if scope["method"] == "OPTIONS" and shared:
            await _send(scope, send, Page(204, (*shared, *_PREFLIGHT), b""))
            return
        request = PageRequest(
            "GET" if scope["method"] == "HEAD" else scope["method"],
            scope["path"],
            scope.get("raw_path") or scope["path"].encode(),
            scope["query_string"],
            b"gzip" in headers.get(b"accept-encoding", b""),
        )
        try:
            self._count_view(scope)
            await (self._machines_limit if request.path in _FOR_MACHINES else self._limit).turn()
            for stream in self._streams:
                if request.method == "GET" and stream.serves(request.path):
                    await stream(scope, receive, send)
                    return
            page = await self._page(request)
        except FarfaliaServerError as error:
            page = _refusal(request, error)
        tag = page.header(b"etag")
        if page.status == 200 and tag and tag in headers.get(b"if-none-match", b""):
            kept = tuple((key, value) for key, value in page.headers if key not in _ABOUT_BODY)
            page = Page(304, kept, b"")
        await _send(scope, send, replace(page, headers=(*page.headers, *shared)))

    def _count_view(self, scope: Scope) -> None:
        """Count a request; ResourceExhausted (VIEWS_TOO_FAST), with the time to wait, if its address makes too many."""
        host = (scope.get("client") or ("",))[0]
        if host and self._is_counted(host) and (wait := self.views.take(counted_as(host), self._now())):
            raise ResourceExhausted(
                f"more than {limits.VIEWS_BURST} requests came from your address; "
                f"expected {limits.VIEWS_RATE} a second: try again in a moment",
                "VIEWS_TOO_FAST",
                retry=wait,
            )

    async def _page(self, request: PageRequest) -> Page:
        """Return a page from the cache, or wait until it is made."""
        kept = self._kept.get(request)
        if kept is not None and self._now() < kept.good_until:
            self._kept.move_to_end(request)
            return kept.page
        making = self._making.get(request)
        if making is None:
            if len(self._making) >= _AT_ONCE + _WAITING:
                raise ResourceExhausted(
                    "the server is busy making other pages; try again in a moment", "TOO_MANY_READERS"
                )
            making = self._making[request] = asyncio.create_task(self._make(request))
            making.add_done_callback(lambda _: self._making.pop(request))
        # A reader who leaves does not cancel the page for the others.
        return await asyncio.shield(making)

    async def _make(self, request: PageRequest) -> Page:
        fresh = self._fresh
        try:
            if request.path in _FOR_MACHINES:
                page = await self._monitoring(request)
            else:
                async with self._room:
                    began = self._now()
                    page = await self._pages(request)
                    took = self._now() - began
                    fresh = max(fresh, min(_TIMES_ITS_MAKING * took, _TIMES_FRESH * fresh))
        except FarfaliaServerError as error:
            return _refusal(request, error)
        except Exception:
            log.exception("page_failed", path=request.path)
            return _refusal(request, FarfaliaServerError("the server could not make this page; its log says why"))
        if page.status == 200 and request.method == "GET":
            page = _tagged(page)
            self._keep(request, page, fresh)
        return page

    def _keep(self, request: PageRequest, page: Page, fresh: float) -> None:
        self._forget(request)
        if len(page.body) > _LONGEST or len(request.raw_path) + len(request.query) > _LONGEST_ADDRESS:
            return
        final = b"immutable" in page.header(b"cache-control")
        until = float("inf") if final else self._now() + fresh
        self._kept[request] = _CachedPage(page, until)
        self._bytes += len(page.body)
        while self._bytes > _MOST:
            self._forget(next(iter(self._kept)))

    def _forget(self, request: PageRequest) -> None:
        kept = self._kept.pop(request, None)
        if kept is not None:
            self._bytes -= len(kept.page.body)


async def _send(scope: Scope, send: Send, page: Page) -> None:
    safe = with_safe_headers(page.headers)
    await send({"type": "http.response.start", "status": page.status, "headers": safe})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else page.body})


def _tagged(page: Page) -> Page:
    """Return the page with an ETag, so that a browser can ask whether it has changed."""
    own = tuple((key, value) for key, value in page.headers if key not in (b"etag", b"last-modified", b"cache-control"))
    control = page.header(b"cache-control") or b"no-cache"
    tag = b'"' + hashlib.sha256(page.body).hexdigest()[:32].encode() + b'"'
    return replace(page, headers=(*own, (b"cache-control", control), (b"etag", tag)))


def _refusal(request: PageRequest, error: FarfaliaServerError) -> Page:
    """Return an error without using the pages: they may be what fails."""
    status = 404 if isinstance(error, NotFound) else 400 if isinstance(error, InvalidArgument) else 500
    wait = RETRY_AFTER
    if isinstance(error, ResourceExhausted):  # with a time, only this reader has to wait; otherwise all have to
        status, wait = (503, RETRY_AFTER) if error.retry is None else (429, str(ceil(error.retry)))
    kind, body = b"text/plain; charset=utf-8", f"{error}\n".encode()
    if is_for_programs(request.path):
        kind, body = PROBLEM_JSON.encode(), problem(status, str(error), error.reason)
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if status in (429, 503):
        headers.append((b"retry-after", wait.encode()))
    return Page(status, tuple(headers), body)
