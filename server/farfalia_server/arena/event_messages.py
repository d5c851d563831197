"""Events and members as the contract's messages, and from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import events_pb2
from farfalia_engine import GAMES
from farfalia_server.contract.bounds import EVENT_NAME
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.moments import zone_named
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.validation import checked_text
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Announcement, Event, EventCaps, EventTimes, Member, MemberRole, RatedOn

#: Most characters of what an event is called, of what it is about, and of a team's name.
LONGEST_TITLE, LONGEST_ABOUT, LONGEST_TEAM = 80, 2000, 40
#: Largest caps.
_MOST = 1000
#: Times of which the second is never before the first.
_ORDER = (("opens", "closes"), *((time, "ends") for time in ("opens", "closes", "freezes", "starts")))
#: Times that a clock may show, in seconds since 1970: to the year 2200.
_LAST = 7_258_118_400
RATED_ON = {
    events_pb2.RATED_ON_UNSPECIFIED: RatedOn.NONE,
    events_pb2.RATED_ON_NONE: RatedOn.NONE,
    events_pb2.RATED_ON_OWN: RatedOn.OWN,
    events_pb2.RATED_ON_GAME: RatedOn.GAME,
}
_RATED_ON_SHOWN = {rated: message for message, rated in RATED_ON.items()}
MEMBER_ROLES = {
    events_pb2.MEMBER_ROLE_UNSPECIFIED: MemberRole.MEMBER,
    events_pb2.MEMBER_ROLE_MEMBER: MemberRole.MEMBER,
    events_pb2.MEMBER_ROLE_HELPER: MemberRole.HELPER,
    events_pb2.MEMBER_ROLE_ORGANISER: MemberRole.ORGANISER,
}
_MEMBER_ROLES_SHOWN = {role: message for message, role in MEMBER_ROLES.items()}


def event_message(event: Event) -> events_pb2.Event:
    """Return an event."""
    state = (
        events_pb2.EVENT_STATE_CLOSED
        if event.closed is not None
        else events_pb2.EVENT_STATE_DRAFT
        if event.published is None
        else events_pb2.EVENT_STATE_PUBLISHED
    )
    return events_pb2.Event(
        name=event.name,
        title=event.title,
        about=event.about,
        zone=event.zone,
        rated_on=_RATED_ON_SHOWN[event.rated_on],
        by_invitation=event.by_invitation,
        times=events_pb2.EventTimes(
            **{time.name: timestamp(getattr(event.times, time.name)) for time in fields(EventTimes)}
        ),
        caps=events_pb2.EventCaps(**asdict(event.caps)),
        state=state,
        members=event.members,
        created=timestamp(event.created),
        closed=timestamp(event.closed),
        revision=event.revision,
    )


def member_message(member: Member, bots: Sequence[str] = ()) -> events_pb2.EventMember:
    """Return a member, with the names of its bots."""
    return events_pb2.EventMember(
        account=member.name,
        role=_MEMBER_ROLES_SHOWN[member.role],
        team=member.team,
        joined=timestamp(member.joined),
        bots=bots,
    )


def membership_message(member: Member) -> events_pb2.Membership:
    """Return that an account is in an event."""
    return events_pb2.Membership(event=member.event, role=_MEMBER_ROLES_SHOWN[member.role], team=member.team)


def announcement_message(one: Announcement) -> events_pb2.Announcement:
    """Return an announcement."""
    return events_pb2.Announcement(id=one.id, text=one.text, who=one.who, time=timestamp(one.made))


def checked_lines(field: str, text: str, longest: int = LONGEST_ABOUT) -> str:
    """Return a text of several lines; InvalidArgument if it is too long, or a line is none that people can read."""
    if len(text) > longest:
        raise InvalidArgument(
            field,
            said(
                "%(field)s has %(length)s characters; expected at most %(most)s",
                field=field,
                length=len(text),
                most=longest,
            ),
        )
    for line in text.splitlines():
        checked_text(field, line, longest)
    return "\n".join(text.splitlines())


def checked_event(asked: events_pb2.Event) -> Event:
    """Return the event that a request describes; InvalidArgument names what is wrong."""
    if not EVENT_NAME.fullmatch(asked.name):
        text = said("name is %(name)s; expected 1 to 28 small letters, digits and hyphens", name=quoted(asked.name))
        raise InvalidArgument("name", text)
    if asked.name in GAMES:
        raise InvalidArgument(
            "name", said("name is %(name)s, which is that of a game; expected another one", name=quoted(asked.name))
        )
    return Event(
        asked.name,
        checked_text("title", asked.title.strip(), LONGEST_TITLE) or asked.name,
        checked_lines("about", asked.about),
        zone_named(asked.zone).key,
        RATED_ON.get(asked.rated_on, RatedOn.NONE),
        asked.by_invitation,
        _checked_times(asked.times),
        _checked_caps(asked.caps),
        revision=asked.revision,
    )


def _checked_times(asked: events_pb2.EventTimes) -> EventTimes:
    """Return the times of an event; InvalidArgument if one is before one that it has to follow."""
    times = EventTimes(**{time.name: _moment(asked, time.name) for time in fields(EventTimes)})
    for first, then in _ORDER:
        before, after = getattr(times, first), getattr(times, then)
        if before is not None and after is not None and before > after:
            text = said(
                "%(then)s is %(after)s UTC; expected nothing before %(first)s, %(before)s UTC",
                then=then,
                after=f"{after:%Y-%m-%d %H:%M}",
                first=first,
                before=f"{before:%Y-%m-%d %H:%M}",
            )
            raise InvalidArgument(then, text)
    return times


def _moment(asked: events_pb2.EventTimes, name: str) -> datetime | None:
    if not asked.HasField(name):
        return None
    given: Timestamp = getattr(asked, name)
    if not 0 < given.seconds < _LAST:
        raise InvalidArgument(
            name,
            said(
                "%(name)s is %(seconds)s seconds since 1970; expected a time until 2200",
                name=name,
                seconds=given.seconds,
            ),
        )
    return datetime.fromtimestamp(given.seconds, UTC)


def _checked_caps(asked: events_pb2.EventCaps) -> EventCaps:
    caps = EventCaps(**{cap.name: getattr(asked, cap.name) for cap in fields(EventCaps)})
    for name, value in asdict(caps).items():
        if value > _MOST:
            raise InvalidArgument(
                f"caps.{name}",
                said(
                    "%(name)s is %(value)s; expected at most %(most)s, or 0 for no limit",
                    name=name,
                    value=value,
                    most=_MOST,
                ),
            )
    return caps
