"""What a host sends for a bot: as a bot's own client does, and which matches have a process."""

from __future__ import annotations

from dataclasses import dataclass

from farfalia.outbox import Outbox
from farfalia.v1 import play_pb2

#: Questions that a host takes for a bot at once.
QUESTIONS = 256


@dataclass(slots=True)
class HostCapacity:
    """How many matches a host plays for a bot at a time, and how many questions it takes."""

    matches: int = 1
    questions: int = QUESTIONS


class HostOutbox(Outbox):
    """Answers, log lines, and matches whose process is there."""

    def __init__(self, capacity: HostCapacity) -> None:
        super().__init__(capacity)
        self._ready: list[int] = []

    def note_ready(self, match: int) -> None:
        """Say that the process of a match is there."""
        self._ready.append(match)
        self.filled.set()

    def message(self) -> play_pb2.PlayRequest:
        """Return everything that waits."""
        ready, self._ready = self._ready, []
        message = super().message()
        message.ready.extend(ready)
        return message
