import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAUSE_UNSPECIFIED: _ClassVar[Cause]
    CAUSE_BOT: _ClassVar[Cause]
    CAUSE_FORCED: _ClassVar[Cause]
    CAUSE_TIMEOUT: _ClassVar[Cause]
    CAUSE_ILLEGAL: _ClassVar[Cause]
    CAUSE_FAILURE: _ClassVar[Cause]
    CAUSE_ABSENT: _ClassVar[Cause]
    CAUSE_HOUSE: _ClassVar[Cause]
    CAUSE_SERVER: _ClassVar[Cause]
CAUSE_UNSPECIFIED: Cause
CAUSE_BOT: Cause
CAUSE_FORCED: Cause
CAUSE_TIMEOUT: Cause
CAUSE_ILLEGAL: Cause
CAUSE_FAILURE: Cause
CAUSE_ABSENT: Cause
CAUSE_HOUSE: Cause
CAUSE_SERVER: Cause

class RecordSeat(_message.Message):
    __slots__ = ("name", "bot", "version", "house", "nonce", "person")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    bot: str
    version: str
    house: bool
    nonce: bytes
    person: bool
    def __init__(self, name: _Optional[str] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., house: bool = ..., nonce: _Optional[bytes] = ..., person: bool = ...) -> None: ...

class DealSource(_message.Message):
    __slots__ = ("commitment", "nonces", "board", "board_key", "secret", "beacon", "value_function", "daily")
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    BOARD_KEY_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    VALUE_FUNCTION_FIELD_NUMBER: _ClassVar[int]
    DAILY_FIELD_NUMBER: _ClassVar[int]
    commitment: bytes
    nonces: _containers.RepeatedScalarFieldContainer[bytes]
    board: str
    board_key: bytes
    secret: bytes
    beacon: Beacon
    value_function: bytes
    daily: str
    def __init__(self, commitment: _Optional[bytes] = ..., nonces: _Optional[_Iterable[bytes]] = ..., board: _Optional[str] = ..., board_key: _Optional[bytes] = ..., secret: _Optional[bytes] = ..., beacon: _Optional[_Union[Beacon, _Mapping]] = ..., value_function: _Optional[bytes] = ..., daily: _Optional[str] = ...) -> None: ...

class Beacon(_message.Message):
    __slots__ = ("source", "round", "value", "announced", "given")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCED_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    source: str
    round: str
    value: str
    announced: _timestamp_pb2.Timestamp
    given: _timestamp_pb2.Timestamp
    def __init__(self, source: _Optional[str] = ..., round: _Optional[str] = ..., value: _Optional[str] = ..., announced: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., given: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RecordAction(_message.Message):
    __slots__ = ("seat", "action", "at_ms", "took_ms", "cause")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    TOOK_MS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: int
    at_ms: int
    took_ms: int
    cause: Cause
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[int] = ..., at_ms: _Optional[int] = ..., took_ms: _Optional[int] = ..., cause: _Optional[_Union[Cause, str]] = ...) -> None: ...

class Incident(_message.Message):
    __slots__ = ("seat", "action_index", "cause", "strikes", "taken_over", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    TAKEN_OVER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action_index: int
    cause: Cause
    strikes: int
    taken_over: bool
    text: str
    def __init__(self, seat: _Optional[int] = ..., action_index: _Optional[int] = ..., cause: _Optional[_Union[Cause, str]] = ..., strikes: _Optional[int] = ..., taken_over: bool = ..., text: _Optional[str] = ...) -> None: ...

class DealScore(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchOutcome(_message.Message):
    __slots__ = ("points", "places", "deals", "forfeits")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    deals: _containers.RepeatedCompositeFieldContainer[DealScore]
    forfeits: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., deals: _Optional[_Iterable[_Union[DealScore, _Mapping]]] = ..., forfeits: _Optional[_Iterable[int]] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("limit_ms", "bank_ms", "grace")
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    GRACE_FIELD_NUMBER: _ClassVar[int]
    limit_ms: int
    bank_ms: int
    grace: int
    def __init__(self, limit_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., grace: _Optional[int] = ...) -> None: ...

class Record(_message.Message):
    __slots__ = ("format", "engine", "match", "tournament", "ruleset", "options", "seats", "source", "time_control", "actions", "incidents", "outcome", "started", "finished", "digest", "hinted", "taken_back")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    HINTED_FIELD_NUMBER: _ClassVar[int]
    TAKEN_BACK_FIELD_NUMBER: _ClassVar[int]
    format: int
    engine: str
    match: int
    tournament: int
    ruleset: str
    options: _containers.ScalarMap[str, str]
    seats: _containers.RepeatedCompositeFieldContainer[RecordSeat]
    source: DealSource
    time_control: TimeControl
    actions: _containers.RepeatedCompositeFieldContainer[RecordAction]
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    outcome: MatchOutcome
    started: _timestamp_pb2.Timestamp
    finished: _timestamp_pb2.Timestamp
    digest: bytes
    hinted: _containers.RepeatedScalarFieldContainer[int]
    taken_back: _containers.RepeatedCompositeFieldContainer[TakenBack]
    def __init__(self, format: _Optional[int] = ..., engine: _Optional[str] = ..., match: _Optional[int] = ..., tournament: _Optional[int] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., seats: _Optional[_Iterable[_Union[RecordSeat, _Mapping]]] = ..., source: _Optional[_Union[DealSource, _Mapping]] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[RecordAction, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ..., outcome: _Optional[_Union[MatchOutcome, _Mapping]] = ..., started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., digest: _Optional[bytes] = ..., hinted: _Optional[_Iterable[int]] = ..., taken_back: _Optional[_Iterable[_Union[TakenBack, _Mapping]]] = ...) -> None: ...

class TakenBack(_message.Message):
    __slots__ = ("action_index", "decisions")
    ACTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    action_index: int
    decisions: int
    def __init__(self, action_index: _Optional[int] = ..., decisions: _Optional[int] = ...) -> None: ...
