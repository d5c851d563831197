"""The contract only grows, and the committed Python stubs are made from it.

`python tests/test_contract.py` writes contract.json anew (`make proto` does); it refuses to forget anything.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FileDescriptor

ROOT = Path(__file__).resolve().parents[1]
STUBS = ROOT / "clients/python"
PROTOS = sorted(ROOT.glob("proto/farfalia/v1/*.proto"))
SNAPSHOT = Path(__file__).with_name("contract.json")


def message(descriptor: Descriptor) -> dict[str, Any]:
    fields = {
        field.name: [field.number, field.type, field.is_repeated, full_name(field.message_type or field.enum_type)]
        for field in descriptor.fields
    }
    return {descriptor.full_name: fields} | {
        k: v for nested in descriptor.nested_types for k, v in message(nested).items()
    }


def full_name(descriptor: Any) -> str:
    return descriptor.full_name if descriptor else ""


def numbers(file: FileDescriptor) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for descriptor in file.message_types_by_name.values():
        found |= message(descriptor)
    for enum in file.enum_types_by_name.values():
        found[enum.full_name] = {value.name: value.number for value in enum.values}
    for service in file.services_by_name.values():
        found[service.full_name] = {
            method.name: [
                method.input_type.full_name,
                method.client_streaming,
                method.output_type.full_name,
                method.server_streaming,
            ]
            for method in service.methods
        }
    return found


def contract() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for proto in PROTOS:
        found |= numbers(importlib.import_module(f"farfalia.v1.{proto.stem}_pb2").DESCRIPTOR)
    return found


def changes(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What was there and is not there any more, or otherwise."""
    return [
        f"{kind}.{name}: {was} became {now.get(kind, {}).get(name)}"
        for kind, members in before.items()
        for name, was in members.items()
        if now.get(kind, {}).get(name) != was
    ]


def text(found: dict[str, Any]) -> str:
    """JSON with one line for each field, so that a change of it shows as one."""
    kinds = []
    for kind, members in sorted(found.items()):
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(was)}" for name, was in sorted(members.items()))
        kinds.append(f" {json.dumps(kind)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def test_no_number_or_name_of_the_contract_ever_changes() -> None:
    assert changes(json.loads(SNAPSHOT.read_text()), contract()) == []


def test_what_was_added_to_the_contract_is_kept_from_now_on() -> None:
    assert changes(contract(), json.loads(SNAPSHOT.read_text())) == [], "`make proto` adds it to tests/contract.json"


@pytest.mark.parametrize("proto", PROTOS, ids=lambda path: path.name)
def test_every_call_is_described_beginning_with_its_name(proto: Path) -> None:
    calls = re.findall(r"((?:^ *//.*\n)*)^ *rpc (\w+)", proto.read_text(), re.MULTILINE)
    assert [name for comment, name in calls if not comment.strip().startswith(f"// {name} ")] == []


@pytest.mark.parametrize("proto", PROTOS, ids=lambda path: path.name)
def test_fields_stand_in_the_order_of_their_numbers(proto: Path) -> None:
    messages = re.findall(r"^message (\w+) \{\n(.*?)^\}", proto.read_text(), re.MULTILINE | re.DOTALL)
    for name, body in messages:
        found = [int(number) for number in re.findall(r"^  [\w<>., ]+ = (\d+);", body, re.MULTILINE)]
        assert found == sorted(found), name


def made_stubs(folder: Path, root: Path, kinds: tuple[str, ...], *protos: str | Path) -> dict[Path, bytes]:
    """What the locked tools make of these protos."""
    subprocess.run(["make", "--silent", "stub-tools"], check=True, cwd=ROOT)
    words = ["-m", "grpc_tools.protoc", "-I", root, *(f"--{kind}_out={folder}" for kind in kinds), *protos]
    subprocess.run([ROOT / ".venv-proto/bin/python", *words], check=True, cwd=ROOT)
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*_pb2*")}


def test_the_committed_stubs_are_what_the_protos_make(tmp_path: Path) -> None:
    made = made_stubs(tmp_path, ROOT / "proto", ("python", "pyi", "grpc_python"), *PROTOS)
    kept = {path.relative_to(STUBS): path.read_bytes() for path in STUBS.rglob("*_pb2*.py*") if path.suffix != ".pyc"}
    assert sorted(path for path in made | kept if made.get(path) != kept.get(path)) == [], "run `make proto`"


def test_the_committed_stubs_of_what_nodes_send_each_other_are_what_its_proto_makes(tmp_path: Path) -> None:
    made = made_stubs(tmp_path, ROOT / "server", ("python", "pyi"), "farfalia_server/nodes/forwarding.proto")
    assert sorted(path.name for path in made) == ["forwarding_pb2.py", "forwarding_pb2.pyi"]
    assert made == {path: (ROOT / "server" / path).read_bytes() for path in made}, "run `make proto`"


if __name__ == "__main__":
    if SNAPSHOT.exists() and (changed := changes(json.loads(SNAPSHOT.read_text()), contract())):
        sys.exit("The contract only grows; bots in the field rely on what it had:\n" + "\n".join(changed))
    SNAPSHOT.write_text(text(contract()))
