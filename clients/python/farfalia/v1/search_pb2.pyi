from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_KIND_UNSPECIFIED: _ClassVar[SearchKind]
    SEARCH_KIND_MATCH: _ClassVar[SearchKind]
    SEARCH_KIND_BOT: _ClassVar[SearchKind]
    SEARCH_KIND_TOURNAMENT: _ClassVar[SearchKind]
    SEARCH_KIND_EVENT: _ClassVar[SearchKind]
    SEARCH_KIND_PERSON: _ClassVar[SearchKind]
    SEARCH_KIND_LADDER: _ClassVar[SearchKind]
    SEARCH_KIND_GAME: _ClassVar[SearchKind]
    SEARCH_KIND_DOCUMENT: _ClassVar[SearchKind]

class SearchMatch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_MATCH_UNSPECIFIED: _ClassVar[SearchMatch]
    SEARCH_MATCH_EXACT: _ClassVar[SearchMatch]
    SEARCH_MATCH_BEGINNING: _ClassVar[SearchMatch]
    SEARCH_MATCH_PART: _ClassVar[SearchMatch]
    SEARCH_MATCH_TYPO: _ClassVar[SearchMatch]
SEARCH_KIND_UNSPECIFIED: SearchKind
SEARCH_KIND_MATCH: SearchKind
SEARCH_KIND_BOT: SearchKind
SEARCH_KIND_TOURNAMENT: SearchKind
SEARCH_KIND_EVENT: SearchKind
SEARCH_KIND_PERSON: SearchKind
SEARCH_KIND_LADDER: SearchKind
SEARCH_KIND_GAME: SearchKind
SEARCH_KIND_DOCUMENT: SearchKind
SEARCH_MATCH_UNSPECIFIED: SearchMatch
SEARCH_MATCH_EXACT: SearchMatch
SEARCH_MATCH_BEGINNING: SearchMatch
SEARCH_MATCH_PART: SearchMatch
SEARCH_MATCH_TYPO: SearchMatch

class SearchResults(_message.Message):
    __slots__ = ("hits",)
    HITS_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[SearchHit]
    def __init__(self, hits: _Optional[_Iterable[_Union[SearchHit, _Mapping]]] = ...) -> None: ...

class SearchHit(_message.Message):
    __slots__ = ("kind", "name", "address", "detail", "match")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    kind: SearchKind
    name: str
    address: str
    detail: str
    match: SearchMatch
    def __init__(self, kind: _Optional[_Union[SearchKind, str]] = ..., name: _Optional[str] = ..., address: _Optional[str] = ..., detail: _Optional[str] = ..., match: _Optional[_Union[SearchMatch, str]] = ...) -> None: ...
