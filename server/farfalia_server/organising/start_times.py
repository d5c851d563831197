"""What the start and the end of an event mean for its tournaments and ladders."""

from __future__ import annotations

from datetime import datetime

from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store import Event
from farfalia_tournaments import Reason, WaitStatus


def check_start_at(field: str, at: datetime, event: Event) -> None:
    """Raise InvalidArgument for a time that is over, or at which the event is."""
    if at <= now():
        raise InvalidArgument(
            field,
            said(
                "%(field)s is %(at)s UTC, which is over; expected a time to come",
                field=field,
                at=f"{at:%Y-%m-%d %H:%M}",
            ),
        )
    if event.times.ends is not None and event.times.ends <= at:
        raise InvalidArgument(
            field,
            said(
                "%(field)s is %(at)s UTC, and %(event)s ends %(ends)s UTC; expected a time before that",
                field=field,
                at=f"{at:%Y-%m-%d %H:%M}",
                event=event.name,
                ends=f"{event.times.ends:%Y-%m-%d %H:%M}",
            ),
        )


def check_start_with(event: Event) -> None:
    """Raise InvalidArgument for an event that has started: what starts with it would never be left open for entries."""
    starts = event.times.starts
    if starts is not None and starts <= now():
        text = said(
            "%(event)s has started %(starts)s UTC; expected a start by hand, or at a time of its own",
            event=event.name,
            starts=f"{starts:%Y-%m-%d %H:%M}",
        )
        raise InvalidArgument("starts_with_event", text)


def check_not_over(event: Event) -> None:
    """Raise FailedPrecondition (EVENT_OVER) for an event that has ended: no tournament of it starts any more."""
    ends = event.times.ends
    if ends is not None and ends <= now():
        text = said(
            "the event %(event)s has ended %(ends)s UTC, and no tournament of it starts any more; an organiser may let "
            "it end later",
            event=event.name,
            ends=f"{ends:%Y-%m-%d %H:%M}",
        )
        raise FailedPrecondition(text, "EVENT_OVER")


def why_no_ladder_match(event: Event) -> WaitStatus | None:
    """Return why the ladders of an event begin no match now; None between its start and its end."""
    moment, starts, ends = now(), event.times.starts, event.times.ends
    if ends is not None and ends <= moment:
        return WaitStatus(Reason.EVENT_TIMES, None, None, f"Its event has ended {ends:%Y-%m-%d %H:%M} UTC.")
    if starts is not None and moment < starts:
        return WaitStatus(Reason.EVENT_TIMES, None, None, f"Its event starts {starts:%Y-%m-%d %H:%M} UTC.")
    return None
