import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACT_KIND_UNSPECIFIED: _ClassVar[ActKind]
    ACT_KIND_START: _ClassVar[ActKind]
    ACT_KIND_PAUSE: _ClassVar[ActKind]
    ACT_KIND_RESUME: _ClassVar[ActKind]
    ACT_KIND_VOID: _ClassVar[ActKind]
    ACT_KIND_REPLAY: _ClassVar[ActKind]
    ACT_KIND_ENTER: _ClassVar[ActKind]
    ACT_KIND_WITHDRAW: _ClassVar[ActKind]
    ACT_KIND_CANCEL: _ClassVar[ActKind]
    ACT_KIND_FINISH: _ClassVar[ActKind]
    ACT_KIND_CREATE: _ClassVar[ActKind]
    ACT_KIND_CHANGE: _ClassVar[ActKind]
    ACT_KIND_PUBLISH: _ClassVar[ActKind]
    ACT_KIND_CLOSE: _ClassVar[ActKind]
    ACT_KIND_JOIN: _ClassVar[ActKind]
    ACT_KIND_SET_MEMBER: _ClassVar[ActKind]
    ACT_KIND_REMOVE_MEMBER: _ClassVar[ActKind]
    ACT_KIND_INVITE: _ClassVar[ActKind]
    ACT_KIND_END_INVITATION: _ClassVar[ActKind]
    ACT_KIND_OPEN_LADDER: _ClassVar[ActKind]
    ACT_KIND_CLOSE_LADDER: _ClassVar[ActKind]
    ACT_KIND_REVOKE_ACCOUNT: _ClassVar[ActKind]
    ACT_KIND_SET_PASSWORD: _ClassVar[ActKind]
    ACT_KIND_ROTATE_TOKEN: _ClassVar[ActKind]
    ACT_KIND_SUSPEND: _ClassVar[ActKind]
    ACT_KIND_LET_BACK: _ClassVar[ActKind]
    ACT_KIND_HIDE: _ClassVar[ActKind]
    ACT_KIND_SHOW: _ClassVar[ActKind]
    ACT_KIND_RENAME: _ClassVar[ActKind]
    ACT_KIND_REMOVE: _ClassVar[ActKind]
    ACT_KIND_STRIKE: _ClassVar[ActKind]
    ACT_KIND_CREATE_TOKEN: _ClassVar[ActKind]
    ACT_KIND_REVOKE_TOKEN: _ClassVar[ActKind]
    ACT_KIND_SCHEDULE: _ClassVar[ActKind]
    ACT_KIND_LINK_PASSWORD: _ClassVar[ActKind]
    ACT_KIND_ANNOUNCE: _ClassVar[ActKind]
    ACT_KIND_RETRACT: _ClassVar[ActKind]
    ACT_KIND_SET_EMAIL: _ClassVar[ActKind]
    ACT_KIND_REPLACE: _ClassVar[ActKind]
ACT_KIND_UNSPECIFIED: ActKind
ACT_KIND_START: ActKind
ACT_KIND_PAUSE: ActKind
ACT_KIND_RESUME: ActKind
ACT_KIND_VOID: ActKind
ACT_KIND_REPLAY: ActKind
ACT_KIND_ENTER: ActKind
ACT_KIND_WITHDRAW: ActKind
ACT_KIND_CANCEL: ActKind
ACT_KIND_FINISH: ActKind
ACT_KIND_CREATE: ActKind
ACT_KIND_CHANGE: ActKind
ACT_KIND_PUBLISH: ActKind
ACT_KIND_CLOSE: ActKind
ACT_KIND_JOIN: ActKind
ACT_KIND_SET_MEMBER: ActKind
ACT_KIND_REMOVE_MEMBER: ActKind
ACT_KIND_INVITE: ActKind
ACT_KIND_END_INVITATION: ActKind
ACT_KIND_OPEN_LADDER: ActKind
ACT_KIND_CLOSE_LADDER: ActKind
ACT_KIND_REVOKE_ACCOUNT: ActKind
ACT_KIND_SET_PASSWORD: ActKind
ACT_KIND_ROTATE_TOKEN: ActKind
ACT_KIND_SUSPEND: ActKind
ACT_KIND_LET_BACK: ActKind
ACT_KIND_HIDE: ActKind
ACT_KIND_SHOW: ActKind
ACT_KIND_RENAME: ActKind
ACT_KIND_REMOVE: ActKind
ACT_KIND_STRIKE: ActKind
ACT_KIND_CREATE_TOKEN: ActKind
ACT_KIND_REVOKE_TOKEN: ActKind
ACT_KIND_SCHEDULE: ActKind
ACT_KIND_LINK_PASSWORD: ActKind
ACT_KIND_ANNOUNCE: ActKind
ACT_KIND_RETRACT: ActKind
ACT_KIND_SET_EMAIL: ActKind
ACT_KIND_REPLACE: ActKind

class Act(_message.Message):
    __slots__ = ("kind", "who", "subject", "reason", "time", "id", "event", "tournament")
    KIND_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    kind: ActKind
    who: str
    subject: str
    reason: str
    time: _timestamp_pb2.Timestamp
    id: int
    event: str
    tournament: int
    def __init__(self, kind: _Optional[_Union[ActKind, str]] = ..., who: _Optional[str] = ..., subject: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[int] = ..., event: _Optional[str] = ..., tournament: _Optional[int] = ...) -> None: ...

class ListActsRequest(_message.Message):
    __slots__ = ("tournament", "event", "who", "before", "limit")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    event: str
    who: str
    before: int
    limit: int
    def __init__(self, tournament: _Optional[int] = ..., event: _Optional[str] = ..., who: _Optional[str] = ..., before: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ListActsResponse(_message.Message):
    __slots__ = ("acts",)
    ACTS_FIELD_NUMBER: _ClassVar[int]
    acts: _containers.RepeatedCompositeFieldContainer[Act]
    def __init__(self, acts: _Optional[_Iterable[_Union[Act, _Mapping]]] = ...) -> None: ...
