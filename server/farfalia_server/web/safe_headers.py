"""The headers of every answer at the HTTP port, which keep a page from loading or being loaded by anything foreign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SAFE_HEADERS: Final = (
    # Nothing but our own style sheets, pictures and scripts; no script within a page.
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; "
        b"form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)


def with_safe_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer together with these."""
    return [*headers, *SAFE_HEADERS]
