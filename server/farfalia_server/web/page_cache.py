"""Caches pages: each is made once for all who ask for it at the same time, and sent again while it is good."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from time import monotonic

import structlog
from starlette.types import Receive, Scope, Send

from farfalia_server.contract.errors import FarfaliaServerError, ResourceExhausted
from farfalia_server.contract.said import said
from farfalia_server.web.problem import FAULT
from farfalia_server.web.rendered_page import Page, PageRequest

log = structlog.get_logger(__name__)

Pages = Callable[[PageRequest], Awaitable[Page]]

#: Pages that are made at a time, and most requests that wait for it.
_AT_ONCE, _WAITING = 4, 64
#: Seconds for which a page is shown that may change. One that took much CPU time to make is shown for this many times
#: as long, up to this many times the seconds, unless somebody changes something meanwhile.
FRESH, _TIMES_ITS_MAKING, _TIMES_FRESH = 1.0, 20, 10
#: Most bytes of cached pages, and of a single one; most characters of a cached address.
_MOST, _LONGEST, _LONGEST_ADDRESS = 32 * 2**20, 2 * 2**20, 300
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


class PageCache:
    """An ASGI application in front of `pages`, which makes them.

    A page that the maker calls `immutable` is made once; any other one at most once every `fresh` seconds, or in
    twenty times the CPU time of its making (up to ten times `fresh`), however many ask for it. `outdate` ends the
    latter. All pages have an ETag, and those that may change an Age. `now` is a clock in seconds that never goes back.
    Raises FarfaliaServerError before it has answered.
    """

    def __init__(self, pages: Pages, *, fresh: float = FRESH, now: Callable[[], float] = monotonic) -> None:
        self._pages = pages
        self._fresh = fresh
        self._now = now
        self._kept: OrderedDict[PageRequest, _CachedPage] = OrderedDict()
        self._bytes = 0
        self._changed_at = float("-inf")
        self._making: dict[PageRequest, asyncio.Task[Page]] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def made(self, request: PageRequest) -> Page:
        """Return a page that is made for this request alone, and not kept."""
        return await self._pages(request)

    def outdate(self) -> None:
        """Show what has just been changed: no page from before is shown for longer than a moment."""
        self._changed_at = self._now()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = dict(scope["headers"])
        page = await self._page(PageRequest.of(scope))
        tag = page.header(b"etag")
        if page.status == 200 and tag and tag in headers.get(b"if-none-match", b""):
            kept = tuple((key, value) for key, value in page.headers if key not in _ABOUT_BODY)
            page = Page(304, kept, b"")
        await send({"type": "http.response.start", "status": page.status, "headers": list(page.headers)})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else page.body})

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
                    said("the server is busy making other pages; try again in a moment"), "TOO_MANY_READERS"
                )
            making = self._making[request] = asyncio.create_task(self._make(request))
            making.add_done_callback(lambda _: self._making.pop(request))
        # A reader who leaves does not cancel the page for the others.
        return await asyncio.shield(making)

    def _is_good(self, kept: _CachedPage) -> bool:
        overtaken = kept.asked_at <= self._changed_at and not kept.final
        return self._now() < (kept.asked_at + self._fresh if overtaken else kept.good_until)

    async def _make(self, request: PageRequest) -> Page:
        async with self._room:
            asked_at = self._now()
            try:
                page = await self._pages(request)
            except FarfaliaServerError:
                raise
            except Exception:
                log.exception("page_failed", path=request.path)
                raise FarfaliaServerError(FAULT) from None
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


def _aged(page: Page, seconds: float) -> Page:
    return replace(page, headers=(*page.headers, (b"age", b"%d" % seconds)))


def _tagged(page: Page) -> Page:
    """Return the page with an ETag, so that a browser can ask whether it has changed."""
    own = tuple((key, value) for key, value in page.headers if key not in (b"etag", b"last-modified", b"cache-control"))
    control = page.header(b"cache-control") or b"no-cache"
    tag = b'"' + hashlib.sha256(page.body).hexdigest()[:32].encode() + b'"'
    return replace(page, headers=(*own, (b"cache-control", control), (b"etag", tag)))
