"""The OpenAPI description: addresses written by hand, shapes taken from the contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from farfalia.v1 import bots_pb2, matches_pb2, nodes_pb2, ratings_pb2, record_pb2, tournaments_pb2

_LADDER = ("ladder", "name of the ladder, which is the ruleset's; chinkway if left out")
_ALL_VERSIONS = ("all_versions", "true: every version that was rated, not only the present one of each bot")
_ROWS = ("limit", "at most as many as this, up to 1000; 100 if left out")
_SKIP = ("skip", "leaves out as many of the best rows, to page on")
_AFTER = ("after", "only bots whose names sort after this one, to page on")
_BEFORE = ("before", "only tournaments with a smaller number, to page on")
_PAGING = (
    ("tournament", "only matches of the tournament with this number"),
    ("bot", "only matches of the bot with this name"),
    ("limit", "how many at most, up to 1000; 50 if left out"),
    ("before", "only matches with a smaller number, to page on"),
)
_VOID_PAGING = (
    ("tournament", "only those of matches of the tournament with this number"),
    ("ladder", "only those of matches of this ladder, which have no tournament"),
    ("limit", "how many at most, up to 1000; 50 if left out"),
    ("before", "only attempts with a smaller number, to page on"),
)


@dataclass(frozen=True, slots=True)
class Path:
    """An address, what it gives, the message that it gives, and its query parameters with their meaning."""

    address: str
    summary: str
    message: type[Message]
    query: tuple[tuple[str, str], ...] = ()


PATHS = (
    Path(
        "/api/ratings", "A ladder, best first", ratings_pb2.ListRatingsResponse, (_LADDER, _ALL_VERSIONS, _ROWS, _SKIP)
    ),
    Path("/api/bots", "Bots, by name", bots_pb2.ListBotsResponse, (_ROWS, _AFTER)),
    Path(
        "/api/bots/{name}",
        "One bot, with its incidents in finished matches; their text follows when the match's record is open",
        bots_pb2.GetBotResponse,
    ),
    Path("/api/tournaments", "Tournaments, newest first", tournaments_pb2.ListTournamentsResponse, (_ROWS, _BEFORE)),
    Path("/api/tournaments/{id}", "One tournament with its standings", tournaments_pb2.Tournament),
    Path("/api/matches", "Matches, newest first", matches_pb2.ListMatchesResponse, _PAGING),
    Path("/api/matches/{id}", "One match", matches_pb2.Match),
    Path(
        "/api/records/{id}",
        "The record of a finished match, once no other match has the same cards to play; until then 409, BOARD_IN_PLAY",
        record_pb2.Record,
    ),
    Path(
        "/api/void-attempts",
        "Attempts of matches that were void, newest first; key and text once no match is played on the board",
        matches_pb2.ListVoidAttemptsResponse,
        _VOID_PAGING,
    ),
    Path("/api/queue", "What waits and what is being played", nodes_pb2.GetQueueResponse),
    Path("/api/nodes", "The servers that play", nodes_pb2.ListNodesResponse),
)

_TIMESTAMP = "google.protobuf.Timestamp"
_JSON_TYPES: dict[int, dict[str, str]] = {
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_UINT32: {"type": "integer"},
    # protobuf writes 64-bit numbers as text, since many readers of JSON cannot hold them.
    FieldDescriptor.TYPE_UINT64: {"type": "string", "pattern": "^[0-9]+$"},
}


def description(version: str) -> dict[str, Any]:
    """Return the whole description as OpenAPI 3.1."""
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths = {path.address: {"get": _operation(path, schemas)} for path in PATHS}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Farfalia", "version": version, "description": _ABOUT},
        "paths": paths,
        "components": {"schemas": schemas},
    }


_ABOUT = (
    "What can be read of the server without a token. The objects are the messages of the gRPC contract "
    "farfalia.v1 in protobuf's JSON form: names in camel case, 64-bit numbers as text, bytes in base64."
)
_ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "one sentence for people"},
        "reason": {"type": "string", "description": "stable name for programs"},
    },
    "required": ["error", "reason"],
}


def _operation(path: Path, schemas: dict[str, Any]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in ("id", "name")
        if f"{{{name}}}" in path.address
    ]
    parameters += [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"}, "description": text}
        for name, text in path.query
    ]
    refused = {"description": "Refused", "content": {"application/json": {"schema": _reference("Error")}}}
    descriptor: Any = path.message.DESCRIPTOR  # of one of two kinds that are used alike
    answer = {"application/json": {"schema": _message(descriptor, schemas)}}
    return {
        "summary": path.summary,
        "parameters": parameters,
        "responses": {"200": {"description": path.summary, "content": answer}, "default": refused},
    }


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _message(message: Descriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to the schema of a message, which is added with all that it uses."""
    if message.full_name == _TIMESTAMP:
        return {"type": "string", "format": "date-time"}
    if message.name not in schemas:
        schemas[message.name] = schema = {"type": "object", "properties": {}}
        schema["properties"] = {field.json_name: _field(field, schemas) for field in message.fields}
    return _reference(message.name)


def _field(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return {
            "type": "object",
            "additionalProperties": _single(field.message_type.fields_by_name["value"], schemas),
        }
    single = _single(field, schemas)
    return {"type": "array", "items": single} if field.is_repeated else single


def _single(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None:
        return _message(field.message_type, schemas)
    if field.enum_type is not None:
        return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    return dict(_JSON_TYPES[field.type])
