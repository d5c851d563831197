"""A record as a file: the contract's message in protobuf's own JSON mapping.

It is laid out for people: one action per line, zeroes written out, always the same bytes for the same record.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import record_pb2
from farfalia_engine.record import FORMATS
from farfalia_server.contract.errors import RecordError
from farfalia_server.records.codec import from_message

#: Messages that JSON writes as a single value.
_PLAIN = {Timestamp.DESCRIPTOR.full_name}


def dumps(message: record_pb2.Record) -> str:
    """Return the text of a record's file."""
    document = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    return "{\n" + ",\n".join(_members(_ordered(document, message.DESCRIPTOR))) + "\n}\n"


def loads(text: str | bytes, name: str = "the record") -> record_pb2.Record:
    """Return the record that a text holds; RecordError says in one sentence what is wrong with it, and where."""
    document = _document(text, name)
    try:
        message = json_format.ParseDict(document, record_pb2.Record())
    except json_format.ParseError as error:
        raise RecordError(f"{name} is not a record{_place(document)}: {_reason(error)}") from None
    if message.format not in FORMATS:
        raise RecordError(f"{name} has format {message.format}, expected {' or '.join(map(str, FORMATS))}")
    try:
        from_message(message)
    except RecordError as error:
        raise RecordError(f"{name} is not a record, {error}") from None
    return message


def write(path: Path, message: record_pb2.Record) -> None:
    """Write a record to a file, whole or not at all, and make its directory if that is missing; RecordError if that
    fails.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(dumps(message), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RecordError(f"{path} cannot be written: {error.strerror}") from None


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file, whose directory is made if it is missing; RecordError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}") from None


def read(path: Path) -> record_pb2.Record:
    """Read a record from a file; RecordError says in one sentence what is wrong with it, and where."""
    try:
        data = path.read_bytes()
    except OSError as error:
        expected = "; expected one record, such as match-1.json in it" if path.is_dir() else ""
        raise RecordError(f"{path} cannot be read: {error.strerror}{expected}") from None
    return loads(data, str(path))


def _document(text: str | bytes, name: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"{name} is not JSON, {where}: {_lowered(error.msg)}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is not UTF-8 text, byte {error.start}: not part of a character") from None
    except ValueError:  # Python reads no number of more than some thousand digits
        raise RecordError(f"{name} is not a record: it has a number of thousands of digits") from None
    except RecursionError:
        raise RecordError(f"{name} is not a record: its lists are nested too deeply") from None
    if not isinstance(document, dict):
        raise RecordError(f"{name} is not a record: it holds {_kind(document)}, expected an object")
    return document


def _ordered(document: dict[str, Any], kind: Any) -> dict[str, Any]:
    """Return the same members in the order of the contract; the library puts zeroes last."""
    ordered = {}
    for field in kind.fields:
        value = document.get(field.json_name)
        if field.message_type is None or value is None or field.message_type.full_name in _PLAIN:
            ordered[field.json_name] = value
        elif field.message_type.GetOptions().map_entry:
            ordered[field.json_name] = dict(sorted(value.items()))
        elif isinstance(value, list):
            ordered[field.json_name] = [_ordered(row, field.message_type) for row in value]
        else:
            ordered[field.json_name] = _ordered(value, field.message_type)
    return {name: value for name, value in ordered.items() if value is not None}


def _members(document: dict[str, Any]) -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {_line(row)}" for row in value)
            yield f"  {_line(key)}: [\n{rows}\n  ]"
        else:
            yield f"  {_line(key)}: {_line(value)}"


def _place(document: dict[str, Any]) -> str:
    """Return the position of the first unreadable member; the library reports it for some errors only."""
    for key, value in document.items():
        if _readable({key: value}):
            continue
        rows = value if isinstance(value, list) else []
        for index, row in enumerate(rows):
            if not _readable({key: [row]}):
                return f", {key}[{index}]"
        return f", {key}"
    return ""


def _readable(document: dict[str, Any]) -> bool:
    try:
        json_format.ParseDict(document, record_pb2.Record())
    except json_format.ParseError:
        return False
    return True


def _reason(error: Exception) -> str:
    """Return the library's sentence without the places that it begins and ends with."""
    text = str(error).splitlines()[0]
    text = re.sub(r'^(Failed to parse \w+ field: )+|( at "?Record\S*)$', "", text)
    return _lowered(text.rstrip("."))


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind(value: object) -> str:
    names = {list: "a list", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
