import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeliveryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DELIVERY_KIND_UNSPECIFIED: _ClassVar[DeliveryKind]
    DELIVERY_KIND_MATCH_FINISHED: _ClassVar[DeliveryKind]
    DELIVERY_KIND_INCIDENT: _ClassVar[DeliveryKind]
    DELIVERY_KIND_TOURNAMENT_FINISHED: _ClassVar[DeliveryKind]
    DELIVERY_KIND_PROGRAM_REFUSED: _ClassVar[DeliveryKind]
    DELIVERY_KIND_TEST: _ClassVar[DeliveryKind]

class DeliveryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DELIVERY_STATE_UNSPECIFIED: _ClassVar[DeliveryState]
    DELIVERY_STATE_WAITING: _ClassVar[DeliveryState]
    DELIVERY_STATE_DELIVERED: _ClassVar[DeliveryState]
    DELIVERY_STATE_GIVEN_UP: _ClassVar[DeliveryState]
DELIVERY_KIND_UNSPECIFIED: DeliveryKind
DELIVERY_KIND_MATCH_FINISHED: DeliveryKind
DELIVERY_KIND_INCIDENT: DeliveryKind
DELIVERY_KIND_TOURNAMENT_FINISHED: DeliveryKind
DELIVERY_KIND_PROGRAM_REFUSED: DeliveryKind
DELIVERY_KIND_TEST: DeliveryKind
DELIVERY_STATE_UNSPECIFIED: DeliveryState
DELIVERY_STATE_WAITING: DeliveryState
DELIVERY_STATE_DELIVERED: DeliveryState
DELIVERY_STATE_GIVEN_UP: DeliveryState

class Webhook(_message.Message):
    __slots__ = ("bot", "url", "kinds", "since", "failing_since", "disabled")
    BOT_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    FAILING_SINCE_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    bot: str
    url: str
    kinds: _containers.RepeatedScalarFieldContainer[DeliveryKind]
    since: _timestamp_pb2.Timestamp
    failing_since: _timestamp_pb2.Timestamp
    disabled: _timestamp_pb2.Timestamp
    def __init__(self, bot: _Optional[str] = ..., url: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[DeliveryKind, str]]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failing_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., disabled: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("id", "kind", "subject", "happened", "state", "tries", "answer", "due")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    HAPPENED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TRIES_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    DUE_FIELD_NUMBER: _ClassVar[int]
    id: int
    kind: DeliveryKind
    subject: int
    happened: _timestamp_pb2.Timestamp
    state: DeliveryState
    tries: int
    answer: str
    due: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., kind: _Optional[_Union[DeliveryKind, str]] = ..., subject: _Optional[int] = ..., happened: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[DeliveryState, str]] = ..., tries: _Optional[int] = ..., answer: _Optional[str] = ..., due: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SetWebhookRequest(_message.Message):
    __slots__ = ("bot", "url", "kinds", "renew_secret")
    BOT_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    RENEW_SECRET_FIELD_NUMBER: _ClassVar[int]
    bot: str
    url: str
    kinds: _containers.RepeatedScalarFieldContainer[DeliveryKind]
    renew_secret: bool
    def __init__(self, bot: _Optional[str] = ..., url: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[DeliveryKind, str]]] = ..., renew_secret: bool = ...) -> None: ...

class SetWebhookResponse(_message.Message):
    __slots__ = ("webhook", "secret")
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    webhook: Webhook
    secret: str
    def __init__(self, webhook: _Optional[_Union[Webhook, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class GetWebhookRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class GetWebhookResponse(_message.Message):
    __slots__ = ("webhook", "deliveries")
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    DELIVERIES_FIELD_NUMBER: _ClassVar[int]
    webhook: Webhook
    deliveries: _containers.RepeatedCompositeFieldContainer[Delivery]
    def __init__(self, webhook: _Optional[_Union[Webhook, _Mapping]] = ..., deliveries: _Optional[_Iterable[_Union[Delivery, _Mapping]]] = ...) -> None: ...

class TestWebhookRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class TestWebhookResponse(_message.Message):
    __slots__ = ("delivery",)
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    delivery: Delivery
    def __init__(self, delivery: _Optional[_Union[Delivery, _Mapping]] = ...) -> None: ...
