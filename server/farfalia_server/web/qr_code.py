"""Addresses as pictures for a phone's camera."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """Return the QR code of an address as SVG, black on white whatever the colours of the page."""
    picture = segno.make(address, micro=False).svg_inline(scale=3, border=2, dark="#000", light="#fff", omitsize=True)
    return Markup(picture)  # noqa: S704 - drawn here from an address, which it does not repeat
