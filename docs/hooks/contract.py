"""The contract as a page: what the comments of the protos say of every message and field."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import descriptor_pb2 as pb
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
#: What a bot needs, and the calls of organisers; then what these take and return.
_FIRST = ("play", "cards", "record", "arena")
_OTHERS = {path.stem for path in (ROOT / "proto/farfalia/v1").glob("*.proto")} - {*_FIRST}
PROTOS = (*_FIRST, *sorted(_OTHERS))
PAGE = "proto/farfalia/v1/README.md"
_COMPILER = ROOT / ".venv-proto" / "bin" / "python"
_Field = pb.FieldDescriptorProto
_Comments = dict[tuple[int, ...], str]
_Descriptor = pb.FileDescriptorProto | pb.DescriptorProto | pb.ServiceDescriptorProto | pb.EnumDescriptorProto
_INTRODUCTION = """# The contract

Every message, field and number of the `.proto` files, with their comments. A bot needs `play`, `cards` and `record`;
`arena` and the files after it are for organisers. [The contract on one page](../../../clients/README.md) says how to
use them.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, PAGE, content=contract()))
    return files


def contract() -> str:
    """Return the page, as Markdown."""
    described = {file.name: file for file in _described().file}
    parts = [_INTRODUCTION]
    for proto in PROTOS:
        parts += _file(described[f"farfalia/v1/{proto}.proto"])
    return "\n".join(parts)


def _described() -> pb.FileDescriptorSet:
    if not _COMPILER.exists():
        raise PluginError("The page of the contract needs .venv-proto: `make docs` makes it.")
    names = [f"farfalia/v1/{proto}.proto" for proto in PROTOS]
    done = subprocess.run(  # noqa: S603  # our own compiler, with our own files
        [_COMPILER, "-m", "grpc_tools.protoc", "-Iproto", "--include_source_info", "-o/dev/stdout", *names],
        cwd=ROOT,
        capture_output=True,
    )
    if done.returncode:
        raise PluginError(done.stderr.decode())
    return pb.FileDescriptorSet.FromString(done.stdout)


def _file(file: pb.FileDescriptorProto) -> Iterator[str]:
    comments = {
        tuple(place.path): (place.leading_comments + place.trailing_comments).strip()
        for place in file.source_code_info.location
    }
    yield f"## {Path(file.name).name}\n"
    yield f"{comments.get((_number(file, 'syntax'),), '')}\n"
    for index, service in enumerate(file.service):
        yield from _service(service, comments, (_number(file, "service"), index))
    for index, message in enumerate(file.message_type):
        yield from _message(message, comments, (_number(file, "message_type"), index), message.name)
    for index, enum in enumerate(file.enum_type):
        yield from _enum(enum, comments, (_number(file, "enum_type"), index), enum.name)


def _service(service: pb.ServiceDescriptorProto, comments: _Comments, path: tuple[int, ...]) -> Iterator[str]:
    yield _heading(service.name, service.name)
    yield _text(comments, path)
    for index, method in enumerate(service.method):
        asked = ("stream " if method.client_streaming else "") + _linked(method.input_type)
        given = ("stream " if method.server_streaming else "") + _linked(method.output_type)
        yield f"#### {method.name} {{ #{service.name}.{method.name} }}\n"
        yield f"{asked} → {given}\n"
        yield _text(comments, (*path, _number(service, "method"), index))


def _message(message: pb.DescriptorProto, comments: _Comments, path: tuple[int, ...], name: str) -> Iterator[str]:
    yield _heading(name, name)
    yield _text(comments, path)
    if message.field:
        yield "| | field | type | |\n|---:|---|---|---|"
        for index, field in enumerate(message.field):
            said = _cell(comments, (*path, _number(message, "field"), index))
            yield f"| {field.number} | `{field.name}` | {_type(field, message)} | {said} |"
        yield ""
    for index, nested in enumerate(message.nested_type):
        inner = (*path, _number(message, "nested_type"), index)
        if not nested.options.map_entry:
            yield from _message(nested, comments, inner, f"{name}.{nested.name}")
    for index, enum in enumerate(message.enum_type):
        yield from _enum(enum, comments, (*path, _number(message, "enum_type"), index), f"{name}.{enum.name}")


def _enum(enum: pb.EnumDescriptorProto, comments: _Comments, path: tuple[int, ...], name: str) -> Iterator[str]:
    yield _heading(name, name)
    yield _text(comments, path)
    yield "| | value | |\n|---:|---|---|"
    for index, value in enumerate(enum.value):
        yield f"| {value.number} | `{value.name}` | {_cell(comments, (*path, _number(enum, 'value'), index))} |"
    yield ""


def _type(field: pb.FieldDescriptorProto, message: pb.DescriptorProto) -> str:
    """Return the type of a field as its `.proto` has it."""
    for entry in message.nested_type:
        if entry.options.map_entry and field.type_name.endswith(f".{message.name}.{entry.name}"):
            key, value = (_type(each, entry) for each in entry.field)
            return f"map of {key} to {value}"
    name = _linked(field.type_name) if field.type_name else _Field.Type.Name(field.type).removeprefix("TYPE_").lower()
    if field.label == _Field.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _linked(full_name: str) -> str:
    name = full_name.removeprefix(".farfalia.v1.")
    return f"`{name.removeprefix('.')}`" if name.startswith(".") else f"[{name}](#{name})"


def _heading(text: str, anchor: str) -> str:
    return f"### {text} {{ #{anchor} }}\n"


def _text(comments: _Comments, path: tuple[int, ...]) -> str:
    lines = (line.removeprefix(" ") for line in comments.get(path, "").splitlines())
    return "\n".join(lines) + "\n"


def _cell(comments: _Comments, path: tuple[int, ...]) -> str:
    return re.sub(r"\s+", " ", comments.get(path, "")).replace("|", r"\|")


def _number(message: _Descriptor, field: str) -> int:
    """Return the number by which the path of a comment names a field of a descriptor."""
    number: int = message.DESCRIPTOR.fields_by_name[field].number
    return number
