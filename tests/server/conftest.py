"""Fixtures of the server's tests. The async ones are worlds: each opens something real and closes it afterwards."""

import math
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.server import arena_client, arena_world, web_site
from tests.server.arena_client import Arena
from tests.server.arena_world import World
from tests.server.live import LiveServer, live_server
from tests.server.migrated import sqlite_url
from tests.server.postgres_fixture import database_url, postgres, replicated, store_url
from tests.server.runner_world import RunnerScene, hosted
from tests.server.web_site import Site

from farfalia_server.arena import standings_cache
from farfalia_server.store import Store

__all__ = ["database_url", "postgres", "replicated", "store_url"]


@pytest.fixture(scope="session", autouse=True)
def exact_standings() -> Iterator[None]:
    """Standings made anew after each change: where they take long, on a busy machine, older ones are shown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standings_cache, "LONG", math.inf)
        yield


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """An empty store, once on each kind of database."""
    async with await Store.open(store_url) as store:
        yield store


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A store in which matches are really played."""
    async with arena_world.world(tmp_path) as world:
        yield world


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    """A world, the arena's calls of it on a port, and a client of them."""
    async with arena_client.serving(tmp_path) as arena:
        yield arena


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the runner of matches tries again is tried again at once."""
    for module in ("match_endings", "match_runner"):
        monkeypatch.setattr(f"farfalia_server.play.{module}._BACKOFF", (0.001, 0.001))


@pytest.fixture
async def scene(tmp_path: Path, impatient: None) -> AsyncIterator[RunnerScene]:
    """A store, a journal and the runner of matches."""
    async with hosted(sqlite_url(tmp_path / "store.db")) as scene:
        yield scene


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A world, its pages on a port, and a browser without a screen."""
    async with web_site.serving(tmp_path) as site:
        yield site


@pytest.fixture
async def season(tmp_path: Path) -> AsyncIterator[Site]:
    """A site after a season: tournaments that are over, played and planned, and a ladder."""
    async with web_site.serving(tmp_path, season=True) as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A real server for all tests of a file; what users do wrong is answered, and is no error of its own."""
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server
    assert "Traceback" not in server.log()
