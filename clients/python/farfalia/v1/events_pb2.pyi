import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RatedOn(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATED_ON_UNSPECIFIED: _ClassVar[RatedOn]
    RATED_ON_NONE: _ClassVar[RatedOn]
    RATED_ON_OWN: _ClassVar[RatedOn]
    RATED_ON_GAME: _ClassVar[RatedOn]

class EventState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_STATE_UNSPECIFIED: _ClassVar[EventState]
    EVENT_STATE_DRAFT: _ClassVar[EventState]
    EVENT_STATE_PUBLISHED: _ClassVar[EventState]
    EVENT_STATE_CLOSED: _ClassVar[EventState]

class MemberRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMBER_ROLE_UNSPECIFIED: _ClassVar[MemberRole]
    MEMBER_ROLE_MEMBER: _ClassVar[MemberRole]
    MEMBER_ROLE_HELPER: _ClassVar[MemberRole]
    MEMBER_ROLE_ORGANISER: _ClassVar[MemberRole]
RATED_ON_UNSPECIFIED: RatedOn
RATED_ON_NONE: RatedOn
RATED_ON_OWN: RatedOn
RATED_ON_GAME: RatedOn
EVENT_STATE_UNSPECIFIED: EventState
EVENT_STATE_DRAFT: EventState
EVENT_STATE_PUBLISHED: EventState
EVENT_STATE_CLOSED: EventState
MEMBER_ROLE_UNSPECIFIED: MemberRole
MEMBER_ROLE_MEMBER: MemberRole
MEMBER_ROLE_HELPER: MemberRole
MEMBER_ROLE_ORGANISER: MemberRole

class EventTimes(_message.Message):
    __slots__ = ("opens", "closes", "freezes", "starts", "ends")
    OPENS_FIELD_NUMBER: _ClassVar[int]
    CLOSES_FIELD_NUMBER: _ClassVar[int]
    FREEZES_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    opens: _timestamp_pb2.Timestamp
    closes: _timestamp_pb2.Timestamp
    freezes: _timestamp_pb2.Timestamp
    starts: _timestamp_pb2.Timestamp
    ends: _timestamp_pb2.Timestamp
    def __init__(self, opens: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., closes: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., freezes: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ends: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EventCaps(_message.Message):
    __slots__ = ("bots", "versions", "matches", "connections")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    CONNECTIONS_FIELD_NUMBER: _ClassVar[int]
    bots: int
    versions: int
    matches: int
    connections: int
    def __init__(self, bots: _Optional[int] = ..., versions: _Optional[int] = ..., matches: _Optional[int] = ..., connections: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("name", "title", "about", "zone", "rated_on", "by_invitation", "times", "caps", "state", "members", "created", "closed", "revision")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    RATED_ON_FIELD_NUMBER: _ClassVar[int]
    BY_INVITATION_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    CAPS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    about: str
    zone: str
    rated_on: RatedOn
    by_invitation: bool
    times: EventTimes
    caps: EventCaps
    state: EventState
    members: int
    created: _timestamp_pb2.Timestamp
    closed: _timestamp_pb2.Timestamp
    revision: int
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., about: _Optional[str] = ..., zone: _Optional[str] = ..., rated_on: _Optional[_Union[RatedOn, str]] = ..., by_invitation: bool = ..., times: _Optional[_Union[EventTimes, _Mapping]] = ..., caps: _Optional[_Union[EventCaps, _Mapping]] = ..., state: _Optional[_Union[EventState, str]] = ..., members: _Optional[int] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., closed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revision: _Optional[int] = ...) -> None: ...

class EventMember(_message.Message):
    __slots__ = ("account", "role", "team", "joined", "bots")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEAM_FIELD_NUMBER: _ClassVar[int]
    JOINED_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    account: str
    role: MemberRole
    team: str
    joined: _timestamp_pb2.Timestamp
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, account: _Optional[str] = ..., role: _Optional[_Union[MemberRole, str]] = ..., team: _Optional[str] = ..., joined: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., bots: _Optional[_Iterable[str]] = ...) -> None: ...

class Membership(_message.Message):
    __slots__ = ("event", "role", "team")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEAM_FIELD_NUMBER: _ClassVar[int]
    event: str
    role: MemberRole
    team: str
    def __init__(self, event: _Optional[str] = ..., role: _Optional[_Union[MemberRole, str]] = ..., team: _Optional[str] = ...) -> None: ...

class CreateEventRequest(_message.Message):
    __slots__ = ("event", "like")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    LIKE_FIELD_NUMBER: _ClassVar[int]
    event: Event
    like: str
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ..., like: _Optional[str] = ...) -> None: ...

class CreateEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: Event
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...

class ChangeEventRequest(_message.Message):
    __slots__ = ("event", "publish")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    PUBLISH_FIELD_NUMBER: _ClassVar[int]
    event: Event
    publish: bool
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ..., publish: bool = ...) -> None: ...

class ChangeEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: Event
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...

class CloseEventRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CloseEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: Event
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...

class GetEventRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetEventResponse(_message.Message):
    __slots__ = ("event", "members", "ladders", "tournaments", "announcements")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    LADDERS_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCEMENTS_FIELD_NUMBER: _ClassVar[int]
    event: Event
    members: _containers.RepeatedCompositeFieldContainer[EventMember]
    ladders: _containers.RepeatedScalarFieldContainer[str]
    tournaments: _containers.RepeatedScalarFieldContainer[int]
    announcements: _containers.RepeatedCompositeFieldContainer[Announcement]
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ..., members: _Optional[_Iterable[_Union[EventMember, _Mapping]]] = ..., ladders: _Optional[_Iterable[str]] = ..., tournaments: _Optional[_Iterable[int]] = ..., announcements: _Optional[_Iterable[_Union[Announcement, _Mapping]]] = ...) -> None: ...

class Announcement(_message.Message):
    __slots__ = ("id", "text", "who", "time")
    ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    id: int
    text: str
    who: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., text: _Optional[str] = ..., who: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AnnounceRequest(_message.Message):
    __slots__ = ("event", "text")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    event: str
    text: str
    def __init__(self, event: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class AnnounceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RetractAnnouncementRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class RetractAnnouncementResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class JoinEventRequest(_message.Message):
    __slots__ = ("event", "invitation")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    event: str
    invitation: str
    def __init__(self, event: _Optional[str] = ..., invitation: _Optional[str] = ...) -> None: ...

class JoinEventResponse(_message.Message):
    __slots__ = ("member",)
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    member: EventMember
    def __init__(self, member: _Optional[_Union[EventMember, _Mapping]] = ...) -> None: ...

class SetEventMemberRequest(_message.Message):
    __slots__ = ("event", "account", "role", "team")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEAM_FIELD_NUMBER: _ClassVar[int]
    event: str
    account: str
    role: MemberRole
    team: str
    def __init__(self, event: _Optional[str] = ..., account: _Optional[str] = ..., role: _Optional[_Union[MemberRole, str]] = ..., team: _Optional[str] = ...) -> None: ...

class SetEventMemberResponse(_message.Message):
    __slots__ = ("member",)
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    member: EventMember
    def __init__(self, member: _Optional[_Union[EventMember, _Mapping]] = ...) -> None: ...

class RemoveEventMemberRequest(_message.Message):
    __slots__ = ("event", "account")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    event: str
    account: str
    def __init__(self, event: _Optional[str] = ..., account: _Optional[str] = ...) -> None: ...

class RemoveEventMemberResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
