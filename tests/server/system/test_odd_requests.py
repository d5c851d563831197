"""Odd texts and numbers in any field of any call, and in any address: an answer, or a short sentence of what is wrong.

On PostgreSQL, which takes fewer texts and numbers than SQLite.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import quote

import grpc
import httpx
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.routing import Route
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server
from tests.server.postgres_fixture import Postgres

from farfalia.v1 import arena_pb2, programs_pb2
from farfalia_server.web import create_web
from farfalia_server.web.json_addresses import PATHS

CALLS = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods_by_name
TEXTS = ("zero \0 byte", "\x1b[2J\u202e", "\ufffe", "x" * 100_000, "9" * 5000)
NUMBERS = (2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)
#: What else has to be in a request before a field of it is looked at.
NEEDED: dict[str, dict[str, Any]] = {
    "CancelTournament": {"id": 2},
    "CreateAccount": {"name": "new"},
    "CreateTournament": {"name": "new", "bots": ["ant"], "ruleset": "two", "rounds": 1},
    "EnterTournament": {"id": 1},
    "SaveTournamentDraft": {"draft": {"plan": {"name": "new", "bots": ["ant"], "ruleset": "two", "rounds": 1}}},
    "ListMatches": {"bot": "ant"},
    "PauseTournament": {"id": 1},
    "ResumeTournament": {"id": 1},
    "VoidMatches": {"id": 1, "matches": [1], "reason": "why"},
    "RegisterBot": {"name": "new"},
    "StartTournament": {"id": 1},
    "WithdrawFromTournament": {"id": 1},
    **{call: {"bot": "ant"} for call in ("GetProgram", "GetProgramArchive", "ActivateProgram")},
    "UploadProgram": {"bot": "ant", "hash": bytes(32), "part": b"part"},
    "HandIn": {"bot": "ant", "hash": bytes(32)},
    "FetchProgram": {"hash": bytes(32)},
    "ReportProgramCheck": {"bot": "ant"},
    "WorkAsHost": {"host": programs_pb2.HostReport(name="host", instance=b"1")},
}
#: Statuses that say that the server itself has failed, or that what it said did not fit.
FAULTS = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
WHOLE = {
    FieldDescriptor.CPPTYPE_INT32: 2**31 - 1,
    FieldDescriptor.CPPTYPE_INT64: 2**63 - 1,
    FieldDescriptor.CPPTYPE_UINT32: 2**32 - 1,
    FieldDescriptor.CPPTYPE_UINT64: 2**64 - 1,
    FieldDescriptor.CPPTYPE_ENUM: 2**31 - 1,
}
Path = tuple[FieldDescriptor, ...]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("odd"), database_url=postgres.database()) as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def callers(server: LiveServer) -> dict[str, str]:
    """Nobody, a bot that is entered in two tournaments, and the admin; each with its token."""
    token = server.register("ant")
    for _ in range(2):
        server.tournament(["ant"], rounds=1, start=False)
    return {"nobody": "", "ant": token, "admin": ADMIN}


def fields(message: Descriptor) -> Iterator[Path]:
    """Yields the way to every field of a message that is a text or a whole number."""
    for field in message.fields:
        if field.message_type is not None:
            yield from ((field, *rest) for rest in fields(field.message_type))
        elif field.type == FieldDescriptor.TYPE_STRING or field.cpp_type in WHOLE:
            yield (field,)


def values(field: FieldDescriptor) -> Iterator[str | int]:
    if field.type == FieldDescriptor.TYPE_STRING:
        yield from TEXTS
    else:
        yield from {number for number in NUMBERS if number <= WHOLE[field.cpp_type]} | {WHOLE[field.cpp_type]}


def put(message: Message, path: Path, value: str | int) -> None:
    """Writes a value to where the path leads; into a new entry of lists and maps."""
    field, *rest = path
    held = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        held.update({value: "x"} if rest[0].name == "key" else {"x": value})
    elif field.message_type is not None:
        put(held.add() if hasattr(held, "add") else held, tuple(rest), value)
    elif hasattr(held, "append"):
        held.append(value)
    else:
        setattr(message, field.name, value)


@pytest.mark.parametrize("call", sorted(CALLS))
def test_a_call_answers_or_says_shortly_what_is_wrong(server: LiveServer, callers: dict[str, str], call: str) -> None:
    request_class = GetMessageClass(CALLS[call].input_type)
    for path in fields(CALLS[call].input_type):
        for value in values(path[-1]):
            request = request_class(**NEEDED.get(call, {}))
            put(request, path, value)
            for who, token in callers.items():
                where = f"{'.'.join(field.name for field in path)} = {value!r:.40} by {who}"
                metadata = (("authorization", f"Bearer {token}"),) if token else ()
                try:
                    answer = getattr(server.arena, call)(request, metadata=metadata, timeout=PATIENCE)
                    if CALLS[call].server_streaming:
                        next(answer)
                        answer.cancel()
                except grpc.RpcError as error:
                    refusal: Any = error
                    said = refusal.details()
                    assert refusal.code() not in FAULTS, f"{where}: {refusal.code()}: {said}"
                    assert 0 < len(said) <= 800, where
                    assert not {"Cc", "Cs", "Cf", "Cn"} & set(map(unicodedata.category, said)), f"{where}: {said!r}"


def addresses(text: str) -> Iterator[str]:
    """Yields every address of a page or of JSON with this text in each place of it, and as each parameter."""
    app = create_web(cast(Any, None), cast(Any, None), server_name="", server_version="")
    for route in app.routes:
        if isinstance(route, Route):
            for hole in re.findall(r"\{\w+\}", route.path):
                yield re.sub(r"\{\w+\}", "1", route.path.replace(hole, quote(text, safe="")))
    for path in PATHS:
        for name, _ in path.query:
            yield f"{re.sub(r'{[^}]*}', '1', path.address)}?{name}={quote(text, safe='')}"
    yield f"/api/matches?bot=ant&version={quote(text, safe='')}"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["zero \0 byte", "\ufffe", "9" * 3000], ids=["nul", "no character", "digits"])
def test_an_address_has_a_page_or_says_shortly_what_is_wrong(server: LiveServer, text: str) -> None:
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
        for address in addresses(text):
            answer = client.get(address)
            assert answer.status_code < 500, f"{address[:80]}: {answer.text[:300]}"
            assert answer.status_code < 400 or len(answer.text) < 5000, address[:80]
