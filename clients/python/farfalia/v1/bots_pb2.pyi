import datetime

from farfalia.v1 import analysis_pb2 as _analysis_pb2
from farfalia.v1 import ladders_pb2 as _ladders_pb2
from farfalia.v1 import play_pb2 as _play_pb2
from farfalia.v1 import record_pb2 as _record_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Challengers(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHALLENGERS_UNSPECIFIED: _ClassVar[Challengers]
    CHALLENGERS_ANYONE: _ClassVar[Challengers]
    CHALLENGERS_OWNER: _ClassVar[Challengers]

class ProfileSplit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROFILE_SPLIT_UNSPECIFIED: _ClassVar[ProfileSplit]
    PROFILE_SPLIT_COMPANY: _ClassVar[ProfileSplit]
    PROFILE_SPLIT_POSITION: _ClassVar[ProfileSplit]
    PROFILE_SPLIT_TRUMPS: _ClassVar[ProfileSplit]
    PROFILE_SPLIT_HELD: _ClassVar[ProfileSplit]
CHALLENGERS_UNSPECIFIED: Challengers
CHALLENGERS_ANYONE: Challengers
CHALLENGERS_OWNER: Challengers
PROFILE_SPLIT_UNSPECIFIED: ProfileSplit
PROFILE_SPLIT_COMPANY: ProfileSplit
PROFILE_SPLIT_POSITION: ProfileSplit
PROFILE_SPLIT_TRUMPS: ProfileSplit
PROFILE_SPLIT_HELD: ProfileSplit

class BotInfo(_message.Message):
    __slots__ = ("id", "name", "version", "owner", "house", "registered", "connected", "ratings", "waiting", "hidden", "removed", "challengers", "suspended", "person")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGERS_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    version: str
    owner: str
    house: str
    registered: _timestamp_pb2.Timestamp
    connected: bool
    ratings: _containers.RepeatedCompositeFieldContainer[_play_pb2.Rating]
    waiting: _containers.RepeatedCompositeFieldContainer[_ladders_pb2.LadderWait]
    hidden: bool
    removed: bool
    challengers: Challengers
    suspended: bool
    person: bool
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., owner: _Optional[str] = ..., house: _Optional[str] = ..., registered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., connected: bool = ..., ratings: _Optional[_Iterable[_Union[_play_pb2.Rating, _Mapping]]] = ..., waiting: _Optional[_Iterable[_Union[_ladders_pb2.LadderWait, _Mapping]]] = ..., hidden: bool = ..., removed: bool = ..., challengers: _Optional[_Union[Challengers, str]] = ..., suspended: bool = ..., person: bool = ...) -> None: ...

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
    __slots__ = ("name", "version", "owner", "house", "person")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    owner: str
    house: str
    person: bool
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., owner: _Optional[str] = ..., house: _Optional[str] = ..., person: bool = ...) -> None: ...

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

class ModerateBotRequest(_message.Message):
    __slots__ = ("name", "suspended", "hidden", "strike", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    STRIKE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    suspended: bool
    hidden: bool
    strike: bool
    reason: str
    def __init__(self, name: _Optional[str] = ..., suspended: bool = ..., hidden: bool = ..., strike: bool = ..., reason: _Optional[str] = ...) -> None: ...

class ModerateBotResponse(_message.Message):
    __slots__ = ("bot", "struck")
    BOT_FIELD_NUMBER: _ClassVar[int]
    STRUCK_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    struck: int
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., struck: _Optional[int] = ...) -> None: ...

class RenameBotRequest(_message.Message):
    __slots__ = ("name", "new_name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    NEW_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    new_name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., new_name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RenameBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ...) -> None: ...

class RemoveBotRequest(_message.Message):
    __slots__ = ("name", "strike", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STRIKE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    strike: bool
    reason: str
    def __init__(self, name: _Optional[str] = ..., strike: bool = ..., reason: _Optional[str] = ...) -> None: ...

class RemoveBotResponse(_message.Message):
    __slots__ = ("placeholder",)
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    placeholder: str
    def __init__(self, placeholder: _Optional[str] = ...) -> None: ...

class SetChallengersRequest(_message.Message):
    __slots__ = ("name", "challengers")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CHALLENGERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    challengers: Challengers
    def __init__(self, name: _Optional[str] = ..., challengers: _Optional[_Union[Challengers, str]] = ...) -> None: ...

class SetChallengersResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("limit", "after", "search")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    search: str
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[BotInfo]
    def __init__(self, bots: _Optional[_Iterable[_Union[BotInfo, _Mapping]]] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name", "match", "game", "version", "event", "since", "against")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    name: str
    match: int
    game: str
    version: str
    event: str
    since: _timestamp_pb2.Timestamp
    against: str
    def __init__(self, name: _Optional[str] = ..., match: _Optional[int] = ..., game: _Optional[str] = ..., version: _Optional[str] = ..., event: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., against: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot", "versions", "incidents", "logs", "histories", "opponents", "places", "roles", "times", "prices", "dearest", "ladder_places", "results", "pair", "profile")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    HISTORIES_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    PRICES_FIELD_NUMBER: _ClassVar[int]
    DEAREST_FIELD_NUMBER: _ClassVar[int]
    LADDER_PLACES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    PAIR_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    versions: _containers.RepeatedCompositeFieldContainer[BotVersion]
    incidents: _containers.RepeatedCompositeFieldContainer[BotIncident]
    logs: _containers.RepeatedCompositeFieldContainer[BotLog]
    histories: _containers.RepeatedCompositeFieldContainer[RatingHistory]
    opponents: _containers.RepeatedCompositeFieldContainer[Opponent]
    places: _containers.RepeatedCompositeFieldContainer[PlaceCount]
    roles: _containers.RepeatedCompositeFieldContainer[RoleResult]
    times: DecisionTimes
    prices: _containers.RepeatedCompositeFieldContainer[_analysis_pb2.VersionPrices]
    dearest: _containers.RepeatedCompositeFieldContainer[_analysis_pb2.PricedDecision]
    ladder_places: _containers.RepeatedCompositeFieldContainer[LadderPlace]
    results: _containers.RepeatedCompositeFieldContainer[VersionResult]
    pair: BotPair
    profile: _containers.RepeatedCompositeFieldContainer[ProfilePart]
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., versions: _Optional[_Iterable[_Union[BotVersion, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[BotIncident, _Mapping]]] = ..., logs: _Optional[_Iterable[_Union[BotLog, _Mapping]]] = ..., histories: _Optional[_Iterable[_Union[RatingHistory, _Mapping]]] = ..., opponents: _Optional[_Iterable[_Union[Opponent, _Mapping]]] = ..., places: _Optional[_Iterable[_Union[PlaceCount, _Mapping]]] = ..., roles: _Optional[_Iterable[_Union[RoleResult, _Mapping]]] = ..., times: _Optional[_Union[DecisionTimes, _Mapping]] = ..., prices: _Optional[_Iterable[_Union[_analysis_pb2.VersionPrices, _Mapping]]] = ..., dearest: _Optional[_Iterable[_Union[_analysis_pb2.PricedDecision, _Mapping]]] = ..., ladder_places: _Optional[_Iterable[_Union[LadderPlace, _Mapping]]] = ..., results: _Optional[_Iterable[_Union[VersionResult, _Mapping]]] = ..., pair: _Optional[_Union[BotPair, _Mapping]] = ..., profile: _Optional[_Iterable[_Union[ProfilePart, _Mapping]]] = ...) -> None: ...

class BotRatings(_message.Message):
    __slots__ = ("ratings",)
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    ratings: _containers.RepeatedCompositeFieldContainer[_play_pb2.Rating]
    def __init__(self, ratings: _Optional[_Iterable[_Union[_play_pb2.Rating, _Mapping]]] = ...) -> None: ...

class BotProfile(_message.Message):
    __slots__ = ("bot", "parts")
    BOT_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    bot: str
    parts: _containers.RepeatedCompositeFieldContainer[ProfilePart]
    def __init__(self, bot: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[ProfilePart, _Mapping]]] = ...) -> None: ...

class ProfilePart(_message.Message):
    __slots__ = ("ruleset", "split", "part", "deals", "points", "error", "low", "high")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    split: ProfileSplit
    part: str
    deals: int
    points: float
    error: float
    low: float
    high: float
    def __init__(self, ruleset: _Optional[str] = ..., split: _Optional[_Union[ProfileSplit, str]] = ..., part: _Optional[str] = ..., deals: _Optional[int] = ..., points: _Optional[float] = ..., error: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...

class LadderPlace(_message.Message):
    __slots__ = ("ladder", "place", "placed")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    PLACED_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    place: int
    placed: int
    def __init__(self, ladder: _Optional[str] = ..., place: _Optional[int] = ..., placed: _Optional[int] = ...) -> None: ...

class VersionResult(_message.Message):
    __slots__ = ("ruleset", "version", "matches", "points", "place", "strikes", "times", "before", "stronger", "luck")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    STRONGER_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    version: str
    matches: int
    points: float
    place: float
    strikes: int
    times: DecisionTimes
    before: str
    stronger: float
    luck: float
    def __init__(self, ruleset: _Optional[str] = ..., version: _Optional[str] = ..., matches: _Optional[int] = ..., points: _Optional[float] = ..., place: _Optional[float] = ..., strikes: _Optional[int] = ..., times: _Optional[_Union[DecisionTimes, _Mapping]] = ..., before: _Optional[str] = ..., stronger: _Optional[float] = ..., luck: _Optional[float] = ...) -> None: ...

class PlaceCount(_message.Message):
    __slots__ = ("ruleset", "seats", "place", "matches")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    seats: int
    place: int
    matches: int
    def __init__(self, ruleset: _Optional[str] = ..., seats: _Optional[int] = ..., place: _Optional[int] = ..., matches: _Optional[int] = ...) -> None: ...

class RoleResult(_message.Message):
    __slots__ = ("ruleset", "position", "dummy", "partner", "deals", "points", "error")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DUMMY_FIELD_NUMBER: _ClassVar[int]
    PARTNER_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    position: int
    dummy: bool
    partner: bool
    deals: int
    points: float
    error: float
    def __init__(self, ruleset: _Optional[str] = ..., position: _Optional[int] = ..., dummy: bool = ..., partner: bool = ..., deals: _Optional[int] = ..., points: _Optional[float] = ..., error: _Optional[float] = ...) -> None: ...

class DecisionTimes(_message.Message):
    __slots__ = ("decisions", "median_ms", "p99_ms", "buckets", "limit_ms")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MEDIAN_MS_FIELD_NUMBER: _ClassVar[int]
    P99_MS_FIELD_NUMBER: _ClassVar[int]
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    decisions: int
    median_ms: float
    p99_ms: float
    buckets: _containers.RepeatedCompositeFieldContainer[TimeBucket]
    limit_ms: int
    def __init__(self, decisions: _Optional[int] = ..., median_ms: _Optional[float] = ..., p99_ms: _Optional[float] = ..., buckets: _Optional[_Iterable[_Union[TimeBucket, _Mapping]]] = ..., limit_ms: _Optional[int] = ...) -> None: ...

class TimeBucket(_message.Message):
    __slots__ = ("up_to_ms", "decisions")
    UP_TO_MS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    up_to_ms: float
    decisions: int
    def __init__(self, up_to_ms: _Optional[float] = ..., decisions: _Optional[int] = ...) -> None: ...

class BotPair(_message.Message):
    __slots__ = ("bot", "against", "games", "boards", "ratings")
    BOT_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    bot: str
    against: str
    games: _containers.RepeatedCompositeFieldContainer[PairGame]
    boards: _containers.RepeatedCompositeFieldContainer[CommonBoard]
    ratings: _containers.RepeatedCompositeFieldContainer[PairRating]
    def __init__(self, bot: _Optional[str] = ..., against: _Optional[str] = ..., games: _Optional[_Iterable[_Union[PairGame, _Mapping]]] = ..., boards: _Optional[_Iterable[_Union[CommonBoard, _Mapping]]] = ..., ratings: _Optional[_Iterable[_Union[PairRating, _Mapping]]] = ...) -> None: ...

class PairRating(_message.Message):
    __slots__ = ("ladder", "rating", "against_rating", "points", "points_margin", "stronger")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    AGAINST_RATING_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_MARGIN_FIELD_NUMBER: _ClassVar[int]
    STRONGER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    rating: _play_pb2.Rating
    against_rating: _play_pb2.Rating
    points: float
    points_margin: float
    stronger: float
    def __init__(self, ladder: _Optional[str] = ..., rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., against_rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., points: _Optional[float] = ..., points_margin: _Optional[float] = ..., stronger: _Optional[float] = ...) -> None: ...

class PairGame(_message.Message):
    __slots__ = ("ruleset", "better", "worse", "equal", "margin", "margin_error")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    BETTER_FIELD_NUMBER: _ClassVar[int]
    WORSE_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    MARGIN_FIELD_NUMBER: _ClassVar[int]
    MARGIN_ERROR_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    better: int
    worse: int
    equal: int
    margin: float
    margin_error: float
    def __init__(self, ruleset: _Optional[str] = ..., better: _Optional[int] = ..., worse: _Optional[int] = ..., equal: _Optional[int] = ..., margin: _Optional[float] = ..., margin_error: _Optional[float] = ...) -> None: ...

class CommonBoard(_message.Message):
    __slots__ = ("tournament", "board", "ruleset", "match", "seat", "points", "other_match", "other_seat", "other_points")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    OTHER_MATCH_FIELD_NUMBER: _ClassVar[int]
    OTHER_SEAT_FIELD_NUMBER: _ClassVar[int]
    OTHER_POINTS_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    board: str
    ruleset: str
    match: int
    seat: int
    points: int
    other_match: int
    other_seat: int
    other_points: int
    def __init__(self, tournament: _Optional[int] = ..., board: _Optional[str] = ..., ruleset: _Optional[str] = ..., match: _Optional[int] = ..., seat: _Optional[int] = ..., points: _Optional[int] = ..., other_match: _Optional[int] = ..., other_seat: _Optional[int] = ..., other_points: _Optional[int] = ...) -> None: ...

class RatingHistory(_message.Message):
    __slots__ = ("ladder", "points")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    points: _containers.RepeatedCompositeFieldContainer[RatingPoint]
    def __init__(self, ladder: _Optional[str] = ..., points: _Optional[_Iterable[_Union[RatingPoint, _Mapping]]] = ...) -> None: ...

class RatingPoint(_message.Message):
    __slots__ = ("match", "finished", "version", "mu", "low", "high", "sigma", "points", "points_margin")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_MARGIN_FIELD_NUMBER: _ClassVar[int]
    match: int
    finished: _timestamp_pb2.Timestamp
    version: str
    mu: float
    low: float
    high: float
    sigma: float
    points: float
    points_margin: float
    def __init__(self, match: _Optional[int] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[str] = ..., mu: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., sigma: _Optional[float] = ..., points: _Optional[float] = ..., points_margin: _Optional[float] = ...) -> None: ...

class Opponent(_message.Message):
    __slots__ = ("bot", "better", "worse", "equal", "margin", "ruleset", "share", "low", "high", "expected", "stands_out")
    BOT_FIELD_NUMBER: _ClassVar[int]
    BETTER_FIELD_NUMBER: _ClassVar[int]
    WORSE_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    MARGIN_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    STANDS_OUT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    better: int
    worse: int
    equal: int
    margin: float
    ruleset: str
    share: float
    low: float
    high: float
    expected: float
    stands_out: bool
    def __init__(self, bot: _Optional[str] = ..., better: _Optional[int] = ..., worse: _Optional[int] = ..., equal: _Optional[int] = ..., margin: _Optional[float] = ..., ruleset: _Optional[str] = ..., share: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., expected: _Optional[float] = ..., stands_out: bool = ...) -> None: ...

class BotIncident(_message.Message):
    __slots__ = ("match", "incident", "text_open", "version", "deal", "trick", "card", "aspect", "instead")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_FIELD_NUMBER: _ClassVar[int]
    TEXT_OPEN_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    ASPECT_FIELD_NUMBER: _ClassVar[int]
    INSTEAD_FIELD_NUMBER: _ClassVar[int]
    match: int
    incident: _record_pb2.Incident
    text_open: bool
    version: str
    deal: int
    trick: int
    card: int
    aspect: str
    instead: str
    def __init__(self, match: _Optional[int] = ..., incident: _Optional[_Union[_record_pb2.Incident, _Mapping]] = ..., text_open: bool = ..., version: _Optional[str] = ..., deal: _Optional[int] = ..., trick: _Optional[int] = ..., card: _Optional[int] = ..., aspect: _Optional[str] = ..., instead: _Optional[str] = ...) -> None: ...

class BotLog(_message.Message):
    __slots__ = ("time", "line", "question")
    TIME_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    line: _play_pb2.LogLine
    question: int
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., line: _Optional[_Union[_play_pb2.LogLine, _Mapping]] = ..., question: _Optional[int] = ...) -> None: ...
