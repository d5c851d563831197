"""The headers of every answer at the HTTP port, which keep a page from loading or being loaded by anything foreign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SAFE_HEADERS: Final = (
    # Nothing but our own style sheet, pictures and scripts, and no script in a page itself.
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; "
        b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)


def with_safe_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer together with these."""
    return [*headers, *SAFE_HEADERS]
