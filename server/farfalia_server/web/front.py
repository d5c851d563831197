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
from time import monotonic

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from farfalia_server.contract.errors import FarfaliaServerError, ResourceExhausted
from farfalia_server.contract.statuses import bounded, http_retry_after, http_status_of
from farfalia_server.net.client_address import counted_as, is_counted
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.store import Change, Topic
from farfalia_server.web.event_streams import EventStreams
from farfalia_server.web.problem import FAULT, PROBLEM_JSON, is_for_programs, problem
from farfalia_server.web.rate_limit import RateLimit
from farfalia_server.web.record_downloads import RecordDownloads
from farfalia_server.web.rendered_page import Page, PageRequest, fetch
from farfalia_server.web.safe_headers import with_safe_headers

log = structlog.get_logger(__name__)

Pages = Callable[[PageRequest], Awaitable[Page]]

#: Answers per second, and most seconds that a request waits for its turn. An answer takes 0.15 to 0.3 ms of the loop,
#: so readers have 3 % of it. A page asks for a dozen files, and forty people may open the same one at the same moment.
RATE, PATIENCE = 100.0, 5.0
#: Pages that are made at once, and most requests that wait for it.
_AT_ONCE, _WAITING = 4, 64
#: Seconds for which a page is shown that may change. One that took much CPU time to make is shown for this many times
#: as long, up to this many times the seconds, unless somebody changes something meanwhile.
FRESH, _TIMES_ITS_MAKING, _TIMES_FRESH = 1.0, 20, 10
#: Most bytes of cached pages, and of a single one; most characters of a cached address.
_MOST, _LONGEST, _LONGEST_ADDRESS = 32 * 2**20, 2 * 2**20, 300
#: What changes when somebody changes it, and not with each match.
BY_PEOPLE = (Topic.ACCOUNT, Topic.BOT, Topic.TOURNAMENT)
_FOR_MACHINES = ("/healthz", "/livez", "/metrics")
#: Lets scripts of other sites read an answer, and send headers of their own. Nothing here is private.
_SHARED = ((b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"age, etag, retry-after"))
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
    asked_at: float
    good_until: float  # infinite if it never changes

    @property
    def final(self) -> bool:
        return self.good_until == float("inf")


class Front:
    """An ASGI application in front of `pages`, which makes them, and `monitoring`, which is for machines.

    A page that the maker calls `immutable` is made once; any other one at most once every `fresh` seconds, or in
    twenty times the CPU time of its making (up to ten times `fresh`), however many ask for it. A change of which it is
    told with `heard` ends the latter. All pages have an ETag, and those that may change an Age. `now` is a clock in
    seconds that never goes back, `is_counted` says whether requests from an address are limited.
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
        self._changed_at = float("-inf")
        self._making: dict[PageRequest, asyncio.Task[Page]] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)

    def heard(self, change: Change) -> None:
        """Show what somebody has changed (`BY_PEOPLE`): no page from before is shown for longer than a moment.

        Matches, ratings and baselines change all the time; pages show them when they are made again.
        """
        self._changed_at = self._now()

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
        if kept is not None and self._is_good(kept):
            self._kept.move_to_end(request)
            return kept.page if kept.final else _aged(kept.page, self._now() - kept.asked_at)
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

    def _is_good(self, kept: _CachedPage) -> bool:
        overtaken = kept.asked_at <= self._changed_at and not kept.final
        return self._now() < (kept.asked_at + self._fresh if overtaken else kept.good_until)

    async def _make(self, request: PageRequest) -> Page:
        asked_at = self._now()
        try:
            if request.path in _FOR_MACHINES:
                page = await self._monitoring(request)
            else:
                async with self._room:
                    asked_at = self._now()
                    page = await self._pages(request)
        except FarfaliaServerError as error:
            return _refusal(request, error)
        except Exception:
            log.exception("page_failed", path=request.path)
            return _refusal(request, FarfaliaServerError(FAULT))
        if page.status == 200 and request.method == "GET":
            page = _tagged(page)
            self._keep(request, page, asked_at)
        return page

    def _keep(self, request: PageRequest, page: Page, asked_at: float) -> None:
        self._forget(request)
        if len(page.body) > _LONGEST or len(request.raw_path) + len(request.query) > _LONGEST_ADDRESS:
            return
        final = b"immutable" in page.header(b"cache-control")
        fresh = max(self._fresh, min(_TIMES_ITS_MAKING * page.seconds, _TIMES_FRESH * self._fresh))
        self._kept[request] = _CachedPage(page, asked_at, float("inf") if final else self._now() + fresh)
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


def _aged(page: Page, seconds: float) -> Page:
    return replace(page, headers=(*page.headers, (b"age", b"%d" % seconds)))


def _tagged(page: Page) -> Page:
    """Return the page with an ETag, so that a browser can ask whether it has changed."""
    own = tuple((key, value) for key, value in page.headers if key not in (b"etag", b"last-modified", b"cache-control"))
    control = page.header(b"cache-control") or b"no-cache"
    tag = b'"' + hashlib.sha256(page.body).hexdigest()[:32].encode() + b'"'
    return replace(page, headers=(*own, (b"cache-control", control), (b"etag", tag)))


def _refusal(request: PageRequest, error: FarfaliaServerError) -> Page:
    """Return an error without using the pages: they may be what fails."""
    status, text, wait = http_status_of(error), bounded(str(error)), http_retry_after(error)
    kind, body = b"text/plain; charset=utf-8", f"{text}\n".encode()
    if is_for_programs(request.path):
        kind, body = PROBLEM_JSON.encode(), problem(status, text, error.reason)
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if wait is not None:
        headers.append((b"retry-after", wait.encode()))
    return Page(status, tuple(headers), body)
