"""Hints at a person's seat: what the strongest house bot would do, found where house bots search."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from farfalia_engine import SearchResult
from farfalia_server.records.house_bot import HintSearch
from farfalia_server.records.house_names import is_playable
from farfalia_server.web.person_seat import SeatAt
from farfalia_server.wording.hints import Hint, hint_words

#: Who gives hints: the strongest that this machine can play.
HINTS_BY: Final = "expert" if is_playable("expert") else "flat-monte-carlo"


class SeatHints:
    """Gives hints: one search for a question, however often it is asked for; `search` has it done."""

    def __init__(self, search: Callable[[HintSearch], Awaitable[SearchResult]]) -> None:
        self._search = search

    async def give(self, at: SeatAt, number: int) -> None:
        """Search for what the seat is asked, if that is the question of this number, and keep what is found there.

        The same question has the same hint. While one is searched for, nothing more is.
        """
        question = at.question
        if not at.waits or question is None or question.number != number or at.hinted == number:
            return
        at.hinted = number
        try:
            at.hint = await self._search(HintSearch(HINTS_BY, number, question.observation()))
        except BaseException:
            at.hinted = 0
            raise


def hint_at(at: SeatAt | None) -> Hint | None:
    """Return in words the hint that was given at the newest question of a seat; None if none was, or not yet."""
    question = None if at is None else at.question
    if at is None or question is None or at.hint is None or at.hinted != question.number:
        return None
    return hint_words(question.observation(), at.hint)
