"""How large a picture is, so that a page has its place ready before it comes."""

from __future__ import annotations

import re

_VIEW = re.compile(rb'viewBox="0 0 (\d+) (\d+)"')


def picture_size(content: bytes) -> tuple[int, int]:
    """Return width and height of a WebP as browsers make it, or of an SVG by its viewBox; ValueError for others."""
    if content[8:16] == b"WEBPVP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    found = _VIEW.search(content)
    if found is None:
        raise ValueError("expected an extended WebP, or an SVG with a viewBox that begins with 0 0")
    return int(found[1]), int(found[2])
