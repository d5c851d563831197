import datetime

from farfalia.v1 import record_pb2 as _record_pb2
from farfalia.v1 import stages_pb2 as _stages_pb2
from farfalia.v1 import standings_pb2 as _standings_pb2
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

class TournamentWaitReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_WAIT_REASON_UNSPECIFIED: _ClassVar[TournamentWaitReason]
    TOURNAMENT_WAIT_REASON_NOT_STARTED: _ClassVar[TournamentWaitReason]
    TOURNAMENT_WAIT_REASON_BOTS_ABSENT: _ClassVar[TournamentWaitReason]
    TOURNAMENT_WAIT_REASON_PAUSED: _ClassVar[TournamentWaitReason]
    TOURNAMENT_WAIT_REASON_HOUSE_BOT_UNPLAYABLE: _ClassVar[TournamentWaitReason]

class PauseCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAUSE_CAUSE_UNSPECIFIED: _ClassVar[PauseCause]
    PAUSE_CAUSE_ORGANISER: _ClassVar[PauseCause]
    PAUSE_CAUSE_NETWORK: _ClassVar[PauseCause]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_PLANNED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState
TOURNAMENT_WAIT_REASON_UNSPECIFIED: TournamentWaitReason
TOURNAMENT_WAIT_REASON_NOT_STARTED: TournamentWaitReason
TOURNAMENT_WAIT_REASON_BOTS_ABSENT: TournamentWaitReason
TOURNAMENT_WAIT_REASON_PAUSED: TournamentWaitReason
TOURNAMENT_WAIT_REASON_HOUSE_BOT_UNPLAYABLE: TournamentWaitReason
PAUSE_CAUSE_UNSPECIFIED: PauseCause
PAUSE_CAUSE_ORGANISER: PauseCause
PAUSE_CAUSE_NETWORK: PauseCause

class Pause(_message.Message):
    __slots__ = ("cause", "reason", "who", "since")
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    cause: PauseCause
    reason: str
    who: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, cause: _Optional[_Union[PauseCause, str]] = ..., reason: _Optional[str] = ..., who: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NetworkRule(_message.Message):
    __slots__ = ("percent", "seconds", "settling")
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    SETTLING_FIELD_NUMBER: _ClassVar[int]
    percent: int
    seconds: int
    settling: int
    def __init__(self, percent: _Optional[int] = ..., seconds: _Optional[int] = ..., settling: _Optional[int] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("id", "name", "state", "ruleset", "options", "boards", "time_control", "rounds", "matches", "finished", "running", "waiting", "waiting_reason", "balances", "standings", "pairs", "stages", "created", "ended", "cancel_reason", "commitment", "secret", "beacon", "nonces", "baselines_missing", "void_attempts", "started", "matches_per_hour", "expected_end", "schedule", "value_function", "strength_model", "value_function_missing", "pause", "network_rule", "results_withheld", "ladder", "event", "starts", "starts_with_event", "lasting_processes", "first_place", "alone", "persons", "pair_model")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WAITING_REASON_FIELD_NUMBER: _ClassVar[int]
    BALANCES_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    CANCEL_REASON_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    BASELINES_MISSING_FIELD_NUMBER: _ClassVar[int]
    VOID_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PER_HOUR_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_END_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FUNCTION_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_MODEL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FUNCTION_MISSING_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    NETWORK_RULE_FIELD_NUMBER: _ClassVar[int]
    RESULTS_WITHHELD_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    STARTS_WITH_EVENT_FIELD_NUMBER: _ClassVar[int]
    LASTING_PROCESSES_FIELD_NUMBER: _ClassVar[int]
    FIRST_PLACE_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    PAIR_MODEL_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    state: TournamentState
    ruleset: str
    options: _containers.ScalarMap[str, str]
    boards: _stages_pb2.Boards
    time_control: _record_pb2.TimeControl
    rounds: int
    matches: int
    finished: int
    running: int
    waiting: str
    waiting_reason: TournamentWaitReason
    balances: _containers.RepeatedCompositeFieldContainer[_stages_pb2.Balance]
    standings: _containers.RepeatedCompositeFieldContainer[_standings_pb2.Standing]
    pairs: _containers.RepeatedCompositeFieldContainer[_standings_pb2.Pair]
    stages: _containers.RepeatedCompositeFieldContainer[_stages_pb2.StageStandings]
    created: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    cancel_reason: str
    commitment: bytes
    secret: bytes
    beacon: _record_pb2.Beacon
    nonces: _containers.RepeatedCompositeFieldContainer[EntrantNonce]
    baselines_missing: int
    void_attempts: int
    started: _timestamp_pb2.Timestamp
    matches_per_hour: float
    expected_end: _timestamp_pb2.Timestamp
    schedule: _containers.RepeatedCompositeFieldContainer[RoundProgress]
    value_function: bytes
    strength_model: _standings_pb2.StrengthModel
    value_function_missing: bool
    pause: Pause
    network_rule: NetworkRule
    results_withheld: int
    ladder: str
    event: str
    starts: _timestamp_pb2.Timestamp
    starts_with_event: bool
    lasting_processes: bool
    first_place: _standings_pb2.FirstPlace
    alone: bool
    persons: bool
    pair_model: _standings_pb2.StrengthModel
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., boards: _Optional[_Union[_stages_pb2.Boards, str]] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., rounds: _Optional[int] = ..., matches: _Optional[int] = ..., finished: _Optional[int] = ..., running: _Optional[int] = ..., waiting: _Optional[str] = ..., waiting_reason: _Optional[_Union[TournamentWaitReason, str]] = ..., balances: _Optional[_Iterable[_Union[_stages_pb2.Balance, _Mapping]]] = ..., standings: _Optional[_Iterable[_Union[_standings_pb2.Standing, _Mapping]]] = ..., pairs: _Optional[_Iterable[_Union[_standings_pb2.Pair, _Mapping]]] = ..., stages: _Optional[_Iterable[_Union[_stages_pb2.StageStandings, _Mapping]]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., cancel_reason: _Optional[str] = ..., commitment: _Optional[bytes] = ..., secret: _Optional[bytes] = ..., beacon: _Optional[_Union[_record_pb2.Beacon, _Mapping]] = ..., nonces: _Optional[_Iterable[_Union[EntrantNonce, _Mapping]]] = ..., baselines_missing: _Optional[int] = ..., void_attempts: _Optional[int] = ..., started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., matches_per_hour: _Optional[float] = ..., expected_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., schedule: _Optional[_Iterable[_Union[RoundProgress, _Mapping]]] = ..., value_function: _Optional[bytes] = ..., strength_model: _Optional[_Union[_standings_pb2.StrengthModel, _Mapping]] = ..., value_function_missing: bool = ..., pause: _Optional[_Union[Pause, _Mapping]] = ..., network_rule: _Optional[_Union[NetworkRule, _Mapping]] = ..., results_withheld: _Optional[int] = ..., ladder: _Optional[str] = ..., event: _Optional[str] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., starts_with_event: bool = ..., lasting_processes: bool = ..., first_place: _Optional[_Union[_standings_pb2.FirstPlace, _Mapping]] = ..., alone: bool = ..., persons: bool = ..., pair_model: _Optional[_Union[_standings_pb2.StrengthModel, _Mapping]] = ...) -> None: ...

class RoundProgress(_message.Message):
    __slots__ = ("stage", "round", "matches", "over", "boards", "open_boards")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    OPEN_BOARDS_FIELD_NUMBER: _ClassVar[int]
    stage: int
    round: int
    matches: int
    over: int
    boards: _containers.RepeatedScalarFieldContainer[str]
    open_boards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, stage: _Optional[int] = ..., round: _Optional[int] = ..., matches: _Optional[int] = ..., over: _Optional[int] = ..., boards: _Optional[_Iterable[str]] = ..., open_boards: _Optional[_Iterable[str]] = ...) -> None: ...

class EntrantNonce(_message.Message):
    __slots__ = ("entrant", "nonce")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    nonce: bytes
    def __init__(self, entrant: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class CreateTournamentRequest(_message.Message):
    __slots__ = ("name", "ruleset", "options", "bots", "rounds", "stages", "boards", "time_control", "beacon_source", "beacon_round", "network_rule", "unrated", "ladder", "event", "starts", "starts_with_event", "lasting_processes", "alone", "persons")
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
    STAGES_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    BEACON_SOURCE_FIELD_NUMBER: _ClassVar[int]
    BEACON_ROUND_FIELD_NUMBER: _ClassVar[int]
    NETWORK_RULE_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    LADDER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    STARTS_WITH_EVENT_FIELD_NUMBER: _ClassVar[int]
    LASTING_PROCESSES_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    ruleset: str
    options: _containers.ScalarMap[str, str]
    bots: _containers.RepeatedScalarFieldContainer[str]
    rounds: int
    stages: _containers.RepeatedCompositeFieldContainer[_stages_pb2.Stage]
    boards: _stages_pb2.Boards
    time_control: _record_pb2.TimeControl
    beacon_source: str
    beacon_round: str
    network_rule: NetworkRule
    unrated: bool
    ladder: str
    event: str
    starts: _timestamp_pb2.Timestamp
    starts_with_event: bool
    lasting_processes: bool
    alone: bool
    persons: bool
    def __init__(self, name: _Optional[str] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., bots: _Optional[_Iterable[str]] = ..., rounds: _Optional[int] = ..., stages: _Optional[_Iterable[_Union[_stages_pb2.Stage, _Mapping]]] = ..., boards: _Optional[_Union[_stages_pb2.Boards, str]] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., beacon_source: _Optional[str] = ..., beacon_round: _Optional[str] = ..., network_rule: _Optional[_Union[NetworkRule, _Mapping]] = ..., unrated: bool = ..., ladder: _Optional[str] = ..., event: _Optional[str] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., starts_with_event: bool = ..., lasting_processes: bool = ..., alone: bool = ..., persons: bool = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class StartTournamentRequest(_message.Message):
    __slots__ = ("id", "beacon_value", "at", "with_event")
    ID_FIELD_NUMBER: _ClassVar[int]
    BEACON_VALUE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    WITH_EVENT_FIELD_NUMBER: _ClassVar[int]
    id: int
    beacon_value: str
    at: _timestamp_pb2.Timestamp
    with_event: bool
    def __init__(self, id: _Optional[int] = ..., beacon_value: _Optional[str] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., with_event: bool = ...) -> None: ...

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
    __slots__ = ("id", "bot", "instead_of")
    ID_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    INSTEAD_OF_FIELD_NUMBER: _ClassVar[int]
    id: int
    bot: str
    instead_of: str
    def __init__(self, id: _Optional[int] = ..., bot: _Optional[str] = ..., instead_of: _Optional[str] = ...) -> None: ...

class EnterTournamentResponse(_message.Message):
    __slots__ = ("tournament", "playing", "taken")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    playing: int
    taken: int
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., playing: _Optional[int] = ..., taken: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("limit", "before", "event")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    limit: int
    before: int
    event: str
    def __init__(self, limit: _Optional[int] = ..., before: _Optional[int] = ..., event: _Optional[str] = ...) -> None: ...

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

class PauseTournamentRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: int
    reason: str
    def __init__(self, id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ResumeTournamentRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: int
    reason: str
    def __init__(self, id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class ResumeTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class VoidMatchesRequest(_message.Message):
    __slots__ = ("id", "matches", "round", "stage", "reason", "replay")
    ID_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    id: int
    matches: _containers.RepeatedScalarFieldContainer[int]
    round: int
    stage: int
    reason: str
    replay: bool
    def __init__(self, id: _Optional[int] = ..., matches: _Optional[_Iterable[int]] = ..., round: _Optional[int] = ..., stage: _Optional[int] = ..., reason: _Optional[str] = ..., replay: bool = ...) -> None: ...

class VoidMatchesResponse(_message.Message):
    __slots__ = ("tournament", "matches", "instead")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    INSTEAD_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    matches: _containers.RepeatedScalarFieldContainer[int]
    instead: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., matches: _Optional[_Iterable[int]] = ..., instead: _Optional[_Iterable[int]] = ...) -> None: ...
