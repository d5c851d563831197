"""The contract's comments on its messages and fields, from the .proto files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from farfalia_server.web.wheel import contract

_PACKAGE = "farfalia.v1"
_COMMENT = re.compile(r"\s*//\s?(.*)")
_OPENED = re.compile(r"\s*(?:message|enum|oneof|service)\s+(\w+)\s*{")
_FIELD = re.compile(r"\s*(?:repeated\s+|optional\s+)?[\w.]+(?:\s*<[^>]*>)?\s+(\w+)\s*=\s*\d+")


def comment(full_name: str) -> str:
    """Return the comment on a message or field; empty if it has none."""
    return _comments().get(full_name, "")


@cache
def _comments() -> dict[str, str]:
    return {name: text for file in contract().values() for name, text in _of(file.decode())}


def _of(text: str) -> Iterator[tuple[str, str]]:
    above: list[str] = []
    inside: list[str] = []  # an empty name for what is no message
    for line in text.splitlines():
        if found := _COMMENT.fullmatch(line):
            above.append(found[1])
            continue
        if found := _OPENED.match(line):
            name = "" if line.strip().startswith("oneof") else found[1]
            yield ".".join(filter(None, [_PACKAGE, *inside, name])), " ".join(above).strip()
            if "}" not in line:
                inside.append(name)
        elif found := _FIELD.match(line):
            yield ".".join(filter(None, [_PACKAGE, *inside, found[1]])), " ".join(above).strip()
        elif line.strip().startswith("}") and inside:
            inside.pop()
        elif line.rstrip().endswith("{"):
            inside.append("")
        above = []
