"""A finished match as the tournaments' room takes it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from farfalia_server.records.board_names import board_of
from farfalia_server.records.sides import sides_of
from farfalia_server.store import Match
from farfalia_tournaments import MatchResult

Entrant = TypeVar("Entrant", bound=int | str)


def board_identity(match: Match) -> str:
    """Return what tells the cards of a match from all others, in whatever list of matches."""
    return board_of(match.tournament_id or 0, match.id, match.board)


def baseline_without_luck(match: Match, points: Sequence[int]) -> tuple[int, ...]:
    """Return the points of house bots with the board of a match, by seat, less what its cards gave, as a whole number.

    House bots had the same cards: luck that is taken out of the match must be taken out of what it is compared with.
    """
    luck = () if match.result is None else match.result.luck
    return tuple(round(made - own / 1000) for made, own in zip(points, luck, strict=True)) if luck else tuple(points)


def match_result(match: Match, entrants: Sequence[Entrant]) -> MatchResult[Entrant]:
    """Return the result of a finished match for these entrants by seat; TournamentError if it cannot be.

    Where partners stay together for the whole match they are rated as a team.
    """
    result = match.result
    assert result is not None
    return MatchResult(
        entrants=tuple(entrants),
        points=result.points,
        places=result.places,
        strikes=result.strikes,
        forfeits=result.forfeits,
        missed=result.missed,
        rated=tuple(not seat.filler for seat in match.seats),
        sides=sides_of(match.ruleset, match.options, len(entrants)),
        board=board_identity(match),
        luck=tuple(Fraction(points, 1000) for points in result.luck),
    )
