"""Writes the typed calls of both Python clients from the contract: `python -m farfalia_tools.arena_client`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor

from farfalia.v1 import arena_pb2
from farfalia_server.web.proto_comments import comment, gist

_FOLDER: Final = Path(__file__).parents[2] / "clients/python/farfalia"
_SERVICE: Any = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
_SCALARS: Final = {
    FieldDescriptor.CPPTYPE_INT32: "int",
    FieldDescriptor.CPPTYPE_INT64: "int",
    FieldDescriptor.CPPTYPE_UINT32: "int",
    FieldDescriptor.CPPTYPE_UINT64: "int",
    FieldDescriptor.CPPTYPE_DOUBLE: "float",
    FieldDescriptor.CPPTYPE_FLOAT: "float",
    FieldDescriptor.CPPTYPE_BOOL: "bool",
}
_DEFAULTS: Final = {"int": "0", "float": "0.0", "bool": "False", "str": '""', "bytes": 'b""'}
_MODULE: Final = re.compile(r"\b(\w+_pb2)\.")
#: Characters of a line of a docstring.
_WIDTH: Final = 112


@dataclass(frozen=True)
class Way:
    """How a client calls: what its class and its methods are written with."""

    file: Path
    name: str
    title: str
    define: str
    take: str
    iterator: str


WAYS: Final = (
    Way(_FOLDER / "arena_calls.py", "ArenaCalls", "to be awaited", "async def", "await ", "AsyncIterator"),
    Way(_FOLDER / "arena_sync_calls.py", "SyncArenaCalls", "without await", "def", "", "Iterator"),
)


def written(way: Way) -> str:
    """Return the text of a file."""
    body = "\n".join(line for call in _SERVICE.methods for line in _methods(call, way))
    imports = "\n".join(f"    {module}," for module in sorted(set(_MODULE.findall(body))))
    head = f'''"""The calls of ArenaService, typed, {way.title}. Made from the contract by `make proto`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import {way.iterator}, Iterable, Mapping
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.arena_paging import ask_for_next, rows
from farfalia.v1 import (
{imports}
)


class {way.name}(ABC):
    """Every call, which takes the fields of its request."""

    #: Rows that the server lists in one answer, at most.
    page: int

    @abstractmethod
    {way.define} ask(self, call: str, request: Message) -> Any:
        """Return the answer of a call."""

    @abstractmethod
    def stream(self, call: str, request: Message) -> {way.iterator}[Any]:
        """Yield the answers of a call that answers more than once."""

    {way.define} pages(self, call: str, request: Any, limit: int = 0) -> {way.iterator}[Any]:
        """Yield the answers of a call that lists something, until it has listed `limit` rows, or all if that is 0.

        It changes `request` meanwhile.
        """
        left = limit
        while True:
            request.limit = min(self.page, left) if limit else self.page
            page = {way.take}self.ask(call, request)
            yield page
            listed = len(rows(page))
            left -= listed
            if listed < request.limit or (limit and not left):
                return
            ask_for_next(request, page)
'''
    return f"{head}\n{body}\n"


def _methods(call: MethodDescriptor, way: Way) -> Iterator[str]:
    """Yield the lines of a call's methods."""
    returns, words = _name(call.output_type), _said(call)
    if call.server_streaming:
        words = f"Yield {words.removeprefix('Send ')}" if words.startswith("Send ") else words
        yield from _head(_snake(call.name), call, "def", f"{way.iterator}[{returns}]", f"{words}.")
        yield from _request(call)
        yield f'        return self.stream("{call.name}", request)'
        yield ""
        return
    yield from _head(_snake(call.name), call, way.define, returns, f"{words}.")
    yield from _request(call)
    yield f'        answer: {returns} = {way.take}self.ask("{call.name}", request)'
    yield "        return answer"
    yield ""
    if not _is_paged(call):
        return
    rows = call.output_type.fields[0]
    words = f"Yield {words.removeprefix('Return ')}, page by page: `limit` rows, or all if that is 0."
    name = _snake(call.name).replace("list_", "all_")
    yield from _head(name, call, way.define, f"{way.iterator}[{_single(rows)}]", words)
    yield from _request(call, without="limit")
    if way.take:  # what is asynchronous has no `yield from`
        yield f'        async for page in self.pages("{call.name}", request, limit):'
        yield f"            for row in page.{rows.name}:"
        yield "                yield row"
    else:
        yield f'        for page in self.pages("{call.name}", request, limit):'
        yield f"            yield from page.{rows.name}"
    yield ""


def _is_paged(call: MethodDescriptor) -> bool:
    return call.name.startswith("List") and "limit" in call.input_type.fields_by_name


def _said(call: MethodDescriptor) -> str:
    """Return what a call does, as an order without a full stop."""
    words = gist(call.name, comment(call.full_name))
    return _verb(f"{words[:1].upper()}{words[1:]}".strip())


def _head(name: str, call: MethodDescriptor, define: str, returns: str, words: str) -> Iterator[str]:
    """Yield the lines of a method up to its docstring."""
    fields = list(call.input_type.fields)
    yield f"    {define} {name}("
    yield "        self,"
    if fields:
        yield "        *,"
    yield from (f"        {field.name}: {_type(field)} = {_default(field)}," for field in fields)
    yield f"    ) -> {returns}:"
    yield from _docstring(words)


def _request(call: MethodDescriptor, without: str = "") -> Iterator[str]:
    """Yield the lines that make the request of a call."""
    takes = _name(call.input_type)
    fields = [field for field in call.input_type.fields if field.name != without]
    if not fields:
        yield f"        request = {takes}()"
        return
    yield f"        request = {takes}("
    yield from (f"            {field.name}={field.name}," for field in fields if not _is_optional(field))
    yield "        )"
    for field in filter(_is_optional, fields):
        yield f"        if {field.name} is not None:"
        yield f"            request.{field.name} = {field.name}"


def _docstring(text: str) -> Iterator[str]:
    lines = textwrap.wrap(text, _WIDTH - 8)
    yield f'        """{lines[0]}' + ('"""' if len(lines) == 1 else "")
    if len(lines) > 1:
        yield from (f"        {line}" for line in lines[1:])
        yield '        """'


def _verb(words: str) -> str:
    """Return what a call does as an order: `Returns bots` becomes `Return bots`."""
    first, _, rest = words.partition(" ")
    stem = first[:-3] + "y" if first.endswith("ies") else first.removesuffix("s")
    return " ".join(f"{stem} {rest}".split())


def _type(field: FieldDescriptor) -> str:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        entry = field.message_type.fields_by_name
        return f"Mapping[{_single(entry['key'])}, {_single(entry['value'])}] | None"
    single = _single(field)
    if field.is_repeated:
        return f"Iterable[{single}]"
    return f"{single} | None" if field.message_type is not None or field.has_presence else single


def _is_optional(field: FieldDescriptor) -> bool:
    """Return whether it is a value that may be left out: its class takes no None."""
    return field.has_presence and field.message_type is None


def _single(field: FieldDescriptor) -> str:
    if field.message_type is not None:
        return _name(field.message_type)
    if field.enum_type is not None:
        return _name(field.enum_type)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return "bytes" if field.type == FieldDescriptor.TYPE_BYTES else "str"
    return _SCALARS[field.cpp_type]


def _default(field: FieldDescriptor) -> str:
    kind = _type(field)
    if kind.endswith("| None"):
        return "None"
    if field.is_repeated:
        return "()"
    if field.enum_type is not None:
        return f"{_module(field.enum_type)}.{field.enum_type.values[0].name}"
    return _DEFAULTS[kind]


def _name(message: Descriptor | EnumDescriptor) -> str:
    if message.full_name == "google.protobuf.Timestamp":
        return "Timestamp"
    return f"{_module(message)}.{message.name}"


def _module(message: Descriptor | EnumDescriptor) -> str:
    return f"{Path(message.file.name).stem}_pb2"


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).removeprefix("_")


if __name__ == "__main__":
    for way in WAYS:
        way.file.write_text(written(way), encoding="utf-8")
