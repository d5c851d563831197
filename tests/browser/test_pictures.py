"""A picture of each page, in each size and scheme, kept where `--pictures` says, to be looked at."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Page
from tests.browser.arena_scene import Scene
from tests.browser.chromium import SIZES, Open, Scheme
from tests.browser.states import PICTURED
from tests.browser.tour import BYTES, HEIGHT, TOUR, WIDTH

#: Whether a table that is watched is there, in a frame of the page, too.
_DRAWN = """() =>
  [document, ...Array.from(document.querySelectorAll("iframe"), (one) => one.contentDocument)].every((one) =>
    one?.readyState === "complete" && one.URL !== "about:blank" &&
    !one.querySelector(".watched:not([hidden]) [data-table]:empty, .full-stage > [data-table]:empty"))"""
_WEBP = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const made = await canvas.convertToBlob({ type: "image/webp", quality: 0.5 });
  const text = Array.from(new Uint8Array(await made.arrayBuffer()), (one) => String.fromCharCode(one));
  return btoa(text.join(""));
}"""


@pytest.mark.parametrize("width", SIZES)
def test_every_page_is_drawn_in_every_size_and_scheme(
    visit: Open, scene: Scene, width: int, request: pytest.FixtureRequest
) -> None:
    folder = Path(request.config.getoption("--pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    with visit(width=width) as window:
        for name, path in PICTURED.items():
            page = window.go(path.format_map(vars(scene)))
            page.wait_for_function(_DRAWN)
            for scheme in get_args(Scheme):
                page.emulate_media(color_scheme=scheme)
                file = folder / f"{re.sub(r'[^a-zA-Z]+', '-', name)}.{width}.{scheme}.png"
                page.screenshot(path=file, full_page=True)
                assert file.stat().st_size > 1000


def test_the_screenshots_of_the_tutorial_are_taken(visit: Open, scene: Scene, request: pytest.FixtureRequest) -> None:
    folder = Path(request.config.getoption("--pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    with visit(width=WIDTH, height=HEIGHT) as window:
        converting = window.context.new_page()
        for name, path in TOUR.items():
            page = window.go(path.format_map(vars(scene)))
            page.wait_for_function(_DRAWN)
            for scheme in get_args(Scheme):
                page.emulate_media(color_scheme=scheme)
                made = webp(converting, page.screenshot())
                assert len(made) <= BYTES, name
                ending = ".dark.webp" if scheme == "dark" else ".webp"
                (folder / f"tour-{name}{ending}").write_bytes(made)


def webp(page: Page, picture: bytes) -> bytes:
    """Return a PNG as a small WebP; `page` is any page, which converts it."""
    return base64.b64decode(page.evaluate(_WEBP, base64.b64encode(picture).decode()))
