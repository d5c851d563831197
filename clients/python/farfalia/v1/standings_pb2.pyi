from farfalia.v1 import play_pb2 as _play_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Standing(_message.Message):
    __slots__ = ("place", "entrant", "house", "withdrawn", "matches", "units", "points", "relative", "adjusted", "margin", "places", "rating", "strikes", "forfeits", "best_rank", "worst_rank", "brackets", "missed", "formerly")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RELATIVE_FIELD_NUMBER: _ClassVar[int]
    ADJUSTED_FIELD_NUMBER: _ClassVar[int]
    MARGIN_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    BEST_RANK_FIELD_NUMBER: _ClassVar[int]
    WORST_RANK_FIELD_NUMBER: _ClassVar[int]
    BRACKETS_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    FORMERLY_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant: str
    house: bool
    withdrawn: bool
    matches: int
    units: int
    points: int
    relative: float
    adjusted: float
    margin: float
    places: _containers.RepeatedScalarFieldContainer[int]
    rating: _play_pb2.Rating
    strikes: int
    forfeits: int
    best_rank: int
    worst_rank: int
    brackets: str
    missed: int
    formerly: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, place: _Optional[int] = ..., entrant: _Optional[str] = ..., house: bool = ..., withdrawn: bool = ..., matches: _Optional[int] = ..., units: _Optional[int] = ..., points: _Optional[int] = ..., relative: _Optional[float] = ..., adjusted: _Optional[float] = ..., margin: _Optional[float] = ..., places: _Optional[_Iterable[int]] = ..., rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., strikes: _Optional[int] = ..., forfeits: _Optional[int] = ..., best_rank: _Optional[int] = ..., worst_rank: _Optional[int] = ..., brackets: _Optional[str] = ..., missed: _Optional[int] = ..., formerly: _Optional[_Iterable[str]] = ...) -> None: ...

class StrengthModel(_message.Message):
    __slots__ = ("hand", "block", "luck", "priors", "families", "known")
    HAND_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    PRIORS_FIELD_NUMBER: _ClassVar[int]
    FAMILIES_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    hand: float
    block: float
    luck: float
    priors: _containers.RepeatedCompositeFieldContainer[StrengthPrior]
    families: _containers.RepeatedCompositeFieldContainer[StrengthFamily]
    known: _containers.RepeatedCompositeFieldContainer[KnownStrength]
    def __init__(self, hand: _Optional[float] = ..., block: _Optional[float] = ..., luck: _Optional[float] = ..., priors: _Optional[_Iterable[_Union[StrengthPrior, _Mapping]]] = ..., families: _Optional[_Iterable[_Union[StrengthFamily, _Mapping]]] = ..., known: _Optional[_Iterable[_Union[KnownStrength, _Mapping]]] = ...) -> None: ...

class KnownStrength(_message.Message):
    __slots__ = ("row", "ladder", "mean", "sigma", "matches")
    ROW_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    row: int
    ladder: str
    mean: float
    sigma: float
    matches: int
    def __init__(self, row: _Optional[int] = ..., ladder: _Optional[str] = ..., mean: _Optional[float] = ..., sigma: _Optional[float] = ..., matches: _Optional[int] = ...) -> None: ...

class StrengthFamily(_message.Message):
    __slots__ = ("rows",)
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, rows: _Optional[_Iterable[int]] = ...) -> None: ...

class StrengthPrior(_message.Message):
    __slots__ = ("weight", "precisions", "families", "known")
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    PRECISIONS_FIELD_NUMBER: _ClassVar[int]
    FAMILIES_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    weight: float
    precisions: _containers.RepeatedScalarFieldContainer[float]
    families: _containers.RepeatedScalarFieldContainer[float]
    known: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, weight: _Optional[float] = ..., precisions: _Optional[_Iterable[float]] = ..., families: _Optional[_Iterable[float]] = ..., known: _Optional[_Iterable[float]] = ...) -> None: ...

class FirstPlace(_message.Message):
    __slots__ = ("entrant", "probability", "known", "rounds", "low", "high", "planned")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    PLANNED_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    probability: float
    known: bool
    rounds: int
    low: int
    high: int
    planned: int
    def __init__(self, entrant: _Optional[str] = ..., probability: _Optional[float] = ..., known: bool = ..., rounds: _Optional[int] = ..., low: _Optional[int] = ..., high: _Optional[int] = ..., planned: _Optional[int] = ...) -> None: ...

class PairsBeyondStrength(_message.Message):
    __slots__ = ("pairs",)
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    pairs: _containers.RepeatedCompositeFieldContainer[PairBeyondStrength]
    def __init__(self, pairs: _Optional[_Iterable[_Union[PairBeyondStrength, _Mapping]]] = ...) -> None: ...

class PairBeyondStrength(_message.Message):
    __slots__ = ("entrant", "other", "meetings", "points", "low", "high", "stands_out")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    STANDS_OUT_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    other: str
    meetings: int
    points: float
    low: float
    high: float
    stands_out: bool
    def __init__(self, entrant: _Optional[str] = ..., other: _Optional[str] = ..., meetings: _Optional[int] = ..., points: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., stands_out: bool = ...) -> None: ...

class Pair(_message.Message):
    __slots__ = ("row", "column", "meetings", "better", "equal", "stronger", "beyond_strength", "beyond_error", "stands_out", "difference", "difference_low", "difference_high", "doubtful")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    BETTER_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    STRONGER_FIELD_NUMBER: _ClassVar[int]
    BEYOND_STRENGTH_FIELD_NUMBER: _ClassVar[int]
    BEYOND_ERROR_FIELD_NUMBER: _ClassVar[int]
    STANDS_OUT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_LOW_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_HIGH_FIELD_NUMBER: _ClassVar[int]
    DOUBTFUL_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    meetings: int
    better: int
    equal: int
    stronger: float
    beyond_strength: float
    beyond_error: float
    stands_out: bool
    difference: float
    difference_low: float
    difference_high: float
    doubtful: bool
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ..., meetings: _Optional[int] = ..., better: _Optional[int] = ..., equal: _Optional[int] = ..., stronger: _Optional[float] = ..., beyond_strength: _Optional[float] = ..., beyond_error: _Optional[float] = ..., stands_out: bool = ..., difference: _Optional[float] = ..., difference_low: _Optional[float] = ..., difference_high: _Optional[float] = ..., doubtful: bool = ...) -> None: ...
