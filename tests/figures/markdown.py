"""Figures as the documents write them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines).replace(
        " --- |", "---|"
    )


def with_rows_of(new: str, before: str) -> str:
    """The table `new`, and of one with the same heads the rows whose first cells it has not, in the order of these."""
    heads, rule, *rows = new.splitlines()
    old = before.splitlines()
    if old[:1] != [heads]:
        return new
    own = {_first(row) for row in rows}
    return "\n".join([heads, rule, *sorted((*rows, *(row for row in old[2:] if _first(row) not in own)), key=_first)])


def _first(row: str) -> str:
    return row.split("|")[1].strip()


def percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f}"


def signed(points: float) -> str:
    """To a tenth, with a real minus; 0.0 has no sign."""
    text = f"{abs(points):.1f}"
    return text if text == "0.0" else f"{'−' if points < 0 else '+'}{text}"


def listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def paragraph(*sentences: str) -> str:
    return textwrap.fill(" ".join(sentences), 160, break_on_hyphens=False)
