"""Moments as a file for calendars."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from icalendar import Calendar, Event

from farfalia_server.wording.event_words import Milestone


def calendar(title: str, moments: Iterable[Milestone], address: str, made: datetime) -> bytes:
    """Return some moments as a calendar (RFC 5545); `address` is that of the page that shows them.

    A moment has the same identifier whenever the calendar is made, and no other calendar has it: who takes the file in
    again has its new time instead of a second entry.
    """
    found = Calendar()
    found.add("prodid", "-//Farfalia//Events//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", title)
    for one in moments:
        entry = Event()
        entry.add("uid", f"{one.name}@{address.partition('://')[2]}")
        entry.add("dtstamp", made.astimezone(UTC))
        entry.add("dtstart", one.moment)
        entry.add("summary", f"{title}: {one.words}")
        entry.add("url", address)
        found.add_component(entry)
    text: bytes = found.to_ical()
    return text
