import datetime

from farfalia.v1 import ladders_pb2 as _ladders_pb2
from farfalia.v1 import play_pb2 as _play_pb2
from farfalia.v1 import record_pb2 as _record_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BotInfo(_message.Message):
    __slots__ = ("id", "name", "version", "owner", "house", "registered", "connected", "ratings", "waiting")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    version: str
    owner: str
    house: str
    registered: _timestamp_pb2.Timestamp
    connected: bool
    ratings: _containers.RepeatedCompositeFieldContainer[_play_pb2.Rating]
    waiting: _containers.RepeatedCompositeFieldContainer[_ladders_pb2.LadderWait]
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., owner: _Optional[str] = ..., house: _Optional[str] = ..., registered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., connected: bool = ..., ratings: _Optional[_Iterable[_Union[_play_pb2.Rating, _Mapping]]] = ..., waiting: _Optional[_Iterable[_Union[_ladders_pb2.LadderWait, _Mapping]]] = ...) -> None: ...

class BotVersion(_message.Message):
    __slots__ = ("version", "registered", "ratings")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    version: str
    registered: _timestamp_pb2.Timestamp
    ratings: _containers.RepeatedCompositeFieldContainer[_play_pb2.Rating]
    def __init__(self, version: _Optional[str] = ..., registered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ratings: _Optional[_Iterable[_Union[_play_pb2.Rating, _Mapping]]] = ...) -> None: ...

class RegisterBotRequest(_message.Message):
    __slots__ = ("name", "version", "owner", "house")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    owner: str
    house: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., owner: _Optional[str] = ..., house: _Optional[str] = ...) -> None: ...

class RegisterBotResponse(_message.Message):
    __slots__ = ("bot", "token")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    token: str
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class RotateTokenRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RotateTokenResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("limit", "after")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[BotInfo]
    def __init__(self, bots: _Optional[_Iterable[_Union[BotInfo, _Mapping]]] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot", "versions", "incidents", "logs", "histories", "opponents")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    HISTORIES_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    versions: _containers.RepeatedCompositeFieldContainer[BotVersion]
    incidents: _containers.RepeatedCompositeFieldContainer[BotIncident]
    logs: _containers.RepeatedCompositeFieldContainer[BotLog]
    histories: _containers.RepeatedCompositeFieldContainer[RatingHistory]
    opponents: _containers.RepeatedCompositeFieldContainer[Opponent]
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., versions: _Optional[_Iterable[_Union[BotVersion, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[BotIncident, _Mapping]]] = ..., logs: _Optional[_Iterable[_Union[BotLog, _Mapping]]] = ..., histories: _Optional[_Iterable[_Union[RatingHistory, _Mapping]]] = ..., opponents: _Optional[_Iterable[_Union[Opponent, _Mapping]]] = ...) -> None: ...

class RatingHistory(_message.Message):
    __slots__ = ("ladder", "points")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    points: _containers.RepeatedCompositeFieldContainer[RatingPoint]
    def __init__(self, ladder: _Optional[str] = ..., points: _Optional[_Iterable[_Union[RatingPoint, _Mapping]]] = ...) -> None: ...

class RatingPoint(_message.Message):
    __slots__ = ("match", "finished", "version", "mu", "low", "high")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    match: int
    finished: _timestamp_pb2.Timestamp
    version: str
    mu: float
    low: float
    high: float
    def __init__(self, match: _Optional[int] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[str] = ..., mu: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...

class Opponent(_message.Message):
    __slots__ = ("bot", "better", "worse", "equal", "margin")
    BOT_FIELD_NUMBER: _ClassVar[int]
    BETTER_FIELD_NUMBER: _ClassVar[int]
    WORSE_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    MARGIN_FIELD_NUMBER: _ClassVar[int]
    bot: str
    better: int
    worse: int
    equal: int
    margin: float
    def __init__(self, bot: _Optional[str] = ..., better: _Optional[int] = ..., worse: _Optional[int] = ..., equal: _Optional[int] = ..., margin: _Optional[float] = ...) -> None: ...

class BotIncident(_message.Message):
    __slots__ = ("match", "incident", "text_open")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_FIELD_NUMBER: _ClassVar[int]
    TEXT_OPEN_FIELD_NUMBER: _ClassVar[int]
    match: int
    incident: _record_pb2.Incident
    text_open: bool
    def __init__(self, match: _Optional[int] = ..., incident: _Optional[_Union[_record_pb2.Incident, _Mapping]] = ..., text_open: bool = ...) -> None: ...

class BotLog(_message.Message):
    __slots__ = ("time", "line")
    TIME_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    line: _play_pb2.LogLine
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., line: _Optional[_Union[_play_pb2.LogLine, _Mapping]] = ...) -> None: ...
