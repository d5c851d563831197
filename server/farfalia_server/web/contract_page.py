"""The contract as pages: one for each of its messages, enums and services, with the comments of the .proto files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, FileDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, MethodDescriptorProto
from markupsafe import Markup, escape

from farfalia.v1 import arena_pb2, play_pb2, search_pb2
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web.json_addresses import DOWNLOADS, PATHS, PROGRAMS
from farfalia_server.web.proto_comments import comment, gist

_PACKAGE = "farfalia.v1"

#: A document in a text, by its path in the repository or by its address.
_DOCUMENT = re.compile(r"(?:docs/(?=[\w/-]+\.md)|/docs/)([\w/-]+\w)(?:\.md)?")
_QUOTED_DOCUMENT = re.compile(r"`(docs/[\w/-]+\.md)`")


@dataclass(frozen=True, slots=True)
class ContractField:
    """A field of a message, or a value of an enum: `type` stands before the name of what it is `of`."""

    name: str
    json_name: str
    type: str
    of: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a service: the messages that it takes and returns, whether these are streams, and their file."""

    name: str
    file: str
    takes: str
    takes_stream: bool
    returns: str
    returns_stream: bool
    text: str

    @property
    def gist(self) -> str:
        """What it does, in the comment's first words after its name: up to the first full stop, colon or semicolon."""
        return gist(self.name, self.text)


@dataclass(frozen=True, slots=True)
class Part:
    """A message, an enum or a service of the contract, and where it is used."""

    name: str
    text: str
    fields: tuple[ContractField, ...] = ()
    values: tuple[ContractField, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Uses:
    """Where a message or an enum is used: in other messages, by calls of a service, and at addresses of the JSON."""

    messages: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]
    addresses: tuple[str, ...]


def contract_part(name: str) -> Part:
    """Return a part of the contract; NotFound."""
    parts = _parts()
    if name not in parts:
        raise NotFound(
            said(
                "there is no %(name)s in the contract %(package)s; /api lists what there is",
                name=quoted(name),
                package=_PACKAGE,
            )
        )
    return parts[name]


def services() -> list[Part]:
    """Return the services, by name."""
    return [part for _, part in sorted(_parts().items()) if part.calls]


def uses(name: str) -> Uses:
    """Return where a message or an enum is used."""
    parts = _parts().values()
    return Uses(
        tuple(sorted(part.name for part in parts if any(field.of == name for field in part.fields))),
        tuple((part.name, call.name) for part in parts for call in part.calls if name in (call.takes, call.returns)),
        tuple(
            path.address
            for path in (*PATHS, *DOWNLOADS, PROGRAMS)
            if path.message and path.message.DESCRIPTOR.name == name
        ),
    )


def to_documents(text: str) -> Markup:
    """Return a text in which documents are links, whether they are named by their path or by their address."""
    parts = _DOCUMENT.split(text)
    link = Markup('<a href="/docs/{0}">/docs/{0}</a>')
    return Markup().join(link.format(part) if number % 2 else escape(part) for number, part in enumerate(parts))


def prose(text: str) -> Markup:
    """Return a comment as markup: paragraphs, what stands between backticks as code, and documents as links."""
    return Markup().join(Markup("<p>{}</p>").format(_coded(paragraph)) for paragraph in text.split("\n\n") if paragraph)


def _coded(text: str) -> Markup:
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 else to_documents(part)
        for number, part in enumerate(_QUOTED_DOCUMENT.sub(r"\1", text).split("`"))
    )


@cache
def _parts() -> dict[str, Part]:
    return {part.name: part for file in _files() for part in _of_file(file)}


def _files() -> Iterator[FileDescriptor]:
    """Yield the files of the contract, each once."""
    found: dict[str, FileDescriptor] = {}
    open_files: list[Any] = [arena_pb2.DESCRIPTOR, play_pb2.DESCRIPTOR, search_pb2.DESCRIPTOR]
    while open_files:
        file = open_files.pop()
        if file.package == _PACKAGE and file.name not in found:
            found[file.name] = file
            open_files += file.dependencies
    yield from found.values()


def _of_file(file: FileDescriptor) -> Iterator[Part]:
    for message in file.message_types_by_name.values():
        yield Part(message.name, comment(message.full_name), fields=tuple(map(_field, message.fields)))
    for enum in file.enum_types_by_name.values():
        yield Part(enum.name, comment(enum.full_name), values=tuple(_values(enum)))
    for service in file.services_by_name.values():
        yield Part(service.name, comment(service.full_name), calls=tuple(_calls(service)))


def _field(field: FieldDescriptor) -> ContractField:
    type, of = _type(field)
    return ContractField(field.name, field.json_name, type, of, comment(field.full_name))


def _type(field: FieldDescriptor) -> tuple[str, str]:
    """Return the words before the type's name, and the name if it is a part of the contract."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        key, value = message.fields_by_name["key"], message.fields_by_name["value"]
        return f"map {_plain(key)} → {_plain(value)}", _own(value)
    words = "repeated" if field.is_repeated else "optional" if _is_optional(field) else ""
    return f"{words} {_plain(field)}".strip(), _own(field)


def _is_optional(field: FieldDescriptor) -> bool:
    return field.message_type is None and field.has_presence


def _own(field: FieldDescriptor) -> str:
    """Return the name of the message or enum of a field, if it is the contract's own."""
    of: Descriptor | EnumDescriptor | None = field.message_type or field.enum_type
    return of.name if of is not None and of.full_name.startswith(f"{_PACKAGE}.") else ""


def _plain(field: FieldDescriptor) -> str:
    """Return the name of a type that is not the contract's own; empty for others."""
    of: Descriptor | EnumDescriptor | None = field.message_type or field.enum_type
    if of is not None:
        return "" if _own(field) else of.name
    types = FieldDescriptorProto.DESCRIPTOR.enum_types_by_name["Type"].values_by_number
    return types[field.type].name.removeprefix("TYPE_").lower()


def _values(enum: EnumDescriptor) -> Iterator[ContractField]:
    for value in enum.values:
        yield ContractField(value.name, value.name, str(value.number), "", comment(f"{enum.full_name}.{value.name}"))


def _calls(service: ServiceDescriptor) -> Iterator[Call]:
    for method in service.methods:
        told = MethodDescriptorProto()
        method.CopyToProto(told)
        yield Call(
            method.name,
            method.input_type.file.name.rpartition("/")[2],
            method.input_type.name,
            told.client_streaming,
            method.output_type.name,
            told.server_streaming,
            comment(method.full_name),
        )
