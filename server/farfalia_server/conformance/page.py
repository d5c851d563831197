"""What was found as a page of one file, which an author can show to others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from farfalia_server.conformance.run import FAILED, Seen


def page(command: str, seen: Sequence[Seen], version: str) -> str:
    """Return the text of an HTML file that needs nothing beside it: each item with its findings, and their clauses."""
    loader = PackageLoader("farfalia_server.conformance")
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    counts = Counter(one.state for one in seen)
    return pages.get_template("report.html").render(
        command=command,
        verdict="It does not" if counts[FAILED] else "It does",
        counts=f"{len(seen)} items: {', '.join(f'{count} {state}' for state, count in counts.items())}",
        seen=seen,
        version=version,
    )
