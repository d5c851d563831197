from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Trumps(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRUMPS_UNSPECIFIED: _ClassVar[Trumps]
    TRUMPS_STRAWBERRIES: _ClassVar[Trumps]
    TRUMPS_LEAVES: _ClassVar[Trumps]
    TRUMPS_FISHES: _ClassVar[Trumps]
    TRUMPS_SEASHELLS: _ClassVar[Trumps]
    TRUMPS_NONE: _ClassVar[Trumps]

class DealType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEAL_TYPE_UNSPECIFIED: _ClassVar[DealType]
    DEAL_TYPE_SKINT: _ClassVar[DealType]
    DEAL_TYPE_BARRED: _ClassVar[DealType]
    DEAL_TYPE_MAJORITY: _ClassVar[DealType]
    DEAL_TYPE_SURPRISE: _ClassVar[DealType]
    DEAL_TYPE_RED_BLACK: _ClassVar[DealType]
    DEAL_TYPE_TOP_SUIT: _ClassVar[DealType]
    DEAL_TYPE_TOP_RANK: _ClassVar[DealType]
    DEAL_TYPE_SECONDS: _ClassVar[DealType]
    DEAL_TYPE_UPS_DOWNS: _ClassVar[DealType]
    DEAL_TYPE_SNAP: _ClassVar[DealType]

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_DISCARD: _ClassVar[DecisionKind]
    DECISION_KIND_DECLARE: _ClassVar[DecisionKind]
    DECISION_KIND_PLAY: _ClassVar[DecisionKind]
    DECISION_KIND_COLLECT: _ClassVar[DecisionKind]
    DECISION_KIND_DOUBLE: _ClassVar[DecisionKind]
    DECISION_KIND_PICK_TYPE: _ClassVar[DecisionKind]
    DECISION_KIND_BAR: _ClassVar[DecisionKind]
    DECISION_KIND_NAME_TRUMPS: _ClassVar[DecisionKind]
    DECISION_KIND_SHOW: _ClassVar[DecisionKind]
TRUMPS_UNSPECIFIED: Trumps
TRUMPS_STRAWBERRIES: Trumps
TRUMPS_LEAVES: Trumps
TRUMPS_FISHES: Trumps
TRUMPS_SEASHELLS: Trumps
TRUMPS_NONE: Trumps
DEAL_TYPE_UNSPECIFIED: DealType
DEAL_TYPE_SKINT: DealType
DEAL_TYPE_BARRED: DealType
DEAL_TYPE_MAJORITY: DealType
DEAL_TYPE_SURPRISE: DealType
DEAL_TYPE_RED_BLACK: DealType
DEAL_TYPE_TOP_SUIT: DealType
DEAL_TYPE_TOP_RANK: DealType
DEAL_TYPE_SECONDS: DealType
DEAL_TYPE_UPS_DOWNS: DealType
DEAL_TYPE_SNAP: DealType
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_DISCARD: DecisionKind
DECISION_KIND_DECLARE: DecisionKind
DECISION_KIND_PLAY: DecisionKind
DECISION_KIND_COLLECT: DecisionKind
DECISION_KIND_DOUBLE: DecisionKind
DECISION_KIND_PICK_TYPE: DecisionKind
DECISION_KIND_BAR: DecisionKind
DECISION_KIND_NAME_TRUMPS: DecisionKind
DECISION_KIND_SHOW: DecisionKind

class View(_message.Message):
    __slots__ = ("seat", "deal", "deals", "seats", "sides", "scores", "totals", "trumps", "subjects", "hand", "discarded", "plays", "leaders", "winners", "collected", "held", "ruleset", "options", "acting", "dummies", "face_up", "covering", "wilds", "doubled", "choice", "types", "bars", "shown")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    TRUMPS_FIELD_NUMBER: _ClassVar[int]
    SUBJECTS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    COLLECTED_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ACTING_FIELD_NUMBER: _ClassVar[int]
    DUMMIES_FIELD_NUMBER: _ClassVar[int]
    FACE_UP_FIELD_NUMBER: _ClassVar[int]
    COVERING_FIELD_NUMBER: _ClassVar[int]
    WILDS_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    BARS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    deal: int
    deals: int
    seats: bytes
    sides: bytes
    scores: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    trumps: Trumps
    subjects: bytes
    hand: bytes
    discarded: bytes
    plays: bytes
    leaders: bytes
    winners: bytes
    collected: bytes
    held: bytes
    ruleset: str
    options: _containers.ScalarMap[str, str]
    acting: int
    dummies: bytes
    face_up: _containers.RepeatedScalarFieldContainer[bytes]
    covering: _containers.RepeatedScalarFieldContainer[bytes]
    wilds: bytes
    doubled: bytes
    choice: int
    types: bytes
    bars: bytes
    shown: bytes
    def __init__(self, seat: _Optional[int] = ..., deal: _Optional[int] = ..., deals: _Optional[int] = ..., seats: _Optional[bytes] = ..., sides: _Optional[bytes] = ..., scores: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., trumps: _Optional[_Union[Trumps, str]] = ..., subjects: _Optional[bytes] = ..., hand: _Optional[bytes] = ..., discarded: _Optional[bytes] = ..., plays: _Optional[bytes] = ..., leaders: _Optional[bytes] = ..., winners: _Optional[bytes] = ..., collected: _Optional[bytes] = ..., held: _Optional[bytes] = ..., ruleset: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., acting: _Optional[int] = ..., dummies: _Optional[bytes] = ..., face_up: _Optional[_Iterable[bytes]] = ..., covering: _Optional[_Iterable[bytes]] = ..., wilds: _Optional[bytes] = ..., doubled: _Optional[bytes] = ..., choice: _Optional[int] = ..., types: _Optional[bytes] = ..., bars: _Optional[bytes] = ..., shown: _Optional[bytes] = ...) -> None: ...
