import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DailyResult(_message.Message):
    __slots__ = ("bot", "house", "points", "place_at_table", "place", "match", "own")
    BOT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLACE_AT_TABLE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    bot: str
    house: str
    points: int
    place_at_table: int
    place: int
    match: int
    own: bool
    def __init__(self, bot: _Optional[str] = ..., house: _Optional[str] = ..., points: _Optional[int] = ..., place_at_table: _Optional[int] = ..., place: _Optional[int] = ..., match: _Optional[int] = ..., own: bool = ...) -> None: ...

class DailyBoard(_message.Message):
    __slots__ = ("ruleset", "day", "seat", "entrants", "closes", "opens", "shown", "results", "match", "earlier", "later")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    DAY_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    CLOSES_FIELD_NUMBER: _ClassVar[int]
    OPENS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    LATER_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    day: str
    seat: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    closes: _timestamp_pb2.Timestamp
    opens: _timestamp_pb2.Timestamp
    shown: bool
    results: _containers.RepeatedCompositeFieldContainer[DailyResult]
    match: int
    earlier: str
    later: str
    def __init__(self, ruleset: _Optional[str] = ..., day: _Optional[str] = ..., seat: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., closes: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., opens: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., shown: bool = ..., results: _Optional[_Iterable[_Union[DailyResult, _Mapping]]] = ..., match: _Optional[int] = ..., earlier: _Optional[str] = ..., later: _Optional[str] = ...) -> None: ...

class GetDailyBoardRequest(_message.Message):
    __slots__ = ("ruleset", "day")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    DAY_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    day: str
    def __init__(self, ruleset: _Optional[str] = ..., day: _Optional[str] = ...) -> None: ...

class GetDailyBoardResponse(_message.Message):
    __slots__ = ("board",)
    BOARD_FIELD_NUMBER: _ClassVar[int]
    board: DailyBoard
    def __init__(self, board: _Optional[_Union[DailyBoard, _Mapping]] = ...) -> None: ...
