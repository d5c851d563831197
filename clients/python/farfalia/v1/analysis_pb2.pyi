from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnalysisState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANALYSIS_STATE_UNSPECIFIED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_NONE: _ClassVar[AnalysisState]
    ANALYSIS_STATE_WAITING: _ClassVar[AnalysisState]
    ANALYSIS_STATE_RUNNING: _ClassVar[AnalysisState]
    ANALYSIS_STATE_DONE: _ClassVar[AnalysisState]
    ANALYSIS_STATE_FAILED: _ClassVar[AnalysisState]
ANALYSIS_STATE_UNSPECIFIED: AnalysisState
ANALYSIS_STATE_NONE: AnalysisState
ANALYSIS_STATE_WAITING: AnalysisState
ANALYSIS_STATE_RUNNING: AnalysisState
ANALYSIS_STATE_DONE: AnalysisState
ANALYSIS_STATE_FAILED: AnalysisState

class ActionValue(_message.Message):
    __slots__ = ("action", "value", "error", "place", "first")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    action: int
    value: float
    error: float
    place: float
    first: float
    def __init__(self, action: _Optional[int] = ..., value: _Optional[float] = ..., error: _Optional[float] = ..., place: _Optional[float] = ..., first: _Optional[float] = ...) -> None: ...

class PlacePrice(_message.Message):
    __slots__ = ("best", "price", "error")
    BEST_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    best: int
    price: float
    error: float
    def __init__(self, best: _Optional[int] = ..., price: _Optional[float] = ..., error: _Optional[float] = ...) -> None: ...

class PricedDecision(_message.Message):
    __slots__ = ("match", "number", "deal", "trick", "seat", "aspect", "action", "best", "price", "error", "open_price", "mistake", "replaced", "values", "version", "places")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASPECT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    BEST_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    OPEN_PRICE_FIELD_NUMBER: _ClassVar[int]
    MISTAKE_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    deal: int
    trick: int
    seat: int
    aspect: str
    action: int
    best: int
    price: float
    error: float
    open_price: float
    mistake: bool
    replaced: bool
    values: _containers.RepeatedCompositeFieldContainer[ActionValue]
    version: str
    places: PlacePrice
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., deal: _Optional[int] = ..., trick: _Optional[int] = ..., seat: _Optional[int] = ..., aspect: _Optional[str] = ..., action: _Optional[int] = ..., best: _Optional[int] = ..., price: _Optional[float] = ..., error: _Optional[float] = ..., open_price: _Optional[float] = ..., mistake: bool = ..., replaced: bool = ..., values: _Optional[_Iterable[_Union[ActionValue, _Mapping]]] = ..., version: _Optional[str] = ..., places: _Optional[_Union[PlacePrice, _Mapping]] = ...) -> None: ...

class SeatPrices(_message.Message):
    __slots__ = ("seat", "entrant", "aspect", "decisions", "mistakes", "price")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ASPECT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MISTAKES_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    entrant: str
    aspect: str
    decisions: int
    mistakes: int
    price: float
    def __init__(self, seat: _Optional[int] = ..., entrant: _Optional[str] = ..., aspect: _Optional[str] = ..., decisions: _Optional[int] = ..., mistakes: _Optional[int] = ..., price: _Optional[float] = ...) -> None: ...

class Analysis(_message.Message):
    __slots__ = ("match", "state", "seats", "decisions")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    match: int
    state: AnalysisState
    seats: _containers.RepeatedCompositeFieldContainer[SeatPrices]
    decisions: _containers.RepeatedCompositeFieldContainer[PricedDecision]
    def __init__(self, match: _Optional[int] = ..., state: _Optional[_Union[AnalysisState, str]] = ..., seats: _Optional[_Iterable[_Union[SeatPrices, _Mapping]]] = ..., decisions: _Optional[_Iterable[_Union[PricedDecision, _Mapping]]] = ...) -> None: ...

class VersionPrices(_message.Message):
    __slots__ = ("ruleset", "version", "aspect", "decisions", "mistakes", "price", "error", "field_decisions", "field_mistakes", "field_price")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ASPECT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MISTAKES_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FIELD_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    FIELD_MISTAKES_FIELD_NUMBER: _ClassVar[int]
    FIELD_PRICE_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    version: str
    aspect: str
    decisions: int
    mistakes: int
    price: float
    error: float
    field_decisions: int
    field_mistakes: int
    field_price: float
    def __init__(self, ruleset: _Optional[str] = ..., version: _Optional[str] = ..., aspect: _Optional[str] = ..., decisions: _Optional[int] = ..., mistakes: _Optional[int] = ..., price: _Optional[float] = ..., error: _Optional[float] = ..., field_decisions: _Optional[int] = ..., field_mistakes: _Optional[int] = ..., field_price: _Optional[float] = ...) -> None: ...

class GetAnalysisRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: int
    def __init__(self, match: _Optional[int] = ...) -> None: ...

class GetAnalysisResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: Analysis
    def __init__(self, analysis: _Optional[_Union[Analysis, _Mapping]] = ...) -> None: ...

class RequestAnalysisRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: int
    def __init__(self, match: _Optional[int] = ...) -> None: ...

class RequestAnalysisResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: AnalysisState
    def __init__(self, state: _Optional[_Union[AnalysisState, str]] = ...) -> None: ...
