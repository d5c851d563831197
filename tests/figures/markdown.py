"""Figures as the documents write them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines).replace(
        " --- |", "---|"
    )


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
