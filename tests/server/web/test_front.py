"""What readers are answered: pages are made once for many, few ask too often, and every answer is safe to show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any

import httpx
import structlog
from starlette.applications import Starlette
from starlette.types import Message
from tests.server.web_site import Site

from farfalia_server.play import limits
from farfalia_server.store import Change, Topic
from farfalia_server.store.changes import Changes
from farfalia_server.web import create_front, fetch
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.page_cache import FRESH, PageCache
from farfalia_server.web.reading_process import BY_PEOPLE, outdates
from farfalia_server.web.rendered_page import FINAL, Page, PageRequest
from farfalia_server.web.static_files import StaticAddresses


@dataclass
class Maker:
    """Makes pages that can be told apart; one that is held waits until it is let."""

    made: list[str] = field(default_factory=list)
    let: asyncio.Event = field(default_factory=asyncio.Event)
    held: bool = False
    #: CPU seconds that each page takes, and seconds that pass meanwhile, by a clock that nothing else moves.
    takes: float = 0.0
    waits: float = 0.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if not self.held:
            self.let.set()

    async def __call__(self, request: PageRequest) -> Page:
        self.made.append(request.path)
        await self.let.wait()
        self.seconds += self.waits
        control = ((b"cache-control", FINAL.encode()),) if request.path == "/final" else ()
        status = 404 if request.path == "/nowhere" else 200
        headers = ((b"content-type", b"text/plain"), *control)
        return Page(status, headers, f"number {len(self.made)}".encode(), self.takes)


@asynccontextmanager
async def reading(maker: Maker, fresh: float = FRESH, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with reader(front_of(PageCache(maker, fresh=fresh, now=lambda: maker.seconds), **settings)) as client:
        yield client


def front_of(pages: PageCache, **settings: Any) -> Starlette:
    return create_front(pages, PageCache(partial(fetch, Starlette())), **settings)


def reader(front: Starlette, address: str = "127.0.0.1") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(front, client=(address, 1)), base_url="http://here")


async def test_a_page_that_never_changes_is_made_once_and_sent_once() -> None:
    maker = Maker()
    async with reading(maker, fresh=0) as client:
        first = await client.get("/final")
        assert first.headers["cache-control"] == "public, max-age=300, immutable"
        again = await client.get("/final", headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert "content-type" not in again.headers
        assert (await client.get("/final", headers={"if-none-match": '"another"'})).text == "number 1"
        assert (await client.head("/final")).content == b""
        assert maker.made == ["/final"]
        assert (await client.get("/final?other")).text == "number 2"


async def test_a_page_that_may_change_is_made_again_when_it_is_not_fresh_any_more() -> None:
    maker = Maker()
    async with reading(maker, fresh=0) as client:
        first = await client.get("/live")
        assert first.headers["cache-control"] == "no-cache"
        second = await client.get("/live", headers={"if-none-match": first.headers["etag"]})
        assert (second.status_code, second.text) == (200, "number 2")
    async with reading(maker, fresh=3600) as client:
        assert (await client.get("/live")).text == (await client.get("/live")).text == "number 3"
        assert (await client.get("/nowhere")).status_code == 404
        assert "etag" not in (await client.get("/nowhere")).headers


async def test_a_page_that_takes_long_to_make_is_shown_for_longer() -> None:
    maker = Maker(takes=0.5)
    async with reading(maker, fresh=1) as client:
        for seconds, text in ((0.0, "number 1"), (9.9, "number 1"), (0.2, "number 2")):
            maker.seconds += seconds
            assert (await client.get("/live")).text == text


async def test_a_page_that_had_to_wait_for_others_is_not_shown_for_longer() -> None:
    maker = Maker(takes=0.01, waits=5.0)
    async with reading(maker, fresh=1) as client:
        for seconds, text in ((0.0, "number 1"), (0.9, "number 1"), (0.2, "number 2")):
            maker.seconds += seconds
            assert (await client.get("/live")).text == text


async def test_what_people_change_shows_as_soon_as_a_page_is_not_fresh_any_more() -> None:
    maker = Maker(takes=0.5)
    pages = PageCache(maker, fresh=1, now=lambda: maker.seconds)
    worker: Any = SimpleNamespace(tell=lambda _: pages.outdate())
    changes = Changes()
    changes.on(BY_PEOPLE, outdates(worker))
    async with reader(front_of(pages)) as client:
        assert (await client.get("/live")).text == (await client.get("/final")).text.replace("2", "1") == "number 1"
        maker.seconds += 0.5
        changes.hear(Change(Topic.BOT, 7))
        assert (await client.get("/live")).text == "number 1"
        maker.seconds += 0.6
        assert (await client.get("/live")).text == "number 3"
        assert (await client.get("/final")).text == "number 2"
        for topic in (Topic.MATCH, Topic.RATING, Topic.BASELINE):
            changes.hear(Change(topic, 7))
        maker.seconds += 5.0
        assert (await client.get("/live")).text == "number 3"


async def test_a_page_that_may_change_says_how_old_it_is() -> None:
    maker = Maker(takes=0.5)
    async with reading(maker, fresh=1) as client:
        for seconds, age in ((0.0, None), (2.5, "2"), (5.0, "7"), (5.0, None), (0.1, "0")):
            maker.seconds += seconds
            answer = await client.get("/live")
            assert answer.headers.get("age") == age
        same = await client.get("/live", headers={"if-none-match": answer.headers["etag"]})
        assert (same.status_code, same.headers["age"]) == (304, "0")
        assert "age" not in (await client.get("/final")).headers


async def test_all_who_ask_while_a_page_is_made_share_it() -> None:
    maker = Maker(held=True)
    async with reading(maker, fresh=0) as client:
        readers = [asyncio.create_task(client.get("/live")) for _ in range(8)]
        while not maker.made:
            await asyncio.sleep(0)
        maker.let.set()
        assert {(await reader).text for reader in readers} == {"number 1"}


async def test_few_pages_are_made_at_once_and_too_many_readers_are_sent_away() -> None:
    maker = Maker(held=True)
    async with reading(maker, rate=1000) as client:
        readers = [asyncio.create_task(client.get(f"/{number}")) for number in range(68)]
        while len(maker.made) < 4:
            await asyncio.sleep(0)
        one_more = await client.get("/68")
        assert (one_more.status_code, one_more.headers["retry-after"]) == (503, "2")
        assert "try again in a moment" in one_more.text
        reason = (await client.get("/api/68")).json()["reason"]
        assert reason == "TOO_MANY_READERS"
        assert len(maker.made) == 4
        maker.let.set()
        assert {(await reader).status_code for reader in readers} == {200}


async def test_a_page_that_cannot_be_made_is_a_sentence_and_the_next_one_is_tried_again() -> None:
    maker = Maker()

    async def failing(request: PageRequest) -> Page:
        if not maker.made:
            await maker(request)
            raise ZeroDivisionError
        return await maker(request)

    front = front_of(PageCache(failing, fresh=3600))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(front), base_url="http://here") as client:
        with structlog.testing.capture_logs() as logged:
            failed = await client.get("/api/bots")
        assert (failed.status_code, failed.headers["cache-control"]) == (500, "no-store")
        assert failed.json()["detail"] == "the server could not make this page; its log says why"
        assert [(line["event"], line["path"]) for line in logged] == [("page_failed", "/api/bots")]
        assert (await client.get("/api/bots")).text == "number 2"


async def test_a_page_with_an_address_too_long_to_keep_is_made_each_time() -> None:
    maker = Maker()
    async with reading(maker, fresh=3600) as client:
        address = "/live?" + "x" * 3000
        assert [(await client.get(address)).text for _ in range(2)] == ["number 1", "number 2"]


async def test_a_stream_refuses_parameters_that_it_does_not_have() -> None:
    async def news(*_: object) -> LiveNews:
        raise AssertionError("nothing is read")

    front = front_of(PageCache(Maker()), live=news)
    async with reader(front) as client:
        refused = await client.get("/api/matches/1/events?from=3")
    assert (refused.status_code, refused.json()["reason"]) == (400, "FIELD_INVALID")
    assert refused.json()["detail"] == "there is no parameter 'from' at this address; expected language"


async def test_a_web_socket_is_closed() -> None:
    sent = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    await front_of(PageCache(Maker()))({"type": "websocket", "path": "/"}, receive, send)
    assert sent == [{"type": "websocket.close"}]


async def test_more_readers_than_the_pace_allows_are_sent_away() -> None:
    maker = Maker()
    async with reading(maker, rate=0.1) as client:  # the first would have to wait for ten seconds
        assert (await client.get("/live")).status_code == 503
        assert maker.made == []


async def test_what_is_over_is_final(season: Site) -> None:
    for path in ("/records/1.json", "/api/records/1", StaticAddresses()("style.css")):
        page = await season.get(path)
        assert "immutable" in page.headers["cache-control"], path
        assert page.headers["content-encoding"] == "gzip"
        assert page.headers["vary"].lower() == "accept-encoding"
        again = await season.client.get(path, headers={"if-none-match": page.headers["etag"]})
        assert again.status_code == 304
        assert again.headers["x-content-type-options"] == "nosniff"
        plain = await season.client.get(path, headers={"accept-encoding": "identity"})
        assert plain.text == page.text
        assert plain.headers["etag"] != page.headers["etag"]


async def test_what_may_change_is_asked_for_again(season: Site) -> None:
    for path in ("/", "/tournaments/1", "/matches/4", "/matches", "/records/3.json", "/api/matches/3"):
        assert (await season.get(path)).headers["cache-control"] == "no-cache", path


async def test_an_address_that_views_too_much_is_told_when_to_come_back() -> None:
    maker = Maker()
    front = front_of(PageCache(maker, now=lambda: maker.seconds), now=lambda: maker.seconds, rate=1e6)
    async with reader(front, "203.0.113.5") as greedy, reader(front, "198.51.100.1") as other, reader(front) as own:
        for _ in range(limits.VIEWS_BURST):
            assert (await greedy.get("/")).status_code == 200
        refused = await greedy.get("/api/bots")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert refused.json()["reason"] == "VIEWS_TOO_FAST"
        assert "expected 10 a second" in refused.json()["detail"]
        assert (await other.get("/")).status_code == 200
        for _ in range(limits.VIEWS_BURST + 1):
            assert (await own.get("/")).status_code == 200
        maker.seconds += 1
        for _ in range(limits.VIEWS_RATE):
            assert (await greedy.get("/")).status_code == 200
        assert (await greedy.get("/")).status_code == 429


async def test_every_answer_has_the_headers_that_keep_foreign_pages_away() -> None:
    maker = Maker()

    async def failing(request: PageRequest) -> Page:
        raise ZeroDivisionError

    front = front_of(PageCache(maker, now=lambda: maker.seconds), now=lambda: maker.seconds, rate=1e6)
    broken = front_of(PageCache(failing))
    async with reader(front, "203.0.113.5") as greedy, reader(broken) as unlucky:
        answers = [await greedy.get(path) for path in ("/", "/nowhere", "/healthz")]
        tagged = await greedy.get("/final")
        answers.append(await greedy.get("/final", headers={"if-none-match": tagged.headers["etag"]}))
        answers += [await greedy.get("/") for _ in range(limits.VIEWS_BURST)][-1:]
        with structlog.testing.capture_logs():
            answers.append(await unlucky.get("/"))
    assert [answer.status_code for answer in answers] == [200, 404, 404, 304, 429, 500]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
