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

class GatheringState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GATHERING_STATE_UNSPECIFIED: _ClassVar[GatheringState]
    GATHERING_STATE_OPEN: _ClassVar[GatheringState]
    GATHERING_STATE_BEGUN: _ClassVar[GatheringState]
    GATHERING_STATE_CLOSED: _ClassVar[GatheringState]
    GATHERING_STATE_EXPIRED: _ClassVar[GatheringState]
GATHERING_STATE_UNSPECIFIED: GatheringState
GATHERING_STATE_OPEN: GatheringState
GATHERING_STATE_BEGUN: GatheringState
GATHERING_STATE_CLOSED: GatheringState
GATHERING_STATE_EXPIRED: GatheringState

class GatheringPerson(_message.Message):
    __slots__ = ("bot", "ready")
    BOT_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    bot: str
    ready: bool
    def __init__(self, bot: _Optional[str] = ..., ready: bool = ...) -> None: ...

class Gathering(_message.Message):
    __slots__ = ("key", "ruleset", "seats", "house", "time_control", "people", "state", "match", "expires")
    KEY_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    key: str
    ruleset: str
    seats: int
    house: str
    time_control: _record_pb2.TimeControl
    people: _containers.RepeatedCompositeFieldContainer[GatheringPerson]
    state: GatheringState
    match: int
    expires: _timestamp_pb2.Timestamp
    def __init__(self, key: _Optional[str] = ..., ruleset: _Optional[str] = ..., seats: _Optional[int] = ..., house: _Optional[str] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., people: _Optional[_Iterable[_Union[GatheringPerson, _Mapping]]] = ..., state: _Optional[_Union[GatheringState, str]] = ..., match: _Optional[int] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OpenGatheringRequest(_message.Message):
    __slots__ = ("ruleset", "house", "time_control")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    house: str
    time_control: _record_pb2.TimeControl
    def __init__(self, ruleset: _Optional[str] = ..., house: _Optional[str] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ...) -> None: ...

class OpenGatheringResponse(_message.Message):
    __slots__ = ("gathering",)
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    gathering: Gathering
    def __init__(self, gathering: _Optional[_Union[Gathering, _Mapping]] = ...) -> None: ...

class GetGatheringRequest(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: str
    def __init__(self, key: _Optional[str] = ...) -> None: ...

class GetGatheringResponse(_message.Message):
    __slots__ = ("gathering",)
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    gathering: Gathering
    def __init__(self, gathering: _Optional[_Union[Gathering, _Mapping]] = ...) -> None: ...

class JoinGatheringRequest(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: str
    def __init__(self, key: _Optional[str] = ...) -> None: ...

class JoinGatheringResponse(_message.Message):
    __slots__ = ("gathering",)
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    gathering: Gathering
    def __init__(self, gathering: _Optional[_Union[Gathering, _Mapping]] = ...) -> None: ...

class LeaveGatheringRequest(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: str
    def __init__(self, key: _Optional[str] = ...) -> None: ...

class LeaveGatheringResponse(_message.Message):
    __slots__ = ("gathering",)
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    gathering: Gathering
    def __init__(self, gathering: _Optional[_Union[Gathering, _Mapping]] = ...) -> None: ...

class BeginGatheringRequest(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: str
    def __init__(self, key: _Optional[str] = ...) -> None: ...

class BeginGatheringResponse(_message.Message):
    __slots__ = ("gathering",)
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    gathering: Gathering
    def __init__(self, gathering: _Optional[_Union[Gathering, _Mapping]] = ...) -> None: ...
