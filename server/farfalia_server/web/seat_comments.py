"""Comments at a person's seat, in a first match: on for one match of a browser, until they are switched off."""

from __future__ import annotations

from typing import Final

from farfalia.v1 import matches_pb2
from farfalia_engine import FarfaliaObservation
from farfalia_server.web.person_seat import SeatAt
from farfalia_server.web.practice import is_practice
from farfalia_server.wording.comments import Comments, comments

#: The game that is commented.
COMMENTED: Final = "two"
#: What the form of a first match with comments asks for: the game, the opponent, minutes for each decision.
FIRST_MATCH: Final = {"game": COMMENTED, "opponents": "greedy", "minutes": "10"}


def may_be_commented(match: matches_pb2.Match) -> bool:
    """Return whether there are comments on such a match."""
    return match.ruleset == COMMENTED and is_practice(match)


def comments_at(match: matches_pb2.Match, at: SeatAt | None) -> Comments | None:
    """Return the comments at the newest question of a seat; None before the first one."""
    question = None if at is None else at.question
    view = None if question is None else question.observation()
    return comments(view, match.entrants) if isinstance(view, FarfaliaObservation) else None
