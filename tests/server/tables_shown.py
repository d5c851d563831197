"""Tables as they are read: from a page, and from what a command prints into a pipe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

Rows = list[dict[str, str]]


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None


def tables_of(html: str) -> list[Rows]:
    """The tables of a page, each a list of rows by the heads of their columns; without rows that join cells."""
    parser = _Tables()
    parser.feed(html)
    return [
        [dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head)] for head, *rows in parser.tables
    ]


def table_with(html: str, *heads: str) -> Rows:
    """The only table of a page with columns of these names."""
    (found,) = (rows for rows in tables_of(html) if rows and set(heads) <= rows[0].keys())
    return found


def printed(text: str, columns: Sequence[str]) -> Rows:
    """The first table of a command's output with these columns; the name of one that is set flush left has a `<`."""
    names = [column.removeprefix("<") for column in columns]
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.split() == " ".join(names).split())
    head = lines[at]
    rows: Rows = []
    places: list[tuple[int, int]] = []
    for name in names:
        start = head.index(name, places[-1][1] if places else 0)
        places.append((start, start + len(name)))
    for line in lines[at + 1 :]:
        if not line.strip() or line.endswith("."):
            break
        rows.append(_row(line, columns, places))
    return rows


def _row(line: str, columns: Sequence[str], places: Sequence[tuple[int, int]]) -> dict[str, str]:
    row, left = dict[str, str](), 0
    for number, (column, (start, end)) in enumerate(zip(columns, places, strict=True)):
        name, right = column.removeprefix("<"), end
        if column.startswith("<"):
            following = columns[number + 1 : number + 2]
            if not following:
                right = len(line)
            elif following[0].startswith("<"):
                right = places[number + 1][0]
            else:  # what follows is set flush right, so only two blanks tell where it begins
                part = line[start : places[number + 1][1]]
                right = start + len(re.split(r"\s{2,}", part)[0])
        row[name] = line[left:right].strip()
        left = right
    return row
