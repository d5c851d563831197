"""Writes the typed calls of the Python client from the contract: `python -m farfalia_tools.arena_client`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor

from farfalia.v1 import arena_pb2
from farfalia_server.web.proto_comments import comment, gist

FILE: Final = Path(__file__).parents[2] / "clients/python/farfalia/arena_calls.py"
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


def written() -> str:
    """Return the text of the file."""
    calls = [call for call in _SERVICE.methods if not call.server_streaming]
    body = "\n".join(line for call in calls for line in _call(call))
    imports = "\n".join(f"    {module}," for module in sorted(set(_MODULE.findall(body))))
    head = f'''"""The calls of ArenaService that answer once, typed. Made from the contract by `make proto`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import (
{imports}
)


class ArenaCalls(ABC):
    """Every call, which takes the fields of its request."""

    @abstractmethod
    async def ask(self, call: str, request: Message) -> Any:
        """Return the answer of a call."""
'''
    return f"{head}\n{body}\n"


def _call(call: MethodDescriptor) -> Iterator[str]:
    """Yield the lines of a method."""
    takes, returns = _name(call.input_type), _name(call.output_type)
    fields = list(call.input_type.fields)
    yield f"    async def {_snake(call.name)}("
    yield "        self,"
    if fields:
        yield "        *,"
    yield from (f"        {field.name}: {_type(field)} = {_default(field)}," for field in fields)
    yield f"    ) -> {returns}:"
    words = gist(call.name, comment(call.full_name))
    said = f"{words[:1].upper()}{words[1:]}".strip()
    yield from _docstring(f"{_verb(said)}.")
    if fields:
        yield f"        request = {takes}("
        yield from (f"            {field.name}={field.name}," for field in fields if not _is_optional(field))
        yield "        )"
        for field in filter(_is_optional, fields):
            yield f"        if {field.name} is not None:"
            yield f"            request.{field.name} = {field.name}"
    else:
        yield f"        request = {takes}()"
    yield f'        answer: {returns} = await self.ask("{call.name}", request)'
    yield "        return answer"
    yield ""


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
    FILE.write_text(written(), encoding="utf-8")
