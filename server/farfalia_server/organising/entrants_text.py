"""Entrants as people write them down: a name a line, or several with commas between them; `#` begins a comment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.untrusted import quoted
from farfalia_server.records.house_names import HOUSE_PREFIX

_BETWEEN = re.compile(r"[,;\t]")


def entrants_in(text: str, given: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """Return the names in a text, in order, and what is wrong, one sentence a line; `given` were named before."""
    first = dict.fromkeys(given, "before")
    wrong: list[str] = []
    for number, name in _names(text):
        if not BOT_NAME.fullmatch(name):
            wrong.append(f"line {number}: {quoted(name)} is not a valid bot name")
        elif name in first:
            wrong.append(f"line {number}: {name} is already named {first[name]}")
        else:
            first[name] = f"in line {number}"
    return list(first)[len(set(given)) :], wrong


def unknown_in(text: str, known: Collection[str]) -> list[str]:
    """Return the lines of bots that are not among the known ones; house bots need not be."""
    return [
        f"line {number}: there is no bot {name}"
        for number, name in _names(text)
        if name not in known and not name.startswith(HOUSE_PREFIX)
    ]


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Yield each name with its line, from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        for name in map(str.strip, _BETWEEN.split(line.partition("#")[0])):
            if name:
                yield number, name
