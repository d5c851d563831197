"""Suits for those who see no colours, or other ones: their symbols differ in shape, as small as cards are drawn."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Visit, visiting

#: Suits that lie on one table. A wild card has the symbol of its family; its `W` tells it from the others.
CHINKWAY, FARRAGO = ("S", "L", "F", "O"), ("spades", "hearts", "diamonds", "clubs")
#: Each is drawn as a butterfly of its suit.
BUTTERFLIES = tuple(f"butterfly {suit}" for suit in CHINKWAY)
#: Pixels of a card's width where it is smallest.
WIDTH = 28
#: Of the pixels that two symbols ink, the part that only one of them does, at least.
APART = 0.2
#: Of a symbol's darkest pixel, how much darker than paper it is, at least; 1 is black on white.
DARK = 0.35

_DRAW = """async ([suits, width]) => {
  const script = document.querySelector("script[type=module]").src;
  const { card } = await import(new URL("cards.js", script).href);
  const row = document.createElement("div");
  row.id = "suits";
  row.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 9; display: flex; background: var(--paper)";
  for (const suit of suits) {
    const [, butterfly, of] = suit.match(/^(butterfly )?(.+)$/);
    const name = of.length === 1 ? `${of}7` : `7${of[0].toUpperCase()}`;
    const drawn = card(name, { suit: of, words: suit, butterfly: Boolean(butterfly) });
    const paper = "background: var(--paper); --card: var(--paper)";
    drawn.style.cssText = `width: ${width}px; border-color: transparent; ${paper}`;
    for (const told of drawn.querySelectorAll("text")) told.style.visibility = "hidden";
    row.append(drawn);
  }
  document.body.append(row);
}"""
#: The darkness of each pixel of each card, against the lightest one.
_READ = """async ([picture, suits, width]) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
  canvas.drawImage(image, 0, 0);
  return Object.fromEntries(suits.map((suit, at) => {
    const { data } = canvas.getImageData(at * width, 0, width, image.height);
    const light = [];
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4) {
      light.push(0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2]);
      coloured = Math.max(coloured, Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)));
    }
    const paper = Math.max(...light);
    return [suit, { coloured, dark: light.map((one) => (paper - one) / 255) }];
  }));
}"""


@pytest.fixture(scope="module")
def drawn(browser: Browser, scene: Scene) -> Iterator[Visit]:
    """A page that shows a card of each suit, without rank and letter."""
    with visiting(browser, scene.address) as window:
        window.go(f"/matches/{scene.match}/1")
        window.run(_DRAW, [[*CHINKWAY, *FARRAGO, *BUTTERFLIES], WIDTH])
        yield window


@pytest.mark.parametrize("eyes", ["none", "achromatopsia", "deuteranopia", "protanopia"])
def test_suits_differ_in_shape_whatever_colours_are_seen(drawn: Visit, eyes: str) -> None:
    chromium = drawn.context.new_cdp_session(drawn.page)
    chromium.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    picture = base64.b64encode(drawn.page.locator("#suits").screenshot()).decode()
    seen: dict[str, Any] = drawn.run(_READ, [picture, [*CHINKWAY, *FARRAGO, *BUTTERFLIES], WIDTH])
    coloured = max(one["coloured"] for one in seen.values())
    assert coloured == 0 if eyes == "achromatopsia" else coloured > 20, "the filter is at work"
    shapes = {suit: shape(one["dark"]) for suit, one in seen.items()}
    for suits in (CHINKWAY, FARRAGO, BUTTERFLIES):
        apart = {pair: distance(shapes[pair[0]], shapes[pair[1]]) for pair in combinations(suits, 2)}
        assert min(apart.values()) >= APART, apart


def shape(dark: list[float]) -> list[float]:
    """How much of each pixel is inked, whatever the ink's colour."""
    darkest = max(dark)
    assert darkest >= DARK, f"the symbol can hardly be seen: {darkest:.2f}"
    return [one / darkest for one in dark]


def distance(one: list[float], other: list[float]) -> float:
    """The part of the ink of both that only one of them has."""
    both = sum(max(pair) for pair in zip(one, other, strict=True))
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / both
