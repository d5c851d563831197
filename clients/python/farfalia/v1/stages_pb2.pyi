from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Boards(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOARDS_UNSPECIFIED: _ClassVar[Boards]
    BOARDS_FRESH: _ClassVar[Boards]
    BOARDS_DATUM: _ClassVar[Boards]
    BOARDS_ROTATIONS: _ClassVar[Boards]

class StageKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_KIND_UNSPECIFIED: _ClassVar[StageKind]
    STAGE_KIND_ROUND_ROBIN: _ClassVar[StageKind]
    STAGE_KIND_SWISS: _ClassVar[StageKind]
    STAGE_KIND_KNOCKOUT: _ClassVar[StageKind]

class BalanceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BALANCE_KIND_UNSPECIFIED: _ClassVar[BalanceKind]
    BALANCE_KIND_BALANCED_DESIGN: _ClassVar[BalanceKind]
    BALANCE_KIND_WITHIN_ONE: _ClassVar[BalanceKind]
    BALANCE_KIND_BEST_POSSIBLE: _ClassVar[BalanceKind]
    BALANCE_KIND_BEST_FOUND: _ClassVar[BalanceKind]
    BALANCE_KIND_TRIAL: _ClassVar[BalanceKind]
    BALANCE_KIND_KNOCKOUT: _ClassVar[BalanceKind]
    BALANCE_KIND_NOT_KNOWN: _ClassVar[BalanceKind]

class ContestReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEST_REASON_UNSPECIFIED: _ClassVar[ContestReason]
    CONTEST_REASON_ALL_OPEN: _ClassVar[ContestReason]
    CONTEST_REASON_NARROWED: _ClassVar[ContestReason]
    CONTEST_REASON_KNOWN: _ClassVar[ContestReason]

class StageWait(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_WAIT_UNSPECIFIED: _ClassVar[StageWait]
    STAGE_WAIT_NOT_DRAWN: _ClassVar[StageWait]
    STAGE_WAIT_AHEAD: _ClassVar[StageWait]
    STAGE_WAIT_BEHIND: _ClassVar[StageWait]

class Outlook(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTLOOK_UNSPECIFIED: _ClassVar[Outlook]
    OUTLOOK_OPEN: _ClassVar[Outlook]
    OUTLOOK_AHEAD: _ClassVar[Outlook]
    OUTLOOK_BEHIND: _ClassVar[Outlook]
BOARDS_UNSPECIFIED: Boards
BOARDS_FRESH: Boards
BOARDS_DATUM: Boards
BOARDS_ROTATIONS: Boards
STAGE_KIND_UNSPECIFIED: StageKind
STAGE_KIND_ROUND_ROBIN: StageKind
STAGE_KIND_SWISS: StageKind
STAGE_KIND_KNOCKOUT: StageKind
BALANCE_KIND_UNSPECIFIED: BalanceKind
BALANCE_KIND_BALANCED_DESIGN: BalanceKind
BALANCE_KIND_WITHIN_ONE: BalanceKind
BALANCE_KIND_BEST_POSSIBLE: BalanceKind
BALANCE_KIND_BEST_FOUND: BalanceKind
BALANCE_KIND_TRIAL: BalanceKind
BALANCE_KIND_KNOCKOUT: BalanceKind
BALANCE_KIND_NOT_KNOWN: BalanceKind
CONTEST_REASON_UNSPECIFIED: ContestReason
CONTEST_REASON_ALL_OPEN: ContestReason
CONTEST_REASON_NARROWED: ContestReason
CONTEST_REASON_KNOWN: ContestReason
STAGE_WAIT_UNSPECIFIED: StageWait
STAGE_WAIT_NOT_DRAWN: StageWait
STAGE_WAIT_AHEAD: StageWait
STAGE_WAIT_BEHIND: StageWait
OUTLOOK_UNSPECIFIED: Outlook
OUTLOOK_OPEN: Outlook
OUTLOOK_AHEAD: Outlook
OUTLOOK_BEHIND: Outlook

class Stage(_message.Message):
    __slots__ = ("kind", "rounds", "advance", "matches", "boards", "qualifiers", "carry", "until_first", "until_percent", "short", "opposed")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ADVANCE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    QUALIFIERS_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIRST_FIELD_NUMBER: _ClassVar[int]
    UNTIL_PERCENT_FIELD_NUMBER: _ClassVar[int]
    SHORT_FIELD_NUMBER: _ClassVar[int]
    OPPOSED_FIELD_NUMBER: _ClassVar[int]
    kind: StageKind
    rounds: int
    advance: int
    matches: int
    boards: Boards
    qualifiers: int
    carry: bool
    until_first: int
    until_percent: int
    short: bool
    opposed: bool
    def __init__(self, kind: _Optional[_Union[StageKind, str]] = ..., rounds: _Optional[int] = ..., advance: _Optional[int] = ..., matches: _Optional[int] = ..., boards: _Optional[_Union[Boards, str]] = ..., qualifiers: _Optional[int] = ..., carry: bool = ..., until_first: _Optional[int] = ..., until_percent: _Optional[int] = ..., short: bool = ..., opposed: bool = ...) -> None: ...

class Balance(_message.Message):
    __slots__ = ("stage", "kind", "fewest_meetings", "most_meetings", "rounds", "text")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FEWEST_MEETINGS_FIELD_NUMBER: _ClassVar[int]
    MOST_MEETINGS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    stage: StageKind
    kind: BalanceKind
    fewest_meetings: int
    most_meetings: int
    rounds: _containers.RepeatedCompositeFieldContainer[KnockoutRound]
    text: str
    def __init__(self, stage: _Optional[_Union[StageKind, str]] = ..., kind: _Optional[_Union[BalanceKind, str]] = ..., fewest_meetings: _Optional[int] = ..., most_meetings: _Optional[int] = ..., rounds: _Optional[_Iterable[_Union[KnockoutRound, _Mapping]]] = ..., text: _Optional[str] = ...) -> None: ...

class KnockoutRound(_message.Message):
    __slots__ = ("entrants", "tables", "byes", "house_bots")
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    HOUSE_BOTS_FIELD_NUMBER: _ClassVar[int]
    entrants: int
    tables: int
    byes: int
    house_bots: int
    def __init__(self, entrants: _Optional[int] = ..., tables: _Optional[int] = ..., byes: _Optional[int] = ..., house_bots: _Optional[int] = ...) -> None: ...

class StageStandings(_message.Message):
    __slots__ = ("stage", "rounds_drawn", "standings", "tables", "byes", "contest", "contest_reason")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_DRAWN_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    CONTEST_REASON_FIELD_NUMBER: _ClassVar[int]
    stage: Stage
    rounds_drawn: int
    standings: _containers.RepeatedCompositeFieldContainer[StageStanding]
    tables: _containers.RepeatedCompositeFieldContainer[KnockoutTable]
    byes: _containers.RepeatedCompositeFieldContainer[KnockoutBye]
    contest: str
    contest_reason: ContestReason
    def __init__(self, stage: _Optional[_Union[Stage, _Mapping]] = ..., rounds_drawn: _Optional[int] = ..., standings: _Optional[_Iterable[_Union[StageStanding, _Mapping]]] = ..., tables: _Optional[_Iterable[_Union[KnockoutTable, _Mapping]]] = ..., byes: _Optional[_Iterable[_Union[KnockoutBye, _Mapping]]] = ..., contest: _Optional[str] = ..., contest_reason: _Optional[_Union[ContestReason, str]] = ...) -> None: ...

class KnockoutBye(_message.Message):
    __slots__ = ("round", "entrant")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    round: int
    entrant: str
    def __init__(self, round: _Optional[int] = ..., entrant: _Optional[str] = ...) -> None: ...

class KnockoutTable(_message.Message):
    __slots__ = ("round", "table", "entrants", "advanced", "matches", "results")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    ADVANCED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    round: int
    table: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    advanced: _containers.RepeatedScalarFieldContainer[str]
    matches: _containers.RepeatedScalarFieldContainer[int]
    results: _containers.RepeatedCompositeFieldContainer[KnockoutResult]
    def __init__(self, round: _Optional[int] = ..., table: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., advanced: _Optional[_Iterable[str]] = ..., matches: _Optional[_Iterable[int]] = ..., results: _Optional[_Iterable[_Union[KnockoutResult, _Mapping]]] = ...) -> None: ...

class KnockoutResult(_message.Message):
    __slots__ = ("entrant", "place", "points", "score", "advanced", "house")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ADVANCED_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    place: int
    points: int
    score: float
    advanced: bool
    house: bool
    def __init__(self, entrant: _Optional[str] = ..., place: _Optional[int] = ..., points: _Optional[int] = ..., score: _Optional[float] = ..., advanced: bool = ..., house: bool = ...) -> None: ...

class StageStanding(_message.Message):
    __slots__ = ("place", "entrant", "score", "reached_round", "qualified", "outlook", "chance", "waiting", "waiting_reason")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REACHED_ROUND_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    OUTLOOK_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WAITING_REASON_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant: str
    score: float
    reached_round: int
    qualified: bool
    outlook: Outlook
    chance: float
    waiting: str
    waiting_reason: StageWait
    def __init__(self, place: _Optional[int] = ..., entrant: _Optional[str] = ..., score: _Optional[float] = ..., reached_round: _Optional[int] = ..., qualified: bool = ..., outlook: _Optional[_Union[Outlook, str]] = ..., chance: _Optional[float] = ..., waiting: _Optional[str] = ..., waiting_reason: _Optional[_Union[StageWait, str]] = ...) -> None: ...
