"""Entrants as people write them down: a name a line, or several with commas between them; `#` begins a comment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.said import Said, said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.records.house_names import HOUSE_PREFIX

_BETWEEN = re.compile(r"[,;\t]")


def entrants_in(text: str, given: Sequence[str] = ()) -> tuple[list[str], list[Said]]:
    """Return the names in a text, in order, and what is wrong, one sentence a line; `given` were named before."""
    first = dict.fromkeys(given, 0)
    wrong: list[Said] = []
    for number, name in _names(text):
        if not BOT_NAME.fullmatch(name):
            wrong.append(said("line %(number)s: %(name)s is not a valid bot name", number=number, name=quoted(name)))
        elif name in first:
            before = first[name]
            wrong.append(
                said(
                    "line %(number)s: %(name)s is already named in line %(line)s", number=number, name=name, line=before
                )
                if before
                else said("line %(number)s: %(name)s is already named before", number=number, name=name)
            )
        else:
            first[name] = number
    return list(first)[len(set(given)) :], wrong


def unknown_in(text: str, known: Collection[str]) -> list[Said]:
    """Return the lines of bots that are not among the known ones; house bots need not be."""
    return [
        said("line %(number)s: there is no bot %(name)s", number=number, name=name)
        for number, name in _names(text)
        if name not in known and not name.startswith(HOUSE_PREFIX)
    ]


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Yield each name with its line, from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        for name in map(str.strip, _BETWEEN.split(line.partition("#")[0])):
            if name:
                yield number, name
