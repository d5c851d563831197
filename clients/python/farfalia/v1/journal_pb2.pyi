import datetime

from farfalia.v1 import record_pb2 as _record_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JournalEntry(_message.Message):
    __slots__ = ("started", "actions", "incidents")
    STARTED_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    started: _timestamp_pb2.Timestamp
    actions: _containers.RepeatedCompositeFieldContainer[_record_pb2.RecordAction]
    incidents: _containers.RepeatedCompositeFieldContainer[_record_pb2.Incident]
    def __init__(self, started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_record_pb2.RecordAction, _Mapping]]] = ..., incidents: _Optional[_Iterable[_Union[_record_pb2.Incident, _Mapping]]] = ...) -> None: ...
