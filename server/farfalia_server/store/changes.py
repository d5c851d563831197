"""Who wants to know that something in the store has changed."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from farfalia_server.store.values import MatchState


class Topic(StrEnum):
    """What a change is about."""

    BOT = "bot"
    TOURNAMENT = "tournament"
    MATCH = "match"
    RATING = "rating"
    BASELINE = "baseline"  #: the house bots' points on boards of a tournament; the number is the tournament's


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was committed; `tournament_id` is 0 for what belongs to none, `state` is the new one of a match,
    or of a tournament's matches when it is cancelled."""

    topic: Topic
    id: int
    tournament_id: int = 0
    state: MatchState | None = None


Listener = Callable[[Change], None]


class Changes:
    """What this process has committed, told to its listeners.

    Other nodes' commits are not seen here: a listener that needs them has to poll.
    """

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every commit, in the event loop, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, topic: Topic, id: int, tournament_id: int | None = None, state: MatchState | None = None) -> None:
        """Say that something was committed."""
        change = Change(topic, id, tournament_id or 0, state)
        for listener in tuple(self._listeners):
            listener(change)
