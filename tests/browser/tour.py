"""The screenshots of the tutorial: of which pages, and how large."""

from __future__ import annotations

from typing import Final

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
