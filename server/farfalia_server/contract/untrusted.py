"""Text from outside. Bots, clients and callers may send anything; databases, terminals and logs must survive it."""

from __future__ import annotations

import re
import unicodedata

#: What ends a line or moves to the next column; one space says as much.
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
#: The same, where lines are kept apart.
_LINES = re.compile(r"\r\n|[\n\v\f\r\x85\u2028\u2029]")
#: Control characters (PostgreSQL takes no NUL, a terminal obeys ESC), marks that turn the direction of the text
#: around them, surrogates and code points that are no characters.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


#: What of JSON text a terminal must not see: all that is unsafe but the line feeds between values.
_OBEYED = re.compile(f"(?!\n)(?:{_UNSAFE.pattern}|[\u2028\u2029])")


#: Letters and symbols that show nothing, and marks that only vary or join others.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


def look_of(text: str) -> str:
    """Return a key that texts share if they look the same but for case, width, spaces and what shows nothing."""
    return " ".join(unicodedata.normalize("NFKC", _BLANK.sub("", text)).casefold().split())


def is_visible(text: str) -> bool:
    """Return whether a reader sees something: a letter, a digit, a sign or an emoji."""
    return any(unicodedata.category(one)[0] in "LNPS" for one in _BLANK.sub("", text))


def clean(text: str, most: int, *, lines: bool = False) -> str:
    """Return the text on one line, without control characters, in at most `most` characters (at least 1).

    Line breaks and tabs become a space, other unsafe characters U+FFFD; a text that is cut ends with an ellipsis.
    With `lines` each line break becomes a line feed instead, for text of several lines such as a traceback.
    """
    cut = text[: most - 1] + "…" if len(text) > most else text
    if not lines:
        return _UNSAFE.sub("\ufffd", _BREAKS.sub(" ", cut))
    apart = _LINES.sub("\n", cut).replace("\t", " ").split("\n")
    return "\n".join(_UNSAFE.sub("\ufffd", line) for line in apart)


def quoted(text: str, most: int = 80) -> str:
    """Return the text as a sentence repeats it: in quotation marks, unprintable characters escaped, cut."""
    return clean(repr(clean(text, most) if len(text) > most else text), most + 2)


def escaped(text: str) -> str:
    r"""Return JSON text that a terminal may be shown: unsafe characters, line feeds apart, become \uXXXX."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
