"""Moments as people write them: a date and a time of day in a time zone."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone of that name in the IANA database, UTC for none; InvalidArgument."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        raise InvalidArgument(
            "zone", said("zone is %(name)s; expected a time zone such as Europe/Rome", name=quoted(name))
        ) from None


def moment_of(field: str, text: str, zone: str) -> datetime:
    """Return the moment, in UTC, at which clocks of a zone show `2026-12-01 09:00`; InvalidArgument names the field.

    Where a clock is put back, it shows an hour twice: the first is meant.
    """
    try:
        shown = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidArgument(
            field,
            said("%(field)s is %(text)s; expected a time such as 2026-12-01 09:00", field=field, text=quoted(text)),
        ) from None
    if shown.tzinfo is None:
        shown = shown.replace(tzinfo=zone_named(zone))
    try:
        return shown.astimezone(UTC)
    except OverflowError:
        raise InvalidArgument(
            field, said("%(field)s is %(text)s; expected a time until 2200", field=field, text=quoted(text))
        ) from None


def shown_in(moment: datetime, zone: str) -> str:
    """Return what clocks of a zone show at a moment, as `moment_of` takes it."""
    return f"{moment.astimezone(zone_named(zone)):%Y-%m-%d %H:%M}"
