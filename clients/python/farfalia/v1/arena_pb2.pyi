import datetime

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

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_PLANNED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CANCELLED: _ClassVar[TournamentState]

class Boards(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOARDS_UNSPECIFIED: _ClassVar[Boards]
    BOARDS_FRESH: _ClassVar[Boards]
    BOARDS_DATUM: _ClassVar[Boards]
    BOARDS_ROTATIONS: _ClassVar[Boards]

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_QUEUED: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_FINISHED: _ClassVar[MatchState]
    MATCH_STATE_VOID: _ClassVar[MatchState]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_PLANNED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState
BOARDS_UNSPECIFIED: Boards
BOARDS_FRESH: Boards
BOARDS_DATUM: Boards
BOARDS_ROTATIONS: Boards
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_QUEUED: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_FINISHED: MatchState
MATCH_STATE_VOID: MatchState

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
    waiting: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., owner: _Optional[str] = ..., house: _Optional[str] = ..., registered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., connected: bool = ..., ratings: _Optional[_Iterable[_Union[_play_pb2.Rating, _Mapping]]] = ..., waiting: _Optional[_Iterable[str]] = ...) -> None: ...

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

class GetBotResponse(_message.Message):
    __slots__ = ("bot", "versions", "incidents", "logs")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    bot: BotInfo
    versions: _containers.RepeatedCompositeFieldContainer[BotVersion]
    incidents: _containers.RepeatedCompositeFieldContainer[BotIncident]
    logs: _containers.RepeatedCompositeFieldContainer[BotLog]
    def __init__(self, bot: _Optional[_Union[BotInfo, _Mapping]] = ..., versions: _Optional[_Iterable[_Union[BotVersion, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[BotIncident, _Mapping]]] = ..., logs: _Optional[_Iterable[_Union[BotLog, _Mapping]]] = ...) -> None: ...

class Ladder(_message.Message):
    __slots__ = ("ruleset", "options", "time_control", "tables", "siblings", "fill", "opened", "playing")
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
    ruleset: str
    options: _containers.ScalarMap[str, str]
    time_control: _record_pb2.TimeControl
    tables: int
    siblings: bool
    fill: bool
    opened: _timestamp_pb2.Timestamp
    playing: int
    def __init__(self, ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., tables: _Optional[int] = ..., siblings: bool = ..., fill: bool = ..., opened: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., playing: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("ruleset",)
    RULESET_FIELD_NUMBER: _ClassVar[int]
    ruleset: str
    def __init__(self, ruleset: _Optional[str] = ...) -> None: ...

class CloseLadderResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLaddersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListLaddersResponse(_message.Message):
    __slots__ = ("ladders", "void_attempts")
    class VoidAttemptsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    LADDERS_FIELD_NUMBER: _ClassVar[int]
    VOID_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    ladders: _containers.RepeatedCompositeFieldContainer[Ladder]
    void_attempts: _containers.ScalarMap[str, int]
    def __init__(self, ladders: _Optional[_Iterable[_Union[Ladder, _Mapping]]] = ..., void_attempts: _Optional[_Mapping[str, int]] = ...) -> None: ...

class ListRatingsRequest(_message.Message):
    __slots__ = ("ladder", "all_versions", "limit", "skip")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ALL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SKIP_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    all_versions: bool
    limit: int
    skip: int
    def __init__(self, ladder: _Optional[str] = ..., all_versions: bool = ..., limit: _Optional[int] = ..., skip: _Optional[int] = ...) -> None: ...

class RatedBot(_message.Message):
    __slots__ = ("place", "bot", "rating", "refit")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    REFIT_FIELD_NUMBER: _ClassVar[int]
    place: int
    bot: str
    rating: _play_pb2.Rating
    refit: Refit
    def __init__(self, place: _Optional[int] = ..., bot: _Optional[str] = ..., rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., refit: _Optional[_Union[Refit, _Mapping]] = ...) -> None: ...

class Refit(_message.Message):
    __slots__ = ("mu", "low", "high", "matches", "made")
    MU_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    mu: float
    low: float
    high: float
    matches: int
    made: _timestamp_pb2.Timestamp
    def __init__(self, mu: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., matches: _Optional[int] = ..., made: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RefitRatingsRequest(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    def __init__(self, ladder: _Optional[str] = ...) -> None: ...

class RefitRatingsResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: int
    def __init__(self, matches: _Optional[int] = ...) -> None: ...

class ReportCollusionRequest(_message.Message):
    __slots__ = ("ladder",)
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    def __init__(self, ladder: _Optional[str] = ...) -> None: ...

class TableEffect(_message.Message):
    __slots__ = ("bot", "other", "difference", "deviation", "together", "apart", "doubt", "flagged")
    BOT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    DEVIATION_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    APART_FIELD_NUMBER: _ClassVar[int]
    DOUBT_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    bot: str
    other: str
    difference: float
    deviation: float
    together: int
    apart: int
    doubt: float
    flagged: bool
    def __init__(self, bot: _Optional[str] = ..., other: _Optional[str] = ..., difference: _Optional[float] = ..., deviation: _Optional[float] = ..., together: _Optional[int] = ..., apart: _Optional[int] = ..., doubt: _Optional[float] = ..., flagged: bool = ...) -> None: ...

class ReportCollusionResponse(_message.Message):
    __slots__ = ("effects",)
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    effects: _containers.RepeatedCompositeFieldContainer[TableEffect]
    def __init__(self, effects: _Optional[_Iterable[_Union[TableEffect, _Mapping]]] = ...) -> None: ...

class ListRatingsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[RatedBot]
    def __init__(self, bots: _Optional[_Iterable[_Union[RatedBot, _Mapping]]] = ...) -> None: ...

class RebuildRatingsRequest(_message.Message):
    __slots__ = ("replace",)
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    replace: bool
    def __init__(self, replace: bool = ...) -> None: ...

class RatingDifference(_message.Message):
    __slots__ = ("bot", "kept", "rebuilt")
    BOT_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    REBUILT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    kept: _play_pb2.Rating
    rebuilt: _play_pb2.Rating
    def __init__(self, bot: _Optional[str] = ..., kept: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., rebuilt: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ...) -> None: ...

class RebuildRatingsResponse(_message.Message):
    __slots__ = ("checked", "total", "over", "problems", "problem_count", "differences", "replaced")
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    checked: int
    total: int
    over: bool
    problems: _containers.RepeatedScalarFieldContainer[str]
    problem_count: int
    differences: _containers.RepeatedCompositeFieldContainer[RatingDifference]
    replaced: bool
    def __init__(self, checked: _Optional[int] = ..., total: _Optional[int] = ..., over: bool = ..., problems: _Optional[_Iterable[str]] = ..., problem_count: _Optional[int] = ..., differences: _Optional[_Iterable[_Union[RatingDifference, _Mapping]]] = ..., replaced: bool = ...) -> None: ...

class CreateTournamentRequest(_message.Message):
    __slots__ = ("name", "ruleset", "options", "bots", "rounds", "time_control", "boards", "stages", "beacon_source", "beacon_round")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    BEACON_SOURCE_FIELD_NUMBER: _ClassVar[int]
    BEACON_ROUND_FIELD_NUMBER: _ClassVar[int]
    name: str
    ruleset: str
    options: _containers.ScalarMap[str, str]
    bots: _containers.RepeatedScalarFieldContainer[str]
    rounds: int
    time_control: _record_pb2.TimeControl
    boards: Boards
    stages: str
    beacon_source: str
    beacon_round: str
    def __init__(self, name: _Optional[str] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., bots: _Optional[_Iterable[str]] = ..., rounds: _Optional[int] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., boards: _Optional[_Union[Boards, str]] = ..., stages: _Optional[str] = ..., beacon_source: _Optional[str] = ..., beacon_round: _Optional[str] = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class StartTournamentRequest(_message.Message):
    __slots__ = ("id", "beacon_value")
    ID_FIELD_NUMBER: _ClassVar[int]
    BEACON_VALUE_FIELD_NUMBER: _ClassVar[int]
    id: int
    beacon_value: str
    def __init__(self, id: _Optional[int] = ..., beacon_value: _Optional[str] = ...) -> None: ...

class StartTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class CancelTournamentRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: int
    reason: str
    def __init__(self, id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class EnterTournamentRequest(_message.Message):
    __slots__ = ("id", "bot")
    ID_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    id: int
    bot: str
    def __init__(self, id: _Optional[int] = ..., bot: _Optional[str] = ...) -> None: ...

class EnterTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class WithdrawFromTournamentRequest(_message.Message):
    __slots__ = ("id", "bot")
    ID_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    id: int
    bot: str
    def __init__(self, id: _Optional[int] = ..., bot: _Optional[str] = ...) -> None: ...

class WithdrawFromTournamentResponse(_message.Message):
    __slots__ = ("tournament", "playing", "filled")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    FILLED_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    playing: int
    filled: int
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., playing: _Optional[int] = ..., filled: _Optional[int] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ("limit", "before")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    limit: int
    before: int
    def __init__(self, limit: _Optional[int] = ..., before: _Optional[int] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments",)
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[Tournament]
    def __init__(self, tournaments: _Optional[_Iterable[_Union[Tournament, _Mapping]]] = ...) -> None: ...

class WatchTournamentRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class WatchTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("place", "entrant", "house", "matches", "points", "relative", "places", "rating", "strikes", "forfeits", "margin", "adjusted", "units", "withdrawn")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RELATIVE_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    MARGIN_FIELD_NUMBER: _ClassVar[int]
    ADJUSTED_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant: str
    house: bool
    matches: int
    points: int
    relative: float
    places: _containers.RepeatedScalarFieldContainer[int]
    rating: _play_pb2.Rating
    strikes: int
    forfeits: int
    margin: float
    adjusted: float
    units: int
    withdrawn: bool
    def __init__(self, place: _Optional[int] = ..., entrant: _Optional[str] = ..., house: bool = ..., matches: _Optional[int] = ..., points: _Optional[int] = ..., relative: _Optional[float] = ..., places: _Optional[_Iterable[int]] = ..., rating: _Optional[_Union[_play_pb2.Rating, _Mapping]] = ..., strikes: _Optional[int] = ..., forfeits: _Optional[int] = ..., margin: _Optional[float] = ..., adjusted: _Optional[float] = ..., units: _Optional[int] = ..., withdrawn: bool = ...) -> None: ...

class Pair(_message.Message):
    __slots__ = ("row", "column", "meetings", "better", "equal", "stronger")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    BETTER_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    STRONGER_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    meetings: int
    better: int
    equal: int
    stronger: float
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ..., meetings: _Optional[int] = ..., better: _Optional[int] = ..., equal: _Optional[int] = ..., stronger: _Optional[float] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("id", "name", "ruleset", "options", "state", "rounds", "matches", "finished", "running", "standings", "pairs", "commitment", "secret", "time_control", "created", "ended", "waiting", "boards", "balance", "nonces", "stages", "beacon", "baselines_missing", "void_attempts", "cancel_reason")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    BALANCE_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    BASELINES_MISSING_FIELD_NUMBER: _ClassVar[int]
    VOID_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    CANCEL_REASON_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    ruleset: str
    options: _containers.ScalarMap[str, str]
    state: TournamentState
    rounds: int
    matches: int
    finished: int
    running: int
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    pairs: _containers.RepeatedCompositeFieldContainer[Pair]
    commitment: bytes
    secret: bytes
    time_control: _record_pb2.TimeControl
    created: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    waiting: str
    boards: Boards
    balance: str
    nonces: _containers.RepeatedCompositeFieldContainer[EntrantNonce]
    stages: _containers.RepeatedCompositeFieldContainer[TournamentStage]
    beacon: _record_pb2.Beacon
    baselines_missing: int
    void_attempts: int
    cancel_reason: str
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., state: _Optional[_Union[TournamentState, str]] = ..., rounds: _Optional[int] = ..., matches: _Optional[int] = ..., finished: _Optional[int] = ..., running: _Optional[int] = ..., standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ..., pairs: _Optional[_Iterable[_Union[Pair, _Mapping]]] = ..., commitment: _Optional[bytes] = ..., secret: _Optional[bytes] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., waiting: _Optional[str] = ..., boards: _Optional[_Union[Boards, str]] = ..., balance: _Optional[str] = ..., nonces: _Optional[_Iterable[_Union[EntrantNonce, _Mapping]]] = ..., stages: _Optional[_Iterable[_Union[TournamentStage, _Mapping]]] = ..., beacon: _Optional[_Union[_record_pb2.Beacon, _Mapping]] = ..., baselines_missing: _Optional[int] = ..., void_attempts: _Optional[int] = ..., cancel_reason: _Optional[str] = ...) -> None: ...

class TournamentStage(_message.Message):
    __slots__ = ("settings", "drawn", "places")
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    settings: str
    drawn: int
    places: _containers.RepeatedCompositeFieldContainer[StagePlace]
    def __init__(self, settings: _Optional[str] = ..., drawn: _Optional[int] = ..., places: _Optional[_Iterable[_Union[StagePlace, _Mapping]]] = ...) -> None: ...

class StagePlace(_message.Message):
    __slots__ = ("place", "entrant", "score", "reached", "went_on")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REACHED_FIELD_NUMBER: _ClassVar[int]
    WENT_ON_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant: str
    score: float
    reached: int
    went_on: bool
    def __init__(self, place: _Optional[int] = ..., entrant: _Optional[str] = ..., score: _Optional[float] = ..., reached: _Optional[int] = ..., went_on: bool = ...) -> None: ...

class EntrantNonce(_message.Message):
    __slots__ = ("entrant", "nonce")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    nonce: bytes
    def __init__(self, entrant: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("id", "tournament", "round", "ruleset", "entrants", "state", "outcome", "started", "finished", "stage", "record_open")
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
    def __init__(self, id: _Optional[int] = ..., tournament: _Optional[int] = ..., round: _Optional[int] = ..., ruleset: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[MatchState, str]] = ..., outcome: _Optional[_Union[_record_pb2.MatchOutcome, _Mapping]] = ..., started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., stage: _Optional[int] = ..., record_open: bool = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("tournament", "bot", "limit", "before")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    bot: str
    limit: int
    before: int
    def __init__(self, tournament: _Optional[int] = ..., bot: _Optional[str] = ..., limit: _Optional[int] = ..., before: _Optional[int] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ...) -> None: ...

class VoidAttempt(_message.Message):
    __slots__ = ("id", "match", "tournament", "ruleset", "attempt", "voided", "open", "reason", "source")
    ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    id: int
    match: int
    tournament: int
    ruleset: str
    attempt: int
    voided: _timestamp_pb2.Timestamp
    open: bool
    reason: str
    source: _record_pb2.DealSource
    def __init__(self, id: _Optional[int] = ..., match: _Optional[int] = ..., tournament: _Optional[int] = ..., ruleset: _Optional[str] = ..., attempt: _Optional[int] = ..., voided: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., open: bool = ..., reason: _Optional[str] = ..., source: _Optional[_Union[_record_pb2.DealSource, _Mapping]] = ...) -> None: ...

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

class GetQueueRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetQueueResponse(_message.Message):
    __slots__ = ("queued", "running", "awaited")
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    queued: int
    running: int
    awaited: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, queued: _Optional[int] = ..., running: _Optional[int] = ..., awaited: _Optional[_Iterable[str]] = ...) -> None: ...

class ListNodesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Node(_message.Message):
    __slots__ = ("name", "version", "bots", "matches")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    bots: int
    matches: int
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., bots: _Optional[int] = ..., matches: _Optional[int] = ...) -> None: ...

class ListNodesResponse(_message.Message):
    __slots__ = ("nodes",)
    NODES_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.RepeatedCompositeFieldContainer[Node]
    def __init__(self, nodes: _Optional[_Iterable[_Union[Node, _Mapping]]] = ...) -> None: ...
