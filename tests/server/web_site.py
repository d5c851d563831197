"""The web server of a world, on a port of its own, and what a browser without a screen sees of it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from prometheus_client import CollectorRegistry, Counter
from tests.server.arena_world import DATABASE, World, world
from tests.server.live import PATIENCE

from farfalia.settings import Server
from farfalia.v1 import daily_boards_pb2
from farfalia_engine import SearchResult
from farfalia_server.arena import Reader
from farfalia_server.arena.arena_metrics import ArenaMetrics
from farfalia_server.arena.daily_boards import daily_board
from farfalia_server.contract.errors import Unauthenticated
from farfalia_server.contract.registration import Registration
from farfalia_server.contract.said import in_english
from farfalia_server.net.addresses import Addresses
from farfalia_server.records.house_bot import HintSearch
from farfalia_server.store import LadderRating
from farfalia_server.web import create_front, create_web, fetch
from farfalia_server.web.account_pages import AccountPages
from farfalia_server.web.daily_pages import DailyPages
from farfalia_server.web.event_desk import EventDesk
from farfalia_server.web.friends_pages import FriendsPages
from farfalia_server.web.live_feed import LiveNews
from farfalia_server.web.match_streams import match_streams
from farfalia_server.web.monitoring import Monitoring
from farfalia_server.web.page_cache import PageCache
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.person_seat import PersonSeats
from farfalia_server.web.play_pages import PlayPages
from farfalia_server.web.seat_hints import SeatHints
from farfalia_server.web.static_files import StaticAddresses

FIVE = ("ant", "bee", "cat", "dog", "eel")


@dataclass
class Site:
    """A web server on a port of its own, and a browser without a screen."""

    here: World
    client: httpx.AsyncClient
    address: str

    async def get(self, path: str, status: int = 200) -> httpx.Response:
        answer = await self.client.get(path)
        assert answer.status_code == status, f"{path}: {answer.status_code}"
        return answer

    async def text(self, path: str, status: int = 200) -> str:
        """The words of a page, without the markup."""
        return words((await self.get(path, status)).text)

    async def json(self, path: str, status: int = 200) -> Any:
        return (await self.get(path, status)).json()


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def words(html: str) -> str:
    parser = _Words()
    parser.feed(html)
    return " ".join(" ".join(parser.parts).split())


async def addresses() -> Addresses:
    """Where the arena is, as its pages say."""
    return Addresses("arena.example:7600", "http://arena.example:7601/")


async def _well() -> dict[str, str]:
    return {}


async def _refused(name: str, request: bytes, host: str, token: str, key: str) -> bytes:
    raise Unauthenticated(in_english("nobody makes calls here"), "TOKEN_UNKNOWN")


async def _board_of_day(here: World, name: str, request: bytes, host: str, token: str, key: str) -> bytes:
    """Refuse all calls but the one that anyone may make."""
    if name != "GetDailyBoard":
        return await _refused(name, request, host, token, key)
    wanted = daily_boards_pb2.GetDailyBoardRequest.FromString(request)
    board = await daily_board(here.store, wanted.ruleset, wanted.day)
    return daily_boards_pb2.GetDailyBoardResponse(board=board).SerializeToString()


async def _no_seat(token: str) -> Server:
    raise Unauthenticated(in_english("nobody takes a seat here"), "TOKEN_UNKNOWN")


async def _nothing(match: int, before: LiveNews) -> LiveNews:
    raise AssertionError("nobody has a seat here")


async def _no_hint(search: HintSearch) -> SearchResult:
    raise AssertionError("nobody has a seat here")


@asynccontextmanager
async def serving(folder: Path, version: str = "9.8.7", *, season: bool = False) -> AsyncIterator[Site]:
    if season:
        (folder / DATABASE).write_bytes(_season())
    registry = CollectorRegistry()
    Counter("farfalia_things", "Things that another part of the server counts", registry=registry).inc(3)
    async with world(folder) as here:
        here.crowd.names = {"ant", "cat"} if season else set()
        web = create_web(here.reader, addresses, server_name="a test", server_version=version, analyses=True)
        metrics = ArenaMetrics(here.reader, registry, dict)
        monitoring = Monitoring(_well, metrics.text).application()
        pages, machines = (PageCache(partial(fetch, made), fresh=0) for made in (web, monitoring))

        async def opened() -> Reader:
            return here.reader

        renderer = PageRenderer("a test", version, StaticAddresses())
        account = AccountPages(_refused, addresses, renderer, Registration.OPEN, version)
        events = EventDesk(_refused, addresses, renderer)
        persons = PersonSeats(_no_seat)
        play = PlayPages(_refused, addresses, renderer, opened, persons, SeatHints(_no_hint), match_streams(_nothing))
        friends = FriendsPages(_refused, addresses, renderer, opened, persons)
        daily = DailyPages(partial(_board_of_day, here), addresses, renderer, opened, persons)
        app = create_front(pages, machines, rate=1000, records=opened, forms=[account, events, friends, daily, play])
        server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", ws="none", log_level="warning"))
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        try:
            async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
                yield Site(here, client, address)
        finally:
            server.should_exit = True
            await task


@cache
def _season() -> bytes:
    """The database after a season, which is played once in a process."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _play_season(Path(folder))).result()
        (file,) = (path for path in Path(folder).iterdir() if path.suffix != ".opening")
        return file.read_bytes()


async def _play_season(folder: Path) -> None:
    """Five bots, a tournament that is over, one that is being played, one that is planned, and a ladder."""
    async with world(folder) as here:
        await here.register(*FIVE)
        await here.play_all(await here.plan("spring", FIVE, rounds=2))
        summer = await here.plan("summer", ("ant", "bee"), rounds=3)
        await here.play_all(summer, leave=2)
        assert await here.store.claims.claim(4, "node-a")
        await here.plan("autumn", FIVE, rounds=1)
        await here.store.ratings.replace(
            0,
            [
                LadderRating("chinkway", 1, 28.0, 3.0, 4),
                LadderRating("chinkway", 2, 31.0, 2.0, 4),
                LadderRating("chinkway", 6, 25.0, 8.0, 3),
            ],
        )
