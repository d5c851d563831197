"""The OpenAPI description: addresses to read are written by hand, calls and shapes are taken from the contract."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor

from farfalia_engine import GAMES
from farfalia_server.arena.http_calls import CALLS
from farfalia_server.contract.bounds import BOT_NAME, EVENT_NAME
from farfalia_server.web.json_addresses import DOWNLOADS, PATHS, PROGRAMS, STREAMS, Path
from farfalia_server.web.problem import PROBLEM_JSON
from farfalia_server.web.proto_comments import comment, gist
from farfalia_server.web.query_parameters import ORDERS, STATES
from farfalia_server.wording.language import LANGUAGES

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
    "check_only": {"type": "boolean"},
    "strikes": {"type": "boolean"},
    "place": {"type": "integer", "minimum": 0, "maximum": 5},
    "seats": {"type": "integer", "minimum": 0, "maximum": 5},
    "newest": {"type": "integer", "minimum": 0, "maximum": 1000},
    "game": {"type": "string", "enum": sorted(GAMES)},
    "since": {"type": "string", "format": "date"},
    "event": {"type": "string", "pattern": f"^({EVENT_NAME.pattern})?$"},
    "order": {"type": "string", "enum": list(ORDERS)},
    "state": {"type": "string", "enum": list(STATES)},
    "format": {"type": "string", "enum": ["json", "csv"]},
    "language": {"type": "string", "enum": list(LANGUAGES)},
}
_EXAMPLES: dict[str, Any] = {
    "Last-Event-ID": "1.20",
    "id": 1,
    "name": "house-greedy-1",
    "board": "board-1",
    "ladder": "chinkway",
    "event": "arena",
    "since": "2026-11-20",
    "day": "2026-11-20",
    "bot": "house-greedy-1",
    "bots": "house-greedy-1,house-random-1",
    "matches": "1,2",
    "tournaments": "1",
    "other": "house-random-1",
    "against": "house-random-1",
    "game": "chinkway",
    "version": "1",
    "place": 1,
    "seats": 5,
    "newest": 200,
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
    "language": "it",
    "q": "greedy",
}
#: Type and example of a parameter that means something else at one address than elsewhere, by operation and name.
_OTHERWISE: dict[tuple[str, str], tuple[dict[str, Any], Any]] = {("downloadChain", "after"): (_NUMBER, 100)}

#: What the variable parts of addresses are.
_IN_PATHS = {
    "id": "number of the tournament or match",
    "name": "name of the bot",
    "other": "name of the other bot",
    "board": "name of the board, unique in its tournament",
    "ladder": "name of the ladder",
    "event": "name of the event",
    "game": "name of the game",
    "day": "the day in UTC",
}
#: Refusals that every address may answer with, and those after which it is worth asking again.
_REFUSALS = {
    "400": "A parameter is unknown or wrong; the detail names it",
    "404": "There is nothing of this number or name",
    "409": "Not yet: a match or its board is still in play",
    "429": "Too many requests from your address",
    "503": "The server is busy",
}
_LATER = ("429", "503")
_RETRY_AFTER = {"description": "seconds to wait", "schema": {"type": "integer"}}
_ETAG = {
    "description": "send it as If-None-Match to hear whether the answer changed",
    "schema": {"type": "string"},
}

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
    schemas: dict[str, Any] = {"Error": _ERROR, "ChainEntry": _CHAIN_ENTRY, "StreamEvent": _EVENT}
    paths = {path.address: {"get": _operation(path, schemas)} for path in (*PATHS, *DOWNLOADS)}
    paths |= {path.address: {"get": _stream(path)} for path in STREAMS}
    paths[PROGRAMS.address] = {"post": _hand_in(PROGRAMS, schemas)}
    paths |= {f"/api/calls/{name}": {"post": _call(call, schemas)} for name, call in CALLS.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Farfalia", "version": version, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


_ABOUT = (
    "What can be read of the server without a token, every call of the gRPC contract farfalia.v1 that is no stream, "
    "and where a program is handed in as it is. The objects are the contract's messages in protobuf's JSON form: names "
    "in camel case, 64-bit numbers as text, bytes in base64."
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
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "made again with the same key and request within a day, the call has the answer of the first",
    "schema": {"type": "string", "maxLength": 200},
}
_HASH = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
_TEXT, _WHOLE = {"type": "string"}, {"type": "integer", "minimum": 1}
_CHAIN_ENTRY = {
    "type": "object",
    "description": "What a rated match did to ratings, with the hash of the entry before.",
    "properties": {
        "before": _HASH,
        "beta": {"type": "string", "description": "of a match that was rated by points less luck"},
        "digest": _HASH,
        "entry": _WHOLE,
        "hash": _HASH,
        "ladder": _TEXT,
        "match": _WHOLE,
        "seats": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "bot": _TEXT,
                    "id": _WHOLE,
                    "luck": {"type": "integer", "description": "in thousandths of a point, where there is a beta"},
                    "mu": _TEXT,
                    "sigma": _TEXT,
                    "version": _TEXT,
                },
                "required": ["bot", "id", "version"],
            },
        },
        "system": _TEXT,
    },
    "required": ["before", "digest", "entry", "hash", "ladder", "match", "seats", "system"],
}
_EVENT = {
    "type": "object",
    "description": "Something that happened; the other fields depend on its type.",
    "properties": {
        "type": {"type": "string", "description": "what has happened; `end` is the last event of a stream"},
        "id": {"type": "string", "description": "send the last one as Last-Event-ID to go on after it"},
    },
    "required": ["type"],
    "additionalProperties": True,
}
_BINARY = {"type": "string", "contentMediaType": "application/octet-stream"}
_NEXT = {"type": "string", "description": "address of the rows after these; left out if there are none"}


def _operation(path: Path, schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = [*_path_parameters(path), *_query(path)]
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
    return _described(path, parameters, answer, kept=not path.lines)


def _stream(path: Path) -> dict[str, Any]:
    """Return the operation of a stream, whose events are text or a line each, as its reader likes."""
    parameters = [*_path_parameters(path), *_query(path)]
    parameters.append(
        {"name": "Last-Event-ID", "in": "header", "required": False, "description": "only the events after this one"}
    )
    answer = {
        "text/event-stream": {"schema": {"type": "string"}},
        "application/x-ndjson": {"schema": _reference("StreamEvent")},
    }
    return _described(path, parameters, answer, kept=False)


def _call(call: MethodDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the operation of a call, whose refusals are those of the contract."""
    text = comment(call.full_name)
    refusal = {PROBLEM_JSON: {"schema": _reference("Error")}}
    takes, returns = _message(call.input_type, schemas), _message(call.output_type, schemas)
    return {
        "operationId": f"call{call.name}",
        "summary": gist(call.name, text),
        "description": text,
        "tags": ["calls"],
        "security": [{}, {"token": []}],
        "parameters": [_KEY],
        "requestBody": {"required": True, "content": {"application/json": {"schema": takes}}},
        "responses": {
            "200": {"description": "Done", "content": {"application/json": {"schema": returns}}},
            "default": {"description": "Refused; `reason` is that of the contract", "content": refusal},
        },
    }


def _hand_in(path: Path, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the operation that takes an archive, whose refusals are those of the calls that it makes."""
    descriptor: Any = path.message.DESCRIPTOR if path.message is not None else None
    query = [
        {"name": name, "in": "query", "required": False, "description": text, "schema": _TYPES[name]}
        for name, text in path.query
    ]
    parameters = [{**one, "schema": _TEXT} for one in _path_parameters(path)]
    kinds = ("application/gzip", "application/x-tar", "application/zip", "application/octet-stream")
    refusal = {PROBLEM_JSON: {"schema": _reference("Error")}}
    made = {"application/json": {"schema": _message(descriptor, schemas)}}
    where = {"description": "page where its owner follows its check; programs ask GetProgram", "schema": _TEXT}
    return {
        "operationId": path.operation,
        "summary": path.summary,
        "tags": ["bots"],
        "security": [{"token": []}],
        "parameters": [*parameters, *query, _KEY],
        "requestBody": {"required": True, "content": {kind: {"schema": _BINARY} for kind in kinds}},
        "responses": {
            "201": {
                "description": "Handed in; it waits for its check",
                "content": made,
                "headers": {"Location": where},
            },
            "default": {"description": "Refused; `reason` is that of the contract", "content": refusal},
        },
    }


def _path_parameters(path: Path) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "description": text}
        for name, text in _IN_PATHS.items()
        if f"{{{name}}}" in path.address
    ]


def _query(path: Path) -> list[dict[str, Any]]:
    # A form sends what was left empty: it counts as left out.
    return [
        {"name": name, "in": "query", "required": False, "allowEmptyValue": True, "description": text}
        for name, text in path.query
    ]


def _described(path: Path, parameters: list[dict[str, Any]], answer: dict[str, Any], *, kept: bool) -> dict[str, Any]:
    """Return an operation with its parameters and what it answers; `kept` ones have an ETag."""
    for parameter in parameters:
        name = parameter["name"]
        usual = _TYPES.get(name, {"type": "string"}), _EXAMPLES[name]
        parameter["schema"], parameter["example"] = _OTHERWISE.get((path.operation, name), usual)
    refusal = {PROBLEM_JSON: {"schema": _reference("Error")}}
    responses: dict[str, Any] = {"200": {"description": path.summary, "content": answer}}
    if kept:
        responses["200"]["headers"] = {"ETag": _ETAG}
        responses["304"] = {"description": "The same as If-None-Match names"}
    for status, text in _REFUSALS.items():
        responses[status] = {"description": text, "content": refusal}
        if status in _LATER:
            responses[status]["headers"] = {"Retry-After": _RETRY_AFTER}
    responses["default"] = {"description": "Refused", "content": refusal}
    return {
        "operationId": path.operation,
        "summary": path.summary,
        "tags": [path.address.split("/")[2]],
        "parameters": parameters,
        "responses": responses,
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
