"""Who plays with whom at a table, as the tournaments' room takes it."""

from __future__ import annotations

from collections.abc import Mapping

from farfalia_engine import ruleset


def sides_of(game: str, options: Mapping[str, str], seats: int) -> tuple[int, ...]:
    """Return the side of each seat: partners who stay together for the whole match are one."""
    alone = tuple((seat,) for seat in range(seats))
    teams = ruleset(game, options).teams or alone
    side_of = {seat: side for side, team in enumerate(teams) for seat in team}
    return tuple(side_of[seat] for seat in range(seats))
