"""A bot whose decisions come from outside, one at a time: a language model, or a person at a prompt."""

from __future__ import annotations

import threading
from math import isinf

from farfalia.bot import Bot
from farfalia.errors import BadAnswer, TakeBack
from farfalia.v1 import play_pb2 as pb
from farfalia.v1 import record_pb2
from farfalia.view import View
from farfalia_engine import Observation


class ModelBot(Bot):
    """A question waits in `question` until `answer` is called, or its time is over.

    The bot plays in one thread, and is answered from others.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._asked: View | None = None
        self._action: int | None = None
        self._back = False
        self._over = ""
        self._news: list[str] = []

    def decide(self, view: Observation) -> int:
        """Return the answer that comes from outside; BadAnswer if none comes in time, or nobody will answer.

        TakeBack if the decision before is taken back.
        """
        left = view.time_left + view.clock.bank_ms / 1000 if isinstance(view, View) else float("inf")
        with self._changed:
            self._asked = view if isinstance(view, View) else View.of(view)
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._action is not None or self._back or bool(self._over),
                None if isinf(left) else max(left, 0),
            )
            action, back = self._action, self._back
            self._asked, self._action, self._back = None, None, False
        if back:
            raise TakeBack("the decision before is taken back")
        if action is None:
            raise BadAnswer(self._over or "no answer came in time")
        return action

    def question(self, seconds: float) -> View | None:
        """Wait for the open question; None if there is none after these seconds, or play is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waits or bool(self._over), seconds)
            return self._asked if self._waits else None

    def answer(self, action: int) -> bool:
        """Answer the open question; return whether there was one."""
        with self._changed:
            if not self._waits:
                return False
            self._action = action
            self._changed.notify_all()
            return True

    def take_back(self) -> bool:
        """Take back the decision before the open question; return whether that may be done there."""
        with self._changed:
            if not self._waits or self._asked is None or not self._asked.takes_back:
                return False
            self._back = True
            self._changed.notify_all()
            return True

    def end(self, why: str) -> None:
        """Note that play is over, and why: questions are no longer answered."""
        with self._changed:
            self._over = self._over or why
            self._changed.notify_all()

    @property
    def over(self) -> str:
        """Why play is over; empty while it goes on."""
        return self._over

    def news(self) -> list[str]:
        """Return what was heard since the last call, a sentence each."""
        with self._changed:
            news, self._news = self._news, []
        return news

    def on_seated(self, seated: pb.Seated) -> None:
        """Keep it for `news`."""
        self._hear(f"You have seat {seated.seat} in match {seated.match}, {seated.ruleset}.")

    def on_result(self, result: pb.Result) -> None:
        """Keep what went wrong for `news`."""
        self._hear(f"Match {result.match}: {result.text}")

    def on_finished(self, finished: pb.Finished) -> None:
        """Keep it for `news`."""
        self._hear(f"Match {finished.match} is over. {outcome_words(finished.seat, finished.outcome)}")

    def on_notice(self, notice: pb.Notice) -> None:
        """Keep it for `news`."""
        self._hear(notice.text)

    def _hear(self, sentence: str) -> None:
        with self._changed:
            self._news.append(sentence)

    @property
    def _waits(self) -> bool:
        return self._asked is not None and self._action is None and not self._back and not self._over


def outcome_words(seat: int, outcome: record_pb2.MatchOutcome) -> str:
    """Return how a match ended for a seat, and everyone's points."""
    if not outcome.points:
        return "It was given up."
    points = ", ".join(
        f"{'you' if other == seat else f'seat {other}'} {total}" for other, total in enumerate(outcome.points)
    )
    return f"Your place: {outcome.places[seat]} of {len(outcome.points)}. Points: {points}."
