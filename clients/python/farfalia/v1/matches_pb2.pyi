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

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_QUEUED: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_FINISHED: _ClassVar[MatchState]
    MATCH_STATE_VOID: _ClassVar[MatchState]

class VoidReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VOID_REASON_UNSPECIFIED: _ClassVar[VoidReason]
    VOID_REASON_UNPLAYABLE: _ClassVar[VoidReason]
    VOID_REASON_JOURNAL_LOST: _ClassVar[VoidReason]
    VOID_REASON_SERVER_FAILED: _ClassVar[VoidReason]
    VOID_REASON_ABANDONED: _ClassVar[VoidReason]
    VOID_REASON_NETWORK: _ClassVar[VoidReason]
    VOID_REASON_ORGANISER: _ClassVar[VoidReason]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_QUEUED: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_FINISHED: MatchState
MATCH_STATE_VOID: MatchState
VOID_REASON_UNSPECIFIED: VoidReason
VOID_REASON_UNPLAYABLE: VoidReason
VOID_REASON_JOURNAL_LOST: VoidReason
VOID_REASON_SERVER_FAILED: VoidReason
VOID_REASON_ABANDONED: VoidReason
VOID_REASON_NETWORK: VoidReason
VOID_REASON_ORGANISER: VoidReason

class Match(_message.Message):
    __slots__ = ("id", "tournament", "round", "ruleset", "entrants", "state", "outcome", "started", "finished", "stage", "record_open", "board", "luck", "missed", "ladder", "challenger", "persons", "daily")
    ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    RECORD_OPEN_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    CHALLENGER_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    DAILY_FIELD_NUMBER: _ClassVar[int]
    id: int
    tournament: int
    round: int
    ruleset: str
    entrants: _containers.RepeatedScalarFieldContainer[str]
    state: MatchState
    outcome: _record_pb2.MatchOutcome
    started: _timestamp_pb2.Timestamp
    finished: _timestamp_pb2.Timestamp
    stage: int
    record_open: bool
    board: str
    luck: _containers.RepeatedScalarFieldContainer[float]
    missed: _containers.RepeatedScalarFieldContainer[int]
    ladder: str
    challenger: str
    persons: _containers.RepeatedScalarFieldContainer[int]
    daily: str
    def __init__(self, id: _Optional[int] = ..., tournament: _Optional[int] = ..., round: _Optional[int] = ..., ruleset: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[MatchState, str]] = ..., outcome: _Optional[_Union[_record_pb2.MatchOutcome, _Mapping]] = ..., started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., stage: _Optional[int] = ..., record_open: bool = ..., board: _Optional[str] = ..., luck: _Optional[_Iterable[float]] = ..., missed: _Optional[_Iterable[int]] = ..., ladder: _Optional[str] = ..., challenger: _Optional[str] = ..., persons: _Optional[_Iterable[int]] = ..., daily: _Optional[str] = ...) -> None: ...

class VoidAttempt(_message.Message):
    __slots__ = ("id", "match", "tournament", "ruleset", "attempt", "voided", "open", "reason", "text", "source")
    ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    id: int
    match: int
    tournament: int
    ruleset: str
    attempt: int
    voided: _timestamp_pb2.Timestamp
    open: bool
    reason: VoidReason
    text: str
    source: _record_pb2.DealSource
    def __init__(self, id: _Optional[int] = ..., match: _Optional[int] = ..., tournament: _Optional[int] = ..., ruleset: _Optional[str] = ..., attempt: _Optional[int] = ..., voided: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., open: bool = ..., reason: _Optional[_Union[VoidReason, str]] = ..., text: _Optional[str] = ..., source: _Optional[_Union[_record_pb2.DealSource, _Mapping]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("tournament", "board", "matches")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    board: str
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    def __init__(self, tournament: _Optional[int] = ..., board: _Optional[str] = ..., matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("tournament", "bot", "limit", "before", "state", "against", "game", "version", "place", "strikes", "newest", "seats", "ladder", "challenger", "event", "since")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    CHALLENGER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    bot: str
    limit: int
    before: int
    state: MatchState
    against: str
    game: str
    version: str
    place: int
    strikes: bool
    newest: int
    seats: int
    ladder: str
    challenger: str
    event: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, tournament: _Optional[int] = ..., bot: _Optional[str] = ..., limit: _Optional[int] = ..., before: _Optional[int] = ..., state: _Optional[_Union[MatchState, str]] = ..., against: _Optional[str] = ..., game: _Optional[str] = ..., version: _Optional[str] = ..., place: _Optional[int] = ..., strikes: bool = ..., newest: _Optional[int] = ..., seats: _Optional[int] = ..., ladder: _Optional[str] = ..., challenger: _Optional[str] = ..., event: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ChallengeSeat(_message.Message):
    __slots__ = ("bot", "house")
    BOT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    bot: str
    house: str
    def __init__(self, bot: _Optional[str] = ..., house: _Optional[str] = ...) -> None: ...

class CreateChallengeRequest(_message.Message):
    __slots__ = ("ruleset", "options", "time_control", "seats", "daily")
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
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DAILY_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    options: _containers.ScalarMap[str, str]
    time_control: _record_pb2.TimeControl
    seats: _containers.RepeatedCompositeFieldContainer[ChallengeSeat]
    daily: bool
    def __init__(self, ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[ChallengeSeat, _Mapping]]] = ..., daily: bool = ...) -> None: ...

class CreateChallengeResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class CancelChallengeRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: int
    def __init__(self, match: _Optional[int] = ...) -> None: ...

class CancelChallengeResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ...) -> None: ...

class ListVoidAttemptsRequest(_message.Message):
    __slots__ = ("tournament", "ladder", "limit", "before")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    ladder: str
    limit: int
    before: int
    def __init__(self, tournament: _Optional[int] = ..., ladder: _Optional[str] = ..., limit: _Optional[int] = ..., before: _Optional[int] = ...) -> None: ...

class ListVoidAttemptsResponse(_message.Message):
    __slots__ = ("attempts",)
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    attempts: _containers.RepeatedCompositeFieldContainer[VoidAttempt]
    def __init__(self, attempts: _Optional[_Iterable[_Union[VoidAttempt, _Mapping]]] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: int
    def __init__(self, match: _Optional[int] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.Record
    def __init__(self, record: _Optional[_Union[_record_pb2.Record, _Mapping]] = ...) -> None: ...
