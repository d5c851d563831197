import datetime

from farfalia.v1 import bots_pb2 as _bots_pb2
from farfalia.v1 import play_pb2 as _play_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RatingOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATING_ORDER_UNSPECIFIED: _ClassVar[RatingOrder]
    RATING_ORDER_SKILL: _ClassVar[RatingOrder]
    RATING_ORDER_MATCHES: _ClassVar[RatingOrder]
    RATING_ORDER_NAME: _ClassVar[RatingOrder]
    RATING_ORDER_LAST_MATCH: _ClassVar[RatingOrder]

class RecordProblemReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECORD_PROBLEM_REASON_UNSPECIFIED: _ClassVar[RecordProblemReason]
    RECORD_PROBLEM_REASON_MATCH_MISSING: _ClassVar[RecordProblemReason]
    RECORD_PROBLEM_REASON_MISSING: _ClassVar[RecordProblemReason]
    RECORD_PROBLEM_REASON_DAMAGED: _ClassVar[RecordProblemReason]
    RECORD_PROBLEM_REASON_INVALID: _ClassVar[RecordProblemReason]
    RECORD_PROBLEM_REASON_DIFFERENT: _ClassVar[RecordProblemReason]

class RatingChainReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATING_CHAIN_REASON_UNSPECIFIED: _ClassVar[RatingChainReason]
    RATING_CHAIN_REASON_MISSING: _ClassVar[RatingChainReason]
    RATING_CHAIN_REASON_DAMAGED: _ClassVar[RatingChainReason]
    RATING_CHAIN_REASON_DIFFERENT: _ClassVar[RatingChainReason]
    RATING_CHAIN_REASON_SUPERFLUOUS: _ClassVar[RatingChainReason]
RATING_ORDER_UNSPECIFIED: RatingOrder
RATING_ORDER_SKILL: RatingOrder
RATING_ORDER_MATCHES: RatingOrder
RATING_ORDER_NAME: RatingOrder
RATING_ORDER_LAST_MATCH: RatingOrder
RECORD_PROBLEM_REASON_UNSPECIFIED: RecordProblemReason
RECORD_PROBLEM_REASON_MATCH_MISSING: RecordProblemReason
RECORD_PROBLEM_REASON_MISSING: RecordProblemReason
RECORD_PROBLEM_REASON_DAMAGED: RecordProblemReason
RECORD_PROBLEM_REASON_INVALID: RecordProblemReason
RECORD_PROBLEM_REASON_DIFFERENT: RecordProblemReason
RATING_CHAIN_REASON_UNSPECIFIED: RatingChainReason
RATING_CHAIN_REASON_MISSING: RatingChainReason
RATING_CHAIN_REASON_DAMAGED: RatingChainReason
RATING_CHAIN_REASON_DIFFERENT: RatingChainReason
RATING_CHAIN_REASON_SUPERFLUOUS: RatingChainReason

class RatedBot(_message.Message):
    __slots__ = ("place", "bot", "rating", "fit", "low", "high", "settled", "group", "trend", "last_match", "info", "last_group", "points", "points_margin")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    TREND_FIELD_NUMBER: _ClassVar[int]
    LAST_MATCH_FIELD_NUMBER: _ClassVar[int]
    INFO_FIELD_NUMBER: _ClassVar[int]
    LAST_GROUP_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_MARGIN_FIELD_NUMBER: _ClassVar[int]
    place: int
    bot: str
    rating: _play_pb2.Rating
    fit: FittedRating
    low: float
    high: float
    settled: bool
    group: int
    trend: _containers.RepeatedScalarFieldContainer[float]
    last_match: _timestamp_pb2.Timestamp
    info: _bots_pb2.BotInfo
    last_group: int
    points: float
    points_margin: float
    def __init__(self, place: _Optional[int] = ..., bot: _Optional[str] = ..., rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., fit: _Optional[_Union[FittedRating, _Mapping]] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., settled: bool = ..., group: _Optional[int] = ..., trend: _Optional[_Iterable[float]] = ..., last_match: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., info: _Optional[_Union[_bots_pb2.BotInfo, _Mapping]] = ..., last_group: _Optional[int] = ..., points: _Optional[float] = ..., points_margin: _Optional[float] = ...) -> None: ...

class FixedBot(_message.Message):
    __slots__ = ("bot", "mu", "sigma")
    BOT_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    bot: str
    mu: float
    sigma: float
    def __init__(self, bot: _Optional[str] = ..., mu: _Optional[float] = ..., sigma: _Optional[float] = ...) -> None: ...

class FittedRating(_message.Message):
    __slots__ = ("mu", "low", "high", "matches", "made", "strength", "strength_low", "strength_high")
    MU_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_LOW_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_HIGH_FIELD_NUMBER: _ClassVar[int]
    mu: float
    low: float
    high: float
    matches: int
    made: _timestamp_pb2.Timestamp
    strength: float
    strength_low: float
    strength_high: float
    def __init__(self, mu: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., matches: _Optional[int] = ..., made: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., strength: _Optional[float] = ..., strength_low: _Optional[float] = ..., strength_high: _Optional[float] = ...) -> None: ...

class ListRatingsRequest(_message.Message):
    __slots__ = ("ladder", "all_versions", "limit", "skip", "search", "owner", "order")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ALL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SKIP_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    all_versions: bool
    limit: int
    skip: int
    search: str
    owner: str
    order: RatingOrder
    def __init__(self, ladder: _Optional[str] = ..., all_versions: bool = ..., limit: _Optional[int] = ..., skip: _Optional[int] = ..., search: _Optional[str] = ..., owner: _Optional[str] = ..., order: _Optional[_Union[RatingOrder, str]] = ...) -> None: ...

class ListRatingsResponse(_message.Message):
    __slots__ = ("bots", "total", "lowest", "highest", "reliability", "pairs", "fixed", "less_luck")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    LOWEST_FIELD_NUMBER: _ClassVar[int]
    HIGHEST_FIELD_NUMBER: _ClassVar[int]
    RELIABILITY_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    FIXED_FIELD_NUMBER: _ClassVar[int]
    LESS_LUCK_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[RatedBot]
    total: int
    lowest: float
    highest: float
    reliability: _containers.RepeatedCompositeFieldContainer[Reliability]
    pairs: _containers.RepeatedCompositeFieldContainer[PairReliability]
    fixed: _containers.RepeatedCompositeFieldContainer[FixedBot]
    less_luck: bool
    def __init__(self, bots: _Optional[_Iterable[_Union[RatedBot, _Mapping]]] = ..., total: _Optional[int] = ..., lowest: _Optional[float] = ..., highest: _Optional[float] = ..., reliability: _Optional[_Iterable[_Union[Reliability, _Mapping]]] = ..., pairs: _Optional[_Iterable[_Union[PairReliability, _Mapping]]] = ..., fixed: _Optional[_Iterable[_Union[FixedBot, _Mapping]]] = ..., less_luck: bool = ...) -> None: ...

class Reliability(_message.Message):
    __slots__ = ("low", "high", "pairs", "said", "happened")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    HAPPENED_FIELD_NUMBER: _ClassVar[int]
    low: float
    high: float
    pairs: int
    said: float
    happened: float
    def __init__(self, low: _Optional[float] = ..., high: _Optional[float] = ..., pairs: _Optional[int] = ..., said: _Optional[float] = ..., happened: _Optional[float] = ...) -> None: ...

class PairReliability(_message.Message):
    __slots__ = ("low", "high", "pairs", "shown", "said", "happened")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    HAPPENED_FIELD_NUMBER: _ClassVar[int]
    low: float
    high: float
    pairs: int
    shown: float
    said: float
    happened: float
    def __init__(self, low: _Optional[float] = ..., high: _Optional[float] = ..., pairs: _Optional[int] = ..., shown: _Optional[float] = ..., said: _Optional[float] = ..., happened: _Optional[float] = ...) -> None: ...

class RatingChainEntry(_message.Message):
    __slots__ = ("number", "line")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    number: int
    line: str
    def __init__(self, number: _Optional[int] = ..., line: _Optional[str] = ...) -> None: ...

class ListRatingChainRequest(_message.Message):
    __slots__ = ("ladder", "limit", "after")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    limit: int
    after: int
    def __init__(self, ladder: _Optional[str] = ..., limit: _Optional[int] = ..., after: _Optional[int] = ...) -> None: ...

class ListRatingChainResponse(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[RatingChainEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[RatingChainEntry, _Mapping]]] = ...) -> None: ...

class RecordProblem(_message.Message):
    __slots__ = ("match", "place", "reason", "text")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    match: int
    place: int
    reason: RecordProblemReason
    text: str
    def __init__(self, match: _Optional[int] = ..., place: _Optional[int] = ..., reason: _Optional[_Union[RecordProblemReason, str]] = ..., text: _Optional[str] = ...) -> None: ...

class RatingDifference(_message.Message):
    __slots__ = ("bot", "kept", "rebuilt")
    BOT_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    REBUILT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    kept: _play_pb2.Rating
    rebuilt: _play_pb2.Rating
    def __init__(self, bot: _Optional[str] = ..., kept: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., rebuilt: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ...) -> None: ...

class RatingChainDifference(_message.Message):
    __slots__ = ("ladder", "entry", "reason", "text")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    entry: int
    reason: RatingChainReason
    text: str
    def __init__(self, ladder: _Optional[str] = ..., entry: _Optional[int] = ..., reason: _Optional[_Union[RatingChainReason, str]] = ..., text: _Optional[str] = ...) -> None: ...

class RebuildRatingsRequest(_message.Message):
    __slots__ = ("replace",)
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    replace: bool
    def __init__(self, replace: bool = ...) -> None: ...

class RebuildRatingsResponse(_message.Message):
    __slots__ = ("checked", "total", "over", "problems", "problem_count", "differences", "replaced", "chain_differences")
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    CHAIN_DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    checked: int
    total: int
    over: bool
    problems: _containers.RepeatedCompositeFieldContainer[RecordProblem]
    problem_count: int
    differences: _containers.RepeatedCompositeFieldContainer[RatingDifference]
    replaced: bool
    chain_differences: _containers.RepeatedCompositeFieldContainer[RatingChainDifference]
    def __init__(self, checked: _Optional[int] = ..., total: _Optional[int] = ..., over: bool = ..., problems: _Optional[_Iterable[_Union[RecordProblem, _Mapping]]] = ..., problem_count: _Optional[int] = ..., differences: _Optional[_Iterable[_Union[RatingDifference, _Mapping]]] = ..., replaced: bool = ..., chain_differences: _Optional[_Iterable[_Union[RatingChainDifference, _Mapping]]] = ...) -> None: ...

class FitLadderRequest(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    def __init__(self, ladder: _Optional[str] = ...) -> None: ...

class FitLadderResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: int
    def __init__(self, matches: _Optional[int] = ...) -> None: ...

class TableEffect(_message.Message):
    __slots__ = ("bot", "other", "difference", "standard_error", "together", "apart", "p_value", "flagged", "probability", "made", "expected", "by_styles", "adjusted_p_value", "favour", "favour_error", "favour_matches", "favour_p_value")
    BOT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    APART_FIELD_NUMBER: _ClassVar[int]
    P_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    BY_STYLES_FIELD_NUMBER: _ClassVar[int]
    ADJUSTED_P_VALUE_FIELD_NUMBER: _ClassVar[int]
    FAVOUR_FIELD_NUMBER: _ClassVar[int]
    FAVOUR_ERROR_FIELD_NUMBER: _ClassVar[int]
    FAVOUR_MATCHES_FIELD_NUMBER: _ClassVar[int]
    FAVOUR_P_VALUE_FIELD_NUMBER: _ClassVar[int]
    bot: str
    other: str
    difference: float
    standard_error: float
    together: int
    apart: int
    p_value: float
    flagged: bool
    probability: float
    made: float
    expected: float
    by_styles: float
    adjusted_p_value: float
    favour: float
    favour_error: float
    favour_matches: int
    favour_p_value: float
    def __init__(self, bot: _Optional[str] = ..., other: _Optional[str] = ..., difference: _Optional[float] = ..., standard_error: _Optional[float] = ..., together: _Optional[int] = ..., apart: _Optional[int] = ..., p_value: _Optional[float] = ..., flagged: bool = ..., probability: _Optional[float] = ..., made: _Optional[float] = ..., expected: _Optional[float] = ..., by_styles: _Optional[float] = ..., adjusted_p_value: _Optional[float] = ..., favour: _Optional[float] = ..., favour_error: _Optional[float] = ..., favour_matches: _Optional[int] = ..., favour_p_value: _Optional[float] = ...) -> None: ...

class ReportCollusionRequest(_message.Message):
    __slots__ = ("ladder", "tournament")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    tournament: int
    def __init__(self, ladder: _Optional[str] = ..., tournament: _Optional[int] = ...) -> None: ...

class ReportCollusionResponse(_message.Message):
    __slots__ = ("effects", "matches", "read")
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    effects: _containers.RepeatedCompositeFieldContainer[TableEffect]
    matches: int
    read: int
    def __init__(self, effects: _Optional[_Iterable[_Union[TableEffect, _Mapping]]] = ..., matches: _Optional[int] = ..., read: _Optional[int] = ...) -> None: ...
