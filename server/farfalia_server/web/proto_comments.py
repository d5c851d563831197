"""The contract's comments on its messages, fields, enums, services and calls, from the .proto files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from farfalia_server.web.wheel import contract

_PACKAGE = "farfalia.v1"
_COMMENT = re.compile(r"\s*//\s?(.*)")
_OPENED = re.compile(r"\s*(?:message|enum|oneof|service)\s+(\w+)\s*{")
_FIELD = re.compile(r"\s*(?:(?:repeated\s+|optional\s+)?[\w.]+(?:\s*<[^>]*>)?\s+)?(\w+)\s*=\s*\d+")
#: Where the first words of a comment end.
_GIST = re.compile(r"[.:;](?:\s|$)")
_CALL = re.compile(r"\s*rpc\s+(\w+)\(")


def comment(full_name: str) -> str:
    """Return the comment on a part of the contract; empty if it has none. Paragraphs are an empty line apart.

    The name of an enum's value is that of the enum and its own: `farfalia.v1.MatchState.MATCH_STATE_VOID`.
    """
    return _comments().get(full_name, "")


def gist(name: str, text: str) -> str:
    """Return what a call does, in the comment's first words after its name: up to a full stop, colon or semicolon."""
    return _GIST.split(text.removeprefix(f"{name} "), maxsplit=1)[0]


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
            if name:
                yield _name(inside, name), _paragraphs(above)
            if "}" not in line:
                inside.append(name)
        elif found := _CALL.match(line) or _FIELD.match(line):
            yield _name(inside, found[1]), _paragraphs(above)
        elif line.strip().startswith("}") and inside:
            inside.pop()
        elif line.rstrip().endswith("{"):
            inside.append("")
        above = []


def _name(inside: Sequence[str], name: str) -> str:
    return ".".join(filter(None, [_PACKAGE, *inside, name]))


def _paragraphs(lines: Sequence[str]) -> str:
    groups = (list(group) for filled, group in groupby(lines, bool) if filled)
    return "\n\n".join(" ".join(group) for group in groups)
