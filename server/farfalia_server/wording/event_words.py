"""What happens in an event, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from farfalia.v1 import events_pb2
from farfalia_server.net.wall_clock import now
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import EVENT_TIMES


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something that happens in an event, in UTC; `name` is that of its time in the contract."""

    name: str
    words: str
    moment: datetime


def coming(event: events_pb2.Event) -> Milestone | None:
    """Return what comes next in an event; None if nothing does."""
    return next((one for one in milestones(event) if one.moment > now()), None)


def milestones(event: events_pb2.Event) -> list[Milestone]:
    """Return what happens in an event, in the order of time."""
    found = [
        Milestone(name, gettext(words), getattr(event.times, name).ToDatetime(UTC))
        for name, words in EVENT_TIMES.items()
        if event.times.HasField(name)
    ]
    return sorted(found, key=lambda one: one.moment)
