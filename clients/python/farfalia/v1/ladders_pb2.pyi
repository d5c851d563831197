import datetime

from farfalia.v1 import record_pb2 as _record_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LadderWaitReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LADDER_WAIT_REASON_UNSPECIFIED: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_AT_CAPACITY: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_TOO_FEW: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_ONLY_SIBLINGS: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_IN_LINE: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_RESTS: _ClassVar[LadderWaitReason]
    LADDER_WAIT_REASON_EVENT_TIMES: _ClassVar[LadderWaitReason]
LADDER_WAIT_REASON_UNSPECIFIED: LadderWaitReason
LADDER_WAIT_REASON_AT_CAPACITY: LadderWaitReason
LADDER_WAIT_REASON_TOO_FEW: LadderWaitReason
LADDER_WAIT_REASON_ONLY_SIBLINGS: LadderWaitReason
LADDER_WAIT_REASON_IN_LINE: LadderWaitReason
LADDER_WAIT_REASON_RESTS: LadderWaitReason
LADDER_WAIT_REASON_EVENT_TIMES: LadderWaitReason

class Ladder(_message.Message):
    __slots__ = ("ruleset", "options", "time_control", "tables", "siblings", "fill", "opened", "playing", "name", "event", "rungs", "as_played")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    SIBLINGS_FIELD_NUMBER: _ClassVar[int]
    FILL_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    RUNGS_FIELD_NUMBER: _ClassVar[int]
    AS_PLAYED_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    options: _containers.ScalarMap[str, str]
    time_control: _record_pb2.TimeControl
    tables: int
    siblings: bool
    fill: bool
    opened: _timestamp_pb2.Timestamp
    playing: int
    name: str
    event: str
    rungs: _containers.RepeatedScalarFieldContainer[str]
    as_played: bool
    def __init__(self, ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., tables: _Optional[int] = ..., siblings: bool = ..., fill: bool = ..., opened: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., playing: _Optional[int] = ..., name: _Optional[str] = ..., event: _Optional[str] = ..., rungs: _Optional[_Iterable[str]] = ..., as_played: bool = ...) -> None: ...

class LadderWait(_message.Message):
    __slots__ = ("ladder", "reason", "text", "place", "seconds")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    reason: LadderWaitReason
    text: str
    place: int
    seconds: int
    def __init__(self, ladder: _Optional[str] = ..., reason: _Optional[_Union[LadderWaitReason, str]] = ..., text: _Optional[str] = ..., place: _Optional[int] = ..., seconds: _Optional[int] = ...) -> None: ...

class OpenLadderRequest(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: Ladder
    def __init__(self, ladder: _Optional[_Union[Ladder, _Mapping]] = ...) -> None: ...

class OpenLadderResponse(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: Ladder
    def __init__(self, ladder: _Optional[_Union[Ladder, _Mapping]] = ...) -> None: ...

class CloseLadderRequest(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    def __init__(self, ladder: _Optional[str] = ...) -> None: ...

class CloseLadderResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLaddersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLaddersResponse(_message.Message):
    __slots__ = ("ladders", "void_attempts", "rated")
    class VoidAttemptsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    LADDERS_FIELD_NUMBER: _ClassVar[int]
    VOID_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    ladders: _containers.RepeatedCompositeFieldContainer[Ladder]
    void_attempts: _containers.ScalarMap[str, int]
    rated: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ladders: _Optional[_Iterable[_Union[Ladder, _Mapping]]] = ..., void_attempts: _Optional[_Mapping[str, int]] = ..., rated: _Optional[_Iterable[str]] = ...) -> None: ...
