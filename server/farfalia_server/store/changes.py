"""Notification of changes in the store."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from farfalia_server.store.matches.values import MatchState


class Topic(StrEnum):
    """What a change is about."""

    ACCOUNT = "account"
    BOT = "bot"
    EVENT = "event"  #: an event, or who is in one; the number is 0
    TOURNAMENT = "tournament"
    MATCH = "match"
    RATING = "rating"
    ANALYSIS = "analysis"  #: how far the analysis of a match is; the number is the match's
    BASELINE = "baseline"  #: the house bots' points on boards of a tournament; the number is the tournament's


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was committed; `tournament_id` is 0 without a tournament, `state` is the new state of a match, or
    of a tournament's matches when it is cancelled; a match that an organiser voids is told as cancelled. `stage` is
    that of a match in a tournament with stages, else 0.
    """

    topic: Topic
    id: int
    tournament_id: int = 0
    state: MatchState | None = None
    stage: int = 0

    @classmethod
    def from_item(cls, item: Sequence[Any]) -> "Change":
        """Return the change that `item` was made of; ValueError or TypeError for anything else."""
        topic, id, tournament_id, state, stage = item
        return cls(Topic(topic), id, tournament_id, None if state is None else MatchState(state), stage)

    @property
    def item(self) -> tuple[str, int, int, str | None, int]:
        """The change as values that JSON holds."""
        state = None if self.state is None else self.state.value
        return self.topic.value, self.id, self.tournament_id, state, self.stage


Listener = Callable[[Change], None]


class Changes:
    """Notifies listeners of what this process commits, and of what it hears that other nodes have committed.

    Commits of other nodes come over the change bus and may be missed: a listener that needs them polls, too.
    """

    def __init__(self) -> None:
        self._listeners: dict[Topic, list[Listener]] = {topic: [] for topic in Topic}
        self._of_own: list[Listener] = []

    def on(self, topics: Collection[Topic], listener: Listener) -> Callable[[], None]:
        """Call `listener` after every commit about these topics, in the event loop, until the returned function is
        called.
        """
        for topic in topics:
            self._listeners[topic].append(listener)

        def unlisten() -> None:
            for topic in topics:
                self._listeners[topic].remove(listener)

        return unlisten

    def on_own(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` as `on` does, but after every commit of this process, and of no other."""
        self._of_own.append(listener)
        return lambda: self._of_own.remove(listener)

    def tell(
        self,
        topic: Topic,
        id: int,
        tournament_id: int | None = None,
        state: MatchState | None = None,
        *,
        stage: int = 0,
    ) -> None:
        """Notify the listeners of a commit of this process."""
        change = Change(topic, id, tournament_id or 0, state, stage)
        for listener in tuple(self._of_own):
            listener(change)
        self.hear(change)

    def hear(self, change: Change) -> None:
        """Notify the listeners of another process's commit."""
        for listener in tuple(self._listeners[change.topic]):
            listener(change)
