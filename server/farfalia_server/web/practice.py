"""Which matches are practice: there a person may ask what a house bot would do."""

from __future__ import annotations

from farfalia.v1 import matches_pb2
from farfalia_server.records.house_names import house_of


def is_practice(match: matches_pb2.Match) -> bool:
    """Return whether one person plays against house bots alone, in no tournament, for no ladder, and on no board that
    others play.
    """
    others = [name for at, name in enumerate(match.entrants) if at not in match.persons]
    counts = match.tournament or match.ladder or match.daily
    return not counts and len(match.persons) == 1 and all(map(house_of, others))
