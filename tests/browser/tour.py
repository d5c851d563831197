"""The screenshots of the tutorial: of which pages, how large, and in which form."""

from __future__ import annotations

import base64
from typing import Final

from playwright.sync_api import Page

#: Name of each picture, and the address of its page.
TOUR: Final = {
    "front": "/",
    "ladder": "/ladders/chinkway",
    "bot": "/bots/ben",
    "tournament": "/tournaments/{staged}",
    "card": "/matches/{match}/3/4.5",
}
#: Width and height of the window, and the most bytes of a picture.
WIDTH, HEIGHT, BYTES = 960, 660, 60_000

_WEBP = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const made = await canvas.convertToBlob({ type: "image/webp", quality: 0.5 });
  const text = Array.from(new Uint8Array(await made.arrayBuffer()), (one) => String.fromCharCode(one));
  return btoa(text.join(""));
}"""


def webp(page: Page, picture: bytes) -> bytes:
    """Return a PNG as a small WebP; `page` is any page, which converts it."""
    return base64.b64decode(page.evaluate(_WEBP, base64.b64encode(picture).decode()))
