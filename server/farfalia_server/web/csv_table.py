"""A list of messages as a table for spreadsheets: a row for each, a column for each plain field."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

_TIMESTAMP = "google.protobuf.Timestamp"
#: First characters by which a spreadsheet recognises a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_of(rows: Sequence[Any]) -> str:
    """Return the rows as CSV; what a message holds in lists is joined by spaces, messages in lists are left out."""
    table = [dict(_cells(row, "")) for row in rows]
    written = io.StringIO()
    writer = csv.writer(written)
    if table:
        writer.writerow(table[0])
        writer.writerows(row.values() for row in table)
    return written.getvalue()


def _cells(message: Any, prefix: str, *, there: bool = True) -> Iterator[tuple[str, str]]:
    """Return the columns of a message with its cells, which are empty if it is not `there`."""
    for field in message.DESCRIPTOR.fields:
        value, name = getattr(message, field.name), f"{prefix}{field.name}"
        if field.message_type is None and not (
            there and (message.HasField(field.name) if field.has_presence else True)
        ):
            yield name, ""
        elif field.message_type is None:
            values = value if field.is_repeated else [value]
            text = " ".join(_text(field, one) for one in values)
            yield name, _safe(text) if field.type == FieldDescriptor.TYPE_STRING else text
        elif field.message_type.full_name == _TIMESTAMP:
            yield name, value.ToJsonString() if message.HasField(field.name) else ""
        elif not field.is_repeated:
            yield from _cells(value, f"{name}.", there=message.HasField(field.name))


def _text(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        return str(field.enum_type.values_by_number[value].name)
    if isinstance(value, bytes):
        return value.hex()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _safe(text: str) -> str:
    """Return what somebody has written in a form that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
