from farfalia.v1 import cards_pb2 as _cards_pb2
from farfalia.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ResultStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESULT_STATUS_UNSPECIFIED: _ClassVar[ResultStatus]
    RESULT_STATUS_ACCEPTED: _ClassVar[ResultStatus]
    RESULT_STATUS_DUPLICATE: _ClassVar[ResultStatus]
    RESULT_STATUS_TOO_LATE: _ClassVar[ResultStatus]
    RESULT_STATUS_ILLEGAL: _ClassVar[ResultStatus]
    RESULT_STATUS_NOT_ASKED: _ClassVar[ResultStatus]
    RESULT_STATUS_FAILED: _ClassVar[ResultStatus]
RESULT_STATUS_UNSPECIFIED: ResultStatus
RESULT_STATUS_ACCEPTED: ResultStatus
RESULT_STATUS_DUPLICATE: ResultStatus
RESULT_STATUS_TOO_LATE: ResultStatus
RESULT_STATUS_ILLEGAL: ResultStatus
RESULT_STATUS_NOT_ASKED: ResultStatus
RESULT_STATUS_FAILED: ResultStatus

class PlayRequest(_message.Message):
    __slots__ = ("hello", "actions", "capacity", "pong", "logs", "nonces", "goodbye", "ready")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    actions: _containers.RepeatedCompositeFieldContainer[Action]
    capacity: Capacity
    pong: Pong
    logs: _containers.RepeatedCompositeFieldContainer[LogLine]
    nonces: _containers.RepeatedCompositeFieldContainer[Nonce]
    goodbye: Goodbye
    ready: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., capacity: _Optional[_Union[Capacity, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., logs: _Optional[_Iterable[_Union[LogLine, _Mapping]]] = ..., nonces: _Optional[_Iterable[_Union[Nonce, _Mapping]]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., ready: _Optional[_Iterable[int]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "seated", "questions", "results", "finished", "ping", "drain", "notices", "ratings", "entered")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    SEATED_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    ENTERED_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    seated: _containers.RepeatedCompositeFieldContainer[Seated]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    results: _containers.RepeatedCompositeFieldContainer[Result]
    finished: _containers.RepeatedCompositeFieldContainer[Finished]
    ping: Ping
    drain: Drain
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    ratings: _containers.RepeatedCompositeFieldContainer[RatingChange]
    entered: _containers.RepeatedCompositeFieldContainer[Entered]
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., seated: _Optional[_Iterable[_Union[Seated, _Mapping]]] = ..., questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ..., results: _Optional[_Iterable[_Union[Result, _Mapping]]] = ..., finished: _Optional[_Iterable[_Union[Finished, _Mapping]]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., drain: _Optional[_Union[Drain, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., ratings: _Optional[_Iterable[_Union[RatingChange, _Mapping]]] = ..., entered: _Optional[_Iterable[_Union[Entered, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("client", "client_version", "instance", "rulesets", "capacity", "features", "requires", "take_over")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    RULESETS_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_FIELD_NUMBER: _ClassVar[int]
    TAKE_OVER_FIELD_NUMBER: _ClassVar[int]
    client: str
    client_version: str
    instance: bytes
    rulesets: _containers.RepeatedScalarFieldContainer[str]
    capacity: Capacity
    features: _containers.RepeatedScalarFieldContainer[str]
    requires: _containers.RepeatedScalarFieldContainer[str]
    take_over: bool
    def __init__(self, client: _Optional[str] = ..., client_version: _Optional[str] = ..., instance: _Optional[bytes] = ..., rulesets: _Optional[_Iterable[str]] = ..., capacity: _Optional[_Union[Capacity, _Mapping]] = ..., features: _Optional[_Iterable[str]] = ..., requires: _Optional[_Iterable[str]] = ..., take_over: bool = ...) -> None: ...

class Capacity(_message.Message):
    __slots__ = ("matches", "questions")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    matches: int
    questions: int
    def __init__(self, matches: _Optional[int] = ..., questions: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("match", "number", "action", "failure", "hinted", "take_back")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    HINTED_FIELD_NUMBER: _ClassVar[int]
    TAKE_BACK_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    action: int
    failure: str
    hinted: bool
    take_back: bool
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., action: _Optional[int] = ..., failure: _Optional[str] = ..., hinted: bool = ..., take_back: bool = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class LogLine(_message.Message):
    __slots__ = ("match", "text")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    match: int
    text: str
    def __init__(self, match: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Nonce(_message.Message):
    __slots__ = ("tournament", "match", "nonce")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    match: int
    nonce: bytes
    def __init__(self, tournament: _Optional[int] = ..., match: _Optional[int] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("bot", "server", "server_version", "features", "ping_interval_ms", "reconnect_grace_ms", "open", "ratings", "capacity", "pages")
    BOT_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    PING_INTERVAL_MS_FIELD_NUMBER: _ClassVar[int]
    RECONNECT_GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    bot: str
    server: str
    server_version: str
    features: _containers.RepeatedScalarFieldContainer[str]
    ping_interval_ms: int
    reconnect_grace_ms: int
    open: _containers.RepeatedCompositeFieldContainer[Seated]
    ratings: _containers.RepeatedCompositeFieldContainer[Rating]
    capacity: Capacity
    pages: str
    def __init__(self, bot: _Optional[str] = ..., server: _Optional[str] = ..., server_version: _Optional[str] = ..., features: _Optional[_Iterable[str]] = ..., ping_interval_ms: _Optional[int] = ..., reconnect_grace_ms: _Optional[int] = ..., open: _Optional[_Iterable[_Union[Seated, _Mapping]]] = ..., ratings: _Optional[_Iterable[_Union[Rating, _Mapping]]] = ..., capacity: _Optional[_Union[Capacity, _Mapping]] = ..., pages: _Optional[str] = ...) -> None: ...

class Rating(_message.Message):
    __slots__ = ("ladder", "mu", "sigma", "conservative", "matches", "version", "points", "points_margin")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    CONSERVATIVE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_MARGIN_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    mu: float
    sigma: float
    conservative: float
    matches: int
    version: str
    points: float
    points_margin: float
    def __init__(self, ladder: _Optional[str] = ..., mu: _Optional[float] = ..., sigma: _Optional[float] = ..., conservative: _Optional[float] = ..., matches: _Optional[int] = ..., version: _Optional[str] = ..., points: _Optional[float] = ..., points_margin: _Optional[float] = ...) -> None: ...

class Entered(_message.Message):
    __slots__ = ("tournament", "match", "commitment", "beacon", "value_function")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    VALUE_FUNCTION_FIELD_NUMBER: _ClassVar[int]
    tournament: int
    match: int
    commitment: bytes
    beacon: _record_pb2.Beacon
    value_function: bytes
    def __init__(self, tournament: _Optional[int] = ..., match: _Optional[int] = ..., commitment: _Optional[bytes] = ..., beacon: _Optional[_Union[_record_pb2.Beacon, _Mapping]] = ..., value_function: _Optional[bytes] = ...) -> None: ...

class Seated(_message.Message):
    __slots__ = ("match", "tournament", "ruleset", "options", "seat", "seats", "board", "commitment", "time_control", "nonces", "lasting_process", "persons")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    LASTING_PROCESS_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    match: int
    tournament: int
    ruleset: str
    options: _containers.ScalarMap[str, str]
    seat: int
    seats: int
    board: str
    commitment: bytes
    time_control: _record_pb2.TimeControl
    nonces: _containers.RepeatedScalarFieldContainer[bytes]
    lasting_process: bool
    persons: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, match: _Optional[int] = ..., tournament: _Optional[int] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., board: _Optional[str] = ..., commitment: _Optional[bytes] = ..., time_control: _Optional[_Union[_record_pb2.TimeControl, _Mapping]] = ..., nonces: _Optional[_Iterable[bytes]] = ..., lasting_process: bool = ..., persons: _Optional[_Iterable[int]] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("match", "number", "kind", "view", "legal", "clock", "takes_back")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    TAKES_BACK_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    kind: _cards_pb2.DecisionKind
    view: _cards_pb2.View
    legal: _containers.RepeatedScalarFieldContainer[int]
    clock: Clock
    takes_back: bool
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., kind: _Optional[_Union[_cards_pb2.DecisionKind, str]] = ..., view: _Optional[_Union[_cards_pb2.View, _Mapping]] = ..., legal: _Optional[_Iterable[int]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., takes_back: bool = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("limit_ms", "bank_ms", "round_trip_us", "strikes", "grace", "spent_ms", "resent")
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    ROUND_TRIP_US_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    GRACE_FIELD_NUMBER: _ClassVar[int]
    SPENT_MS_FIELD_NUMBER: _ClassVar[int]
    RESENT_FIELD_NUMBER: _ClassVar[int]
    limit_ms: int
    bank_ms: int
    round_trip_us: int
    strikes: int
    grace: int
    spent_ms: int
    resent: bool
    def __init__(self, limit_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., round_trip_us: _Optional[int] = ..., strikes: _Optional[int] = ..., grace: _Optional[int] = ..., spent_ms: _Optional[int] = ..., resent: bool = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("match", "number", "status", "text", "charged_ms", "bank_ms", "strikes")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    status: ResultStatus
    text: str
    charged_ms: int
    bank_ms: int
    strikes: int
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., status: _Optional[_Union[ResultStatus, str]] = ..., text: _Optional[str] = ..., charged_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., strikes: _Optional[int] = ...) -> None: ...

class Finished(_message.Message):
    __slots__ = ("match", "seat", "outcome", "voided", "record", "board_in_play")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    BOARD_IN_PLAY_FIELD_NUMBER: _ClassVar[int]
    match: int
    seat: int
    outcome: _record_pb2.MatchOutcome
    voided: bool
    record: _record_pb2.Record
    board_in_play: bool
    def __init__(self, match: _Optional[int] = ..., seat: _Optional[int] = ..., outcome: _Optional[_Union[_record_pb2.MatchOutcome, _Mapping]] = ..., voided: bool = ..., record: _Optional[_Union[_record_pb2.Record, _Mapping]] = ..., board_in_play: bool = ...) -> None: ...

class RatingChange(_message.Message):
    __slots__ = ("match", "before", "after")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    match: int
    before: Rating
    after: Rating
    def __init__(self, match: _Optional[int] = ..., before: _Optional[_Union[Rating, _Mapping]] = ..., after: _Optional[_Union[Rating, _Mapping]] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Drain(_message.Message):
    __slots__ = ("grace_ms",)
    GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    grace_ms: int
    def __init__(self, grace_ms: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("reason", "text", "match", "tournament")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    reason: str
    text: str
    match: int
    tournament: int
    def __init__(self, reason: _Optional[str] = ..., text: _Optional[str] = ..., match: _Optional[int] = ..., tournament: _Optional[int] = ...) -> None: ...
