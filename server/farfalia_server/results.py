"""A finished match as the tournaments' room takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from farfalia_engine import ruleset
from farfalia_server.store import Match
from farfalia_tournaments import MatchResult

Entrant = TypeVar("Entrant", bound=int | str)


def match_result(match: Match, entrants: Sequence[Entrant]) -> MatchResult[Entrant]:
    """The result of a finished match for these entrants by seat; TournamentError if it cannot be.

    Where partners stay together for the whole match they are rated as a team.
    """
    result = match.result
    assert result is not None
    alone = tuple((seat,) for seat in range(len(entrants)))
    teams = ruleset(match.ruleset, match.options).teams or alone
    side_of = {seat: side for side, team in enumerate(teams) for seat in team}
    return MatchResult(
        entrants=tuple(entrants),
        points=result.points,
        places=result.places,
        strikes=result.strikes,
        forfeits=result.forfeits,
        rated=tuple(not seat.filler for seat in match.seats),
        sides=tuple(side_of[seat] for seat in range(len(entrants))),
        board=match.board,
    )
