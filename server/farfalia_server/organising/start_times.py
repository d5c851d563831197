"""What the start and the end of an event mean for its tournaments and ladders."""

from __future__ import annotations

from datetime import datetime

from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.net.wall_clock import now
from farfalia_server.store import Event
from farfalia_tournaments import Reason, WaitStatus


def check_start_at(field: str, at: datetime, event: Event) -> None:
    """Raise InvalidArgument for a time that is over, or at which the event is."""
    if at <= now():
        raise InvalidArgument(field, f"{field} is {at:%Y-%m-%d %H:%M} UTC, which is over; expected a time to come")
    if event.times.ends is not None and event.times.ends <= at:
        ends = f"{event.name} ends {event.times.ends:%Y-%m-%d %H:%M} UTC"
        raise InvalidArgument(field, f"{field} is {at:%Y-%m-%d %H:%M} UTC, and {ends}; expected a time before that")


def check_start_with(event: Event) -> None:
    """Raise InvalidArgument for an event that has started: what starts with it would never be left open for entries."""
    starts = event.times.starts
    if starts is not None and starts <= now():
        said = f"{event.name} has started {starts:%Y-%m-%d %H:%M} UTC"
        raise InvalidArgument("starts_with_event", f"{said}; expected a start by hand, or at a time of its own")


def check_not_over(event: Event) -> None:
    """Raise FailedPrecondition (EVENT_OVER) for an event that has ended: no tournament of it starts any more."""
    ends = event.times.ends
    if ends is not None and ends <= now():
        said = f"the event {event.name} has ended {ends:%Y-%m-%d %H:%M} UTC, and no tournament of it starts any more"
        raise FailedPrecondition(f"{said}; an organiser may let it end later", "EVENT_OVER")


def why_no_ladder_match(event: Event) -> WaitStatus | None:
    """Return why the ladders of an event begin no match now; None between its start and its end."""
    moment, starts, ends = now(), event.times.starts, event.times.ends
    if ends is not None and ends <= moment:
        return WaitStatus(Reason.EVENT_TIMES, None, None, f"Its event has ended {ends:%Y-%m-%d %H:%M} UTC.")
    if starts is not None and moment < starts:
        return WaitStatus(Reason.EVENT_TIMES, None, None, f"Its event starts {starts:%Y-%m-%d %H:%M} UTC.")
    return None
