"""Taking a decision back at a person's seat: it is asked anew, and what followed it never was."""

from __future__ import annotations

from farfalia.v1 import matches_pb2
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.contract.said import said
from farfalia_server.web.person_seat import LOST, PersonSeat
from farfalia_server.web.practice import is_practice

_LIVE = (matches_pb2.MATCH_STATE_QUEUED, matches_pb2.MATCH_STATE_RUNNING)


def take_back(match: matches_pb2.Match, person: PersonSeat, number: int) -> None:
    """Take back the decision before the question of this number; one that is taken back already stays so.

    Raises FailedPrecondition, which says why nothing can be taken back.
    """
    at = person.matches.get(match.id)
    if at is not None and at.over == LOST:
        raise FailedPrecondition(said("a house bot plays your seat to its end: nothing can be taken back any more"))
    if match.state not in _LIVE or (at is not None and at.over):
        raise FailedPrecondition(said("match %(match)s is over: nothing can be taken back any more", match=match.id))
    if not is_practice(match):
        raise FailedPrecondition(said("a decision can be taken back where one person plays with house bots alone"))
    question = None if at is None else at.question
    if at is None or question is None or number != question.number or not at.waits:
        return  # it was done, or answered, before
    if not at.takes_back:
        raise FailedPrecondition(said("you have decided nothing yet that could be taken back"))
    person.take_back(match.id, number)
