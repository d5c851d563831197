from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Items(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Item]
    def __init__(self, items: _Optional[_Iterable[_Union[Item, _Mapping]]] = ...) -> None: ...

class Item(_message.Message):
    __slots__ = ("bot", "gateway", "match", "epoch", "seat", "ask", "leave", "tell", "answer", "released", "nonce", "dismiss")
    BOT_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    TELL_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    RELEASED_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    DISMISS_FIELD_NUMBER: _ClassVar[int]
    bot: int
    gateway: int
    match: int
    epoch: int
    seat: Seat
    ask: Ask
    leave: Leave
    tell: Tell
    answer: Answer
    released: Released
    nonce: NonceGiven
    dismiss: Dismiss
    def __init__(self, bot: _Optional[int] = ..., gateway: _Optional[int] = ..., match: _Optional[int] = ..., epoch: _Optional[int] = ..., seat: _Optional[_Union[Seat, _Mapping]] = ..., ask: _Optional[_Union[Ask, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ..., tell: _Optional[_Union[Tell, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., released: _Optional[_Union[Released, _Mapping]] = ..., nonce: _Optional[_Union[NonceGiven, _Mapping]] = ..., dismiss: _Optional[_Union[Dismiss, _Mapping]] = ...) -> None: ...

class Seat(_message.Message):
    __slots__ = ("seated", "bank_ms", "strikes")
    SEATED_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    seated: bytes
    bank_ms: int
    strikes: int
    def __init__(self, seated: _Optional[bytes] = ..., bank_ms: _Optional[int] = ..., strikes: _Optional[int] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("number", "question", "legal", "bank_ms", "strikes", "resent", "spent_ms", "takes_back")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    RESENT_FIELD_NUMBER: _ClassVar[int]
    SPENT_MS_FIELD_NUMBER: _ClassVar[int]
    TAKES_BACK_FIELD_NUMBER: _ClassVar[int]
    number: int
    question: bytes
    legal: _containers.RepeatedScalarFieldContainer[int]
    bank_ms: int
    strikes: int
    resent: bool
    spent_ms: int
    takes_back: bool
    def __init__(self, number: _Optional[int] = ..., question: _Optional[bytes] = ..., legal: _Optional[_Iterable[int]] = ..., bank_ms: _Optional[int] = ..., strikes: _Optional[int] = ..., resent: bool = ..., spent_ms: _Optional[int] = ..., takes_back: bool = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Tell(_message.Message):
    __slots__ = ("message",)
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: bytes
    def __init__(self, message: _Optional[bytes] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("number", "action", "cause", "took_ms", "text", "absence", "failure", "hinted", "take_back")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    TOOK_MS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ABSENCE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    HINTED_FIELD_NUMBER: _ClassVar[int]
    TAKE_BACK_FIELD_NUMBER: _ClassVar[int]
    number: int
    action: int
    cause: int
    took_ms: int
    text: str
    absence: str
    failure: str
    hinted: bool
    take_back: bool
    def __init__(self, number: _Optional[int] = ..., action: _Optional[int] = ..., cause: _Optional[int] = ..., took_ms: _Optional[int] = ..., text: _Optional[str] = ..., absence: _Optional[str] = ..., failure: _Optional[str] = ..., hinted: bool = ..., take_back: bool = ...) -> None: ...

class Released(_message.Message):
    __slots__ = ("spent",)
    SPENT_FIELD_NUMBER: _ClassVar[int]
    spent: _containers.RepeatedCompositeFieldContainer[Spent]
    def __init__(self, spent: _Optional[_Iterable[_Union[Spent, _Mapping]]] = ...) -> None: ...

class Spent(_message.Message):
    __slots__ = ("match", "number", "ms")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    match: int
    number: int
    ms: int
    def __init__(self, match: _Optional[int] = ..., number: _Optional[int] = ..., ms: _Optional[int] = ...) -> None: ...

class NonceGiven(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: bytes
    def __init__(self, nonce: _Optional[bytes] = ...) -> None: ...

class Dismiss(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
