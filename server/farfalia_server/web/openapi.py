"""The OpenAPI description: addresses written by hand, shapes taken from the contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from farfalia.v1 import bots_pb2, matches_pb2, nodes_pb2, ratings_pb2, record_pb2, tournaments_pb2
from farfalia_server.bounds import BOT_NAME
from farfalia_server.web.problem import PROBLEM_JSON
from farfalia_server.web.proto_comments import comment
from farfalia_server.web.query_parameters import MATCHES, ORDERS, STATES

_LADDER = ("ladder", "name of the ladder, which is that of its game; chinkway if left out")
_ALL_VERSIONS = ("all_versions", "true: every rated version, not only the current one of each bot")
_ROWS = ("limit", "how many at most, up to 1000; 100 if left out")
_SKIP = ("skip", "how many of the best rows to skip, for paging")
_SEARCH = ("search", "only bots whose names contain this, in upper or lower case")
_OWNER = ("owner", "only bots of this owner")
_ORDER = (
    "order",
    "sorts by place, skill, matches, name or last, the time of the last rated match; place if left out",
)
_AFTER = ("after", "only bots whose names sort after this one, for paging")
_BEFORE = ("before", "only tournaments with a smaller number, for paging")
_FORMAT = ("format", "csv: the rows as a table for spreadsheets; json if left out")
_VOID_PAGING = (
    ("tournament", "only those of matches of the tournament with this number"),
    ("ladder", "only those of matches of this ladder, which have no tournament"),
    ("limit", "how many at most, up to 1000; 50 if left out"),
    ("before", "only attempts with a smaller number, for paging"),
    _FORMAT,
)
_NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**63 - 1}
#: The type of each parameter that is more than a text, and an example of each.
_TYPES: dict[str, dict[str, Any]] = {
    "id": _NUMBER,
    "after": {"type": "string", "pattern": f"^({BOT_NAME.pattern})?$"},
    "tournament": _NUMBER,
    "before": _NUMBER,
    "limit": {"type": "integer", "minimum": 0, "maximum": 1000},
    "skip": {"type": "integer", "minimum": 0, "maximum": 2**31},
    "all_versions": {"type": "boolean"},
    "strikes": {"type": "boolean"},
    "place": {"type": "integer", "minimum": 0, "maximum": 5},
    "order": {"type": "string", "enum": list(ORDERS)},
    "state": {"type": "string", "enum": list(STATES)},
    "format": {"type": "string", "enum": ["json", "csv"]},
}
_EXAMPLES: dict[str, Any] = {
    "id": 1,
    "name": "house-greedy-1",
    "board": "board-1",
    "ladder": "chinkway",
    "bot": "house-greedy-1",
    "other": "house-random-1",
    "against": "house-random-1",
    "game": "chinkway",
    "version": "1",
    "place": 1,
    "strikes": True,
    "after": "house-greedy-1",
    "tournament": 1,
    "before": 100,
    "limit": 20,
    "skip": 100,
    "all_versions": True,
    "search": "greedy",
    "owner": "ana",
    "order": "matches",
    "state": "finished",
    "format": "csv",
}
#: Type and example of a parameter that means something else at one address than elsewhere, by operation and name.
_OTHERWISE: dict[tuple[str, str], tuple[dict[str, Any], Any]] = {("downloadChain", "after"): (_NUMBER, 100)}


@dataclass(frozen=True, slots=True)
class Path:
    """An address: its summary, the message that it returns, and its query parameters with their meaning.

    `rows` is the field with rows that can be had as a table. A download has such a message in each of its `lines`, or
    an entry of a chain if there is no message.
    """

    address: str
    operation: str
    summary: str
    message: type[Message] | None
    query: tuple[tuple[str, str], ...] = ()
    rows: str = ""
    lines: bool = False


PATHS = (
    Path(
        "/api/ratings",
        "listRatings",
        "A ladder, best first",
        ratings_pb2.ListRatingsResponse,
        (_LADDER, _ALL_VERSIONS, _SEARCH, _OWNER, _ORDER, _ROWS, _SKIP, _FORMAT),
        rows="bots",
    ),
    Path("/api/bots", "listBots", "Bots, by name", bots_pb2.ListBotsResponse, (_ROWS, _AFTER, _FORMAT), rows="bots"),
    Path(
        "/api/bots/{name}",
        "getBot",
        "One bot, with its incidents in finished matches; their text follows when the match's record is open",
        bots_pb2.GetBotResponse,
    ),
    Path(
        "/api/bots/{name}/vs/{other}",
        "getBotPair",
        "Two bots: their results against each other, and the boards that both have played",
        bots_pb2.BotPair,
    ),
    Path(
        "/api/tournaments",
        "listTournaments",
        "Tournaments, newest first",
        tournaments_pb2.ListTournamentsResponse,
        (_ROWS, _BEFORE, _FORMAT),
        rows="tournaments",
    ),
    Path(
        "/api/tournaments/{id}",
        "getTournament",
        "One tournament with its standings; as CSV the standings alone",
        tournaments_pb2.Tournament,
        (_FORMAT,),
        rows="standings",
    ),
    Path(
        "/api/tournaments/{id}/boards/{board}",
        "getBoard",
        "What all tables made of one board, once every match on it is over; until then 409, BOARD_IN_PLAY",
        matches_pb2.Board,
    ),
    Path(
        "/api/matches",
        "listMatches",
        "Matches, newest first: by when they ended where only finished ones are asked for, otherwise by number",
        matches_pb2.ListMatchesResponse,
        (*MATCHES, _FORMAT),
        rows="matches",
    ),
    Path("/api/matches/{id}", "getMatch", "One match", matches_pb2.Match),
    Path(
        "/api/records/{id}",
        "getRecord",
        "The record of a finished match, once no match with the same cards is in play; until then 409, BOARD_IN_PLAY",
        record_pb2.Record,
    ),
    Path(
        "/api/void-attempts",
        "listVoidAttempts",
        "Void attempts of matches, newest first; with key and text once no match on the board is in play",
        matches_pb2.ListVoidAttemptsResponse,
        _VOID_PAGING,
        rows="attempts",
    ),
    Path("/api/queue", "getQueue", "What is waiting and what is in play", nodes_pb2.GetQueueResponse),
    Path("/api/nodes", "listNodes", "The servers that play matches", nodes_pb2.ListNodesResponse),
)

#: A download with one message per line, however many there are.
DOWNLOADS = (
    Path(
        "/api/records",
        "downloadRecords",
        "All open records of a tournament or of a ladder, newest first; give one of the two",
        record_pb2.Record,
        (
            ("tournament", "the tournament with this number"),
            ("ladder", "the ladder of this name, with the matches of tournaments that are rated there"),
        ),
        lines=True,
    ),
    Path(
        "/api/ladders/{game}/chain",
        "downloadChain",
        "The chain of a ladder, in order; docs/records.md explains its entries",
        None,
        (("after", "only entries after the one with this number"),),
        lines=True,
    ),
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
    schemas: dict[str, Any] = {"Error": _ERROR, "ChainEntry": _CHAIN_ENTRY}
    paths = {path.address: {"get": _operation(path, schemas)} for path in (*PATHS, *DOWNLOADS)}
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
        "title": {"type": "string", "description": "what the status means"},
        "status": {"type": "integer", "description": "the HTTP status"},
        "detail": {"type": "string", "description": "one sentence for people"},
        "reason": {"type": "string", "description": "stable name for programs"},
    },
    "required": ["title", "status", "detail", "reason"],
}
_HASH = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
_TEXT, _WHOLE = {"type": "string"}, {"type": "integer", "minimum": 1}
_CHAIN_ENTRY = {
    "type": "object",
    "description": "What a rated match did to ratings, with the hash of the entry before.",
    "properties": {
        "before": _HASH,
        "digest": _HASH,
        "entry": _WHOLE,
        "hash": _HASH,
        "ladder": _TEXT,
        "match": _WHOLE,
        "seats": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"bot": _TEXT, "id": _WHOLE, "mu": _TEXT, "sigma": _TEXT, "version": _TEXT},
                "required": ["bot", "id", "version"],
            },
        },
        "system": _TEXT,
    },
    "required": ["before", "digest", "entry", "hash", "ladder", "match", "seats", "system"],
}
_NEXT = {"type": "string", "description": "address of the rows after these; left out if there are none"}


def _operation(path: Path, schemas: dict[str, Any]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True}
        for name in ("id", "name", "other", "board", "game")
        if f"{{{name}}}" in path.address
    ]
    parameters += [
        # A form sends what was left empty: it counts as left out.
        {"name": name, "in": "query", "required": False, "allowEmptyValue": True, "description": text}
        for name, text in path.query
    ]
    for parameter in parameters:
        name = parameter["name"]
        usual = _TYPES.get(name, {"type": "string"}), _EXAMPLES[name]
        parameter["schema"], parameter["example"] = _OTHERWISE.get((path.operation, name), usual)
    refused = {"description": "Refused", "content": {PROBLEM_JSON: {"schema": _reference("Error")}}}
    if path.message is None:
        schema = _reference("ChainEntry")
    else:
        descriptor: Any = path.message.DESCRIPTOR  # of one of two kinds that are used alike
        schema = _message(descriptor, schemas)
        if any(name == "limit" for name, _ in path.query):
            schemas[descriptor.name]["properties"]["next"] = _NEXT
    answer: dict[str, Any] = {"application/x-ndjson" if path.lines else "application/json": {"schema": schema}}
    if path.rows:
        answer["text/csv"] = {"schema": {"type": "string"}}
    return {
        "operationId": path.operation,
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
        schema["description"] = comment(message.full_name)
        schema["properties"] = {
            field.json_name: {**_field(field, schemas), "description": comment(field.full_name)}
            for field in message.fields
        }
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
