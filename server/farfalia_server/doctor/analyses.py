"""Whether this machine can work out what decisions have cost."""

from __future__ import annotations

from collections.abc import Iterator

from farfalia_server.analysis.match_pricing import can_analyse
from farfalia_server.doctor.finding import Finding
from farfalia_server.settings import Settings


def check_analyses(settings: Settings) -> Iterator[Finding]:
    """Say whether matches are analysed; nothing where nobody wants that."""
    minutes = settings.analysis_minutes
    if not minutes:
        return
    if can_analyse():
        yield Finding.ok("analyses", f"Decisions are analysed, for up to {minutes} min of CPU a day.")
    else:
        yield Finding.warning(
            "analyses",
            f"Decisions are not analysed: analysis_minutes is {minutes}, and NumPy is missing.",
            "Install it: pip install 'farfalia[server,numpy]'. Or set analysis_minutes to 0.",
        )
