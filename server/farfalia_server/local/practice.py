"""A match of a person with house bots in this process, in which the person may take decisions back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from farfalia.answers import checked
from farfalia.bot import Bot
from farfalia.errors import TakeBack
from farfalia.testing import PlayedMatch, play_match
from farfalia.view import View
from farfalia_engine import Observation

_PERSON: Final = 0


def play_practice(
    person: Bot, others: Sequence[Bot], seed: int, game: str, options: Mapping[str, str] | None = None
) -> PlayedMatch:
    """Play a match as `play_match` does, with the person at seat 0, who may take back its last decision.

    That one is asked anew, as if nothing after it had happened; the other bots decide anew.
    """
    made: list[tuple[int, int]] = []
    while True:
        again = iter(tuple(made))
        seats = [_Seat(bot, made, again) for bot in (person, *others)]
        try:
            return play_match(seats, seed, game, options)
        except TakeBack:
            del made[_last(made) :]


class _Seat(Bot):
    """Decides `again` what was decided before, then as its bot does, and adds that to `made`, after the seat."""

    def __init__(self, bot: Bot, made: list[tuple[int, int]], again: Iterator[tuple[int, int]]) -> None:
        self._bot, self._made, self._again = bot, made, again

    def decide(self, view: Observation) -> int:
        for _, action in self._again:
            return action
        assert isinstance(view, View)
        if view.seat == _PERSON:
            view = View.of(view, view.match, view.number, takes_back=_last(self._made) >= 0)
        action = checked(view, self._bot.decide(view))
        self._made.append((view.seat, action))
        return action


def _last(made: Sequence[tuple[int, int]]) -> int:
    """Return the index of the person's last decision, -1 if there is none."""
    return max((at for at, (seat, _) in enumerate(made) if seat == _PERSON), default=-1)
