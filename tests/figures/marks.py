"""The marked blocks of a document: what stands between two comments that a rendered page does not show."""

from __future__ import annotations

import re
from collections.abc import Mapping

_BLOCK = re.compile(
    r"^<!-- figures: (?P<name>[a-z-]+) -->\n(?P<text>.*?)^<!-- end of figures -->$", re.DOTALL | re.MULTILINE
)
_MARK = re.compile(r"<!-- (?:figures: .*?|end of figures) -->")


class MarksError(ValueError):
    """The marks of a document do not fit."""


def blocks(document: str) -> dict[str, str]:
    """Return the text of each block by its name; MarksError unless all marks are in pairs, on lines of their own."""
    found: dict[str, str] = {}
    for block in _BLOCK.finditer(document):
        name, text = block["name"], block["text"]
        if name in found:
            raise MarksError(f"there are two blocks {name!r}")
        if inner := _MARK.search(text):
            raise MarksError(f"block {name!r} has {inner[0]!r} in it; expected its end first")
        found[name] = text.strip("\n")
    if (marks := len(_MARK.findall(document))) != 2 * len(found):
        raise MarksError(f"there are {marks} marks around {len(found)} blocks; expected two around each")
    return found


def rewritten(document: str, new: Mapping[str, str]) -> str:
    """Return the document with these blocks instead of those of the same names; MarksError if there is none."""
    if missing := new.keys() - blocks(document).keys():
        raise MarksError(f"there is no block {min(missing)!r}")

    def block(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- figures: {name} -->\n\n{new[name]}\n\n<!-- end of figures -->" if name in new else found[0]

    return _BLOCK.sub(block, document)
