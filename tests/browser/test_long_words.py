"""Pages in a language of long words: no screen scrolls sideways, whatever a translator writes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser
from tests.browser.chromium import visiting
from tests.server import web_site
from tests.server.long_words import CODE, MARK, speak_long_words

PAGES = (
    *("/", "/ladders/chinkway", "/tournaments", "/tournaments/1", "/tournaments/2", "/tournaments/1/projector"),
    *("/tournaments/1/sheets", "/tournaments/1/boards/board-1-1", "/tournaments/1/boards/board-1-1?deal=3", "/matches"),
    *("/matches/1", "/matches/1/1", "/bots", "/bots/ant", "/bots/ant/opponents", "/bots/ant/vs/bee", "/nodes"),
    *("/rules", "/rules/three", "/rules/farrago", "/events", "/account", "/downloads/", "/api"),
)
_STICKING_OUT = """() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 1)
    .filter((one) => !one.closest(".wide, pre, .hidden, .skip"))
    .map((one) => `${one.tagName} .${one.className} ${one.textContent?.trim().slice(0, 40)}`);
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of this process, whose Italian is in long words."""
    ready, over, found = Event(), Event(), list[str]()

    async def serve() -> None:
        async with web_site.serving(tmp_path_factory.mktemp("season"), season=True) as site:
            found.append(site.address)
            ready.set()
            await asyncio.to_thread(over.wait)

    with pytest.MonkeyPatch.context() as patch:
        speak_long_words(patch)
        thread = Thread(target=asyncio.run, args=(serve(),))
        thread.start()
        assert ready.wait(120)
        yield found[0]
        over.set()
        thread.join()


@pytest.mark.parametrize("width", [320, 390, 1366])
def test_no_screen_scrolls_sideways_with_long_words(browser: Browser, address: str, width: int) -> None:
    with visiting(browser, address, width=width, locale=CODE) as window:
        found = {}
        for path in PAGES:
            page = window.go(path)
            assert MARK in page.inner_text("main"), path
            if sticking := window.run(_STICKING_OUT):
                found[path] = sticking[:4]
        window.faults.clear()  # this server streams no events
    assert found == {}
