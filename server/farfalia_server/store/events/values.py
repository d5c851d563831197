"""Events and their members, as the store takes and returns them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

#: The name of the event that is always there: whatever belongs to no other one is the public arena's.
ARENA = "arena"


class RatedOn(StrEnum):
    """On which ladder the tournaments of an event count, unless they say it themselves."""

    NONE = "none"
    OWN = "own"  #: on a ladder of the event for each game
    GAME = "game"  #: on the ladder with the name of the game, as in the public arena


class MemberRole(StrEnum):
    """What a member may do in an event."""

    MEMBER = "member"
    HELPER = "helper"  #: runs tournaments
    ORGANISER = "organiser"  #: everything


@dataclass(frozen=True, slots=True)
class EventTimes:
    """When an event opens for members, when it takes no more, when versions are pinned, when it starts and ends."""

    opens: datetime | None = None
    closes: datetime | None = None
    freezes: datetime | None = None
    starts: datetime | None = None
    ends: datetime | None = None


@dataclass(frozen=True, slots=True)
class EventCaps:
    """What a member may use at most, 0 for as much as it wants: bots in a tournament, new versions of a bot a day,
    matches of a bot an hour on each ladder, and bots that are connected at a time, those of a team together.
    """

    bots: int = 0
    versions: int = 0
    matches: int = 0
    connections: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionCap:
    """How many bots an event lets be connected at a time: of a team, or of an account if that is empty.

    `bots` has all bots that count, by number.
    """

    event: str
    most: int
    team: str
    bots: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Event:
    """An event. It is a draft before it is published, and nothing in it changes after it was closed.

    `zone` is the organiser's time zone, a name of the IANA database. `by_invitation`: only who has a code may join.
    `revision` grows with every change.
    """

    name: str
    title: str
    about: str = ""
    zone: str = "UTC"
    rated_on: RatedOn = RatedOn.NONE
    by_invitation: bool = False
    times: EventTimes = field(default_factory=EventTimes)
    caps: EventCaps = field(default_factory=EventCaps)
    created: datetime | None = None
    published: datetime | None = None
    closed: datetime | None = None
    members: int = 0
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """An account in an event; `team` is empty if it plays on its own."""

    event: str
    account_id: int
    name: str
    role: MemberRole
    team: str
    joined: datetime
