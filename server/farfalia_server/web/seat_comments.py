"""Comments at a person's seat, in a first match: on for one match of a browser, until they are switched off."""

from __future__ import annotations

from typing import Final

from farfalia.v1 import matches_pb2
from farfalia_engine import FarfaliaObservation, ruleset
from farfalia_server.web.person_seat import SeatAt
from farfalia_server.web.practice import is_practice
from farfalia_server.wording.comments import Comments, comments

#: What the form of a first match with comments asks for: the game, the opponent, minutes for each decision.
FIRST_MATCH: Final = {"game": "two", "opponents": "greedy", "minutes": "10"}
#: Options by which there are decisions without comments.
_WILD_CARDS: Final = frozenset(("double_you", "burnin"))


def may_be_commented(match: matches_pb2.Match) -> bool:
    """Return whether there are comments on such a match: they explain how cards are collected."""
    return ruleset(match.ruleset).game.collecting and is_practice(match)


def comments_at(match: matches_pb2.Match, at: SeatAt | None) -> Comments | None:
    """Return the comments at the newest question of a seat; None before the first one, and with wild cards."""
    question = None if at is None else at.question
    view = None if question is None else question.observation()
    if not isinstance(view, FarfaliaObservation) or _WILD_CARDS & view.options.keys():
        return None
    return comments(view, match.entrants)
