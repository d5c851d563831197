"""Fixtures of the tests in a real browser: one season that all of them look at, one browser for each file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser
from tests.browser import arena_scene
from tests.browser.arena_scene import Scene
from tests.browser.chromium import BROWSERLESS, WHY, Open, chromium, visiting


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with arena_scene.scene(tmp_path_factory.mktemp("scene")) as scene:
        yield scene


@pytest.fixture
def visit(browser: Browser, scene: Scene) -> Open:
    """Open a window at the server of the season."""
    return partial(visiting, browser, scene.address)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--pictures") is None:
        items[:] = [item for item in items if item.path.name != "test_pictures.py"]
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.skipif(BROWSERLESS, reason=WHY))
