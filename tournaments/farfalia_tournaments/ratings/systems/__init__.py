"""The rating systems, by name."""

from typing import Final

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.ratings import RatingSystem
from farfalia_tournaments.ratings.systems.openskill import OpenSkill
from farfalia_tournaments.ratings.systems.trueskill import TrueSkill

#: Each system with the constants of this game.
SYSTEMS: Final[dict[str, RatingSystem]] = {"trueskill": TrueSkill(), "openskill": OpenSkill()}


def rating_system(name: str) -> RatingSystem:
    """Return the system of this name with the constants of this game; TournamentError if there is none."""
    if name not in SYSTEMS:
        raise TournamentError(f"rating system {name!r}: expected one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


__all__ = ["SYSTEMS", "OpenSkill", "TrueSkill", "rating_system"]
