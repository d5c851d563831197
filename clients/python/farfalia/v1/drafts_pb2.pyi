import datetime

from farfalia.v1 import tournaments_pb2 as _tournaments_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentDraft(_message.Message):
    __slots__ = ("id", "plan", "entrants_expected", "revision", "who", "changed", "tournament")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_EXPECTED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    id: int
    plan: _tournaments_pb2.CreateTournamentRequest
    entrants_expected: int
    revision: int
    who: str
    changed: _timestamp_pb2.Timestamp
    tournament: int
    def __init__(self, id: _Optional[int] = ..., plan: _Optional[_Union[_tournaments_pb2.CreateTournamentRequest, _Mapping]] = ..., entrants_expected: _Optional[int] = ..., revision: _Optional[int] = ..., who: _Optional[str] = ..., changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tournament: _Optional[int] = ...) -> None: ...

class SaveTournamentDraftRequest(_message.Message):
    __slots__ = ("draft", "publish")
    DRAFT_FIELD_NUMBER: _ClassVar[int]
    PUBLISH_FIELD_NUMBER: _ClassVar[int]
    draft: TournamentDraft
    publish: bool
    def __init__(self, draft: _Optional[_Union[TournamentDraft, _Mapping]] = ..., publish: bool = ...) -> None: ...

class SaveTournamentDraftResponse(_message.Message):
    __slots__ = ("draft", "tournament")
    DRAFT_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    draft: TournamentDraft
    tournament: _tournaments_pb2.Tournament
    def __init__(self, draft: _Optional[_Union[TournamentDraft, _Mapping]] = ..., tournament: _Optional[_Union[_tournaments_pb2.Tournament, _Mapping]] = ...) -> None: ...

class GetTournamentDraftRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class GetTournamentDraftResponse(_message.Message):
    __slots__ = ("draft",)
    DRAFT_FIELD_NUMBER: _ClassVar[int]
    draft: TournamentDraft
    def __init__(self, draft: _Optional[_Union[TournamentDraft, _Mapping]] = ...) -> None: ...

class ListTournamentDraftsRequest(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: str
    def __init__(self, event: _Optional[str] = ...) -> None: ...

class ListTournamentDraftsResponse(_message.Message):
    __slots__ = ("drafts",)
    DRAFTS_FIELD_NUMBER: _ClassVar[int]
    drafts: _containers.RepeatedCompositeFieldContainer[TournamentDraft]
    def __init__(self, drafts: _Optional[_Iterable[_Union[TournamentDraft, _Mapping]]] = ...) -> None: ...

class DropTournamentDraftRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class DropTournamentDraftResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
