"""Text from outside. Bots, clients and callers may send anything; databases, terminals and logs must survive it."""

from __future__ import annotations

import re

#: What ends a line or moves to the next column; one space says as much.
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
#: Control characters (PostgreSQL takes no NUL, a terminal obeys ESC), marks that turn the direction of the text
#: around them, surrogates and code points that are no characters.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def clean(text: str, most: int) -> str:
    """Returns the text on one line, without control characters, in at most `most` characters (at least 1).

    Line breaks and tabs become a space, other unsafe characters U+FFFD; a text that is cut ends with an ellipsis.
    """
    cut = text[: most - 1] + "…" if len(text) > most else text
    return _UNSAFE.sub("\ufffd", _BREAKS.sub(" ", cut))
