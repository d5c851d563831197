"""What pages may weigh: bytes over the wire, nodes in the document, and nothing that moves while it loads."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open, Visit, visiting
from tests.browser.states import DOCUMENTS
from tests.server.live import live_server

import farfalia_server.web
from farfalia_server.web.static_files import without_comments
from farfalia_tools.bench.web.large_arena import REGULAR, Size, fill

STATIC = Path(farfalia_server.web.__file__).parent / "static"
#: Bytes over the wire of a page with all that it loads, and nodes of its document.
BYTES, NODES = 100_000, 1550
#: Bytes of all scripts, and of a sprite, when they are sent.
SCRIPTS, SPRITE = 31_500, 30_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a thousand bots on its ladder."""
    folder = tmp_path_factory.mktemp("crowded")
    (folder / "data").mkdir()
    with ThreadPoolExecutor(1) as other:  # the browser's driver keeps the event loop of this thread
        size = Size(bots=1000, tournaments=200, matches=2200)
        other.submit(fill, f"sqlite:///{folder / 'data/farfalia.db'}", size).result()
    with live_server(folder) as server:
        yield f"http://{server.http_address}"


@pytest.mark.parametrize(
    "path",
    ["/ladders/chinkway", "/", "/tournaments", "/matches", "/tournaments/7", "/bots/bot-7", f"/bots/bot-{REGULAR}"],
)
def test_lists_of_a_large_arena_stay_small(browser: Browser, crowded: str, path: str) -> None:
    with visiting(browser, crowded, width=390) as window:
        window.go(path)
        assert_within_budget(window)


def test_a_deal_of_chinkway_stays_small_and_nothing_moves_while_it_loads(visit: Open, scene: Scene) -> None:
    for path in (f"/matches/{scene.match}", f"/matches/{scene.match}/3", f"/matches/{scene.match}/3/4.5"):
        with visit() as window:
            window.go(path)
            assert_within_budget(window)


@pytest.mark.parametrize("width", [390, 1366])
def test_documents_stay_small_and_nothing_moves_while_they_load(visit: Open, width: int) -> None:
    for path in ("/docs/", *DOCUMENTS.values()):
        with visit(width=width) as window:
            window.go(path)
            assert_within_budget(window)


def assert_within_budget(window: Visit) -> None:
    assert_small(window)
    moved = window.run(
        """() => new Promise((done) => {
          const moved = [];
          const place = ({ x, y, width, height }) => `${x},${y} ${width}×${height}`;
          const source = ({ node, previousRect: before, currentRect: after }) =>
            [(node?.outerHTML ?? node?.textContent ?? "").slice(0, 120), place(before), place(after)];
          new PerformanceObserver((list) => {
            for (const one of list.getEntries()) moved.push([one.value, one.startTime, one.sources.map(source)]);
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => setTimeout(() => done(moved), 50));
        })"""
    )
    assert moved == [], window.page.url


def assert_small(window: Visit) -> None:
    page = window.page
    page.wait_for_load_state("networkidle")
    sizes = [request.sizes() for request in window.finished]
    wire = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    assert 0 < wire <= BYTES, page.url
    assert window.run("document.querySelectorAll('*').length") <= NODES, page.url


def test_scripts_and_sprites_stay_small() -> None:
    scripts = {file.name: len(gzip.compress(without_comments(file.read_bytes()), 6)) for file in STATIC.glob("*.js")}
    assert 0 < sum(scripts.values()) <= SCRIPTS, scripts
    drawn = [*STATIC.glob("*.svg"), STATIC.with_name("templates") / "icons.svg"]
    pictures = {file.name: len(gzip.compress(file.read_bytes(), 6)) for file in drawn}
    assert 0 < max(pictures.values()) <= SPRITE, pictures


def test_a_cup_of_ten_is_no_longer_than_a_few_screens_of_a_phone(visit: Open, scene: Scene) -> None:
    for number in (scene.staged, scene.over, scene.running, scene.planned):
        with visit(width=390) as window:
            window.go(f"/tournaments/{number}")
            assert window.run("document.documentElement.scrollHeight") <= 3000, number
