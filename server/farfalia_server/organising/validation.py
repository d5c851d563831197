"""What is to be played, and in which time, as a request has it: checked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import record_pb2
from farfalia_engine import BadOption, Ruleset, TimeControl, UnknownRuleset, ruleset
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.said_below import said_of
from farfalia_server.contract.untrusted import is_visible
from farfalia_server.records.codec import time_control

#: What is played where nothing is named.
DEFAULT_GAME = "chinkway"
#: Bounds of a time control: milliseconds, milliseconds, strikes.
MOST_LIMIT_MS, MOST_BANK_MS, MOST_GRACE = 600_000, 86_400_000, 1000


def checked_rules(name: str, options: Mapping[str, str]) -> Ruleset:
    """Return the ruleset that was asked for; InvalidArgument names what is allowed."""
    try:
        return ruleset(name or DEFAULT_GAME, dict(options))
    except UnknownRuleset as error:
        raise InvalidArgument("ruleset", said_of(error)) from None
    except BadOption as error:
        raise InvalidArgument("options", said_of(error)) from None


def checked_time_control(control: record_pb2.TimeControl) -> TimeControl:
    """Return the time control that was asked for; InvalidArgument if a figure is out of bounds."""
    for field, least, most in (
        ("limit_ms", 1, MOST_LIMIT_MS),
        ("bank_ms", 0, MOST_BANK_MS),
        ("grace", 0, MOST_GRACE),
    ):
        value = getattr(control, field)
        if not least <= value <= most:
            raise InvalidArgument(
                f"time_control.{field}",
                said(
                    "%(field)s is %(value)s; expected %(least)s to %(most)s",
                    field=field,
                    value=value,
                    least=least,
                    most=most,
                ),
            )
    return time_control(control)


def checked_text(field: str, text: str, longest: int) -> str:
    """Return one line that is not too long; InvalidArgument."""
    if len(text) > longest:
        text_of = said(
            "%(field)s has %(length)s characters; expected at most %(most)s",
            field=field,
            length=len(text),
            most=longest,
        )
        raise InvalidArgument(field, text_of)
    if not text.isprintable():
        refused = said("%(field)s is %(text)r; expected one line of printable characters", field=field, text=text)
        raise InvalidArgument(field, refused)
    if text and not is_visible(text):
        raise InvalidArgument(
            field,
            said(
                "%(field)s is %(text)a; expected something visible in it: a letter, a digit, a sign or an emoji",
                field=field,
                text=text,
            ),
        )
    return text


def checked_moment(field: str, moment: Timestamp) -> datetime | None:
    """Return a moment, None for that of 0; InvalidArgument for one that no calendar has."""
    if not moment.seconds and not moment.nanos:
        return None
    try:
        return moment.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise InvalidArgument(
            field, said("%(field)s is %(seconds)s s; expected a time until 9999", field=field, seconds=moment.seconds)
        ) from None
