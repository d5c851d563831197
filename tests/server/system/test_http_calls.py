"""The calls of the contract over HTTP: they do, and refuse, what they do and refuse over gRPC."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia.v1 import arena_pb2, tournaments_pb2
from farfalia_server.arena.http_calls import CALLS
from farfalia_server.contract.statuses import HTTP_STATUSES
from farfalia_server.net.http_connection import PATIENCE as SLOW
from farfalia_server.web.calls import MOST_BYTES
from farfalia_server.web.json_addresses import PROGRAMS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("calls")) as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
        yield client


def made(client: httpx.Client, name: str, token: str = "", /, **request: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return client.post(f"/api/calls/{name}", json=request, headers=headers)


def test_a_tournament_is_made_and_played_over_http_alone(server: LiveServer, client: httpx.Client) -> None:
    account = made(client, "CreateAccount", ADMIN, name="otto", role="ROLE_ORGANISER").raise_for_status().json()
    bots = ["house-greedy-1", "house-random-1", "house-cautious-1", "house-greedy-2"]
    asked = {"name": "Over HTTP", "bots": bots, "ruleset": "four", "rounds": 1}
    tournament = made(client, "CreateTournament", account["token"], **asked).raise_for_status().json()["tournament"]
    assert tournament["state"] == "TOURNAMENT_STATE_PLANNED"
    started = made(client, "StartTournament", account["token"], id=tournament["id"]).raise_for_status()
    assert started.headers["cache-control"] == "no-store"
    server.wait_for(int(tournament["id"]))
    answer = made(client, "GetTournament", id=tournament["id"]).raise_for_status().json()["tournament"]
    assert ParseDict(answer, tournaments_pb2.Tournament()) == server.show(int(tournament["id"]))


def keyed(client: httpx.Client, name: str, key: str, token: str, /, **request: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
    return client.post(f"/api/calls/{name}", json=request, headers=headers)


def test_a_call_that_is_made_again_with_its_key_is_made_once(server: LiveServer, client: httpx.Client) -> None:
    first = keyed(client, "RegisterBot", "one", ADMIN, name="once").raise_for_status().json()
    assert keyed(client, "RegisterBot", "one", ADMIN, name="once").raise_for_status().json() == first
    assert made(client, "RegisterBot", ADMIN, name="once").json()["reason"] == "NAME_TAKEN"
    other = keyed(client, "RegisterBot", "one", ADMIN, name="twice")
    assert (other.status_code, other.json()["reason"]) == (400, "KEY_REUSED")
    stranger = keyed(client, "RegisterBot", "one", "no such token", name="once")
    assert stranger.status_code == 401, "a key is its caller's own"
    database = server.folder / "data" / "farfalia.db"
    assert first["token"].encode() not in database.read_bytes(), "an answer is kept encrypted"
    long = keyed(client, "RegisterBot", "x" * 201, ADMIN, name="long")
    assert (long.status_code, long.json()["detail"].split()[0]) == (400, "Idempotency-Key")


def test_a_call_that_was_refused_may_be_made_again_with_its_key(client: httpx.Client) -> None:
    assert keyed(client, "RotateToken", "again", ADMIN, name="later").status_code == 404
    made(client, "RegisterBot", ADMIN, name="later").raise_for_status()
    assert keyed(client, "RotateToken", "again", ADMIN, name="later").raise_for_status().json()["token"]


def test_of_calls_with_one_key_at_once_one_is_made(client: httpx.Client) -> None:
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(keyed, client, "CreateInvitation", "at once", ADMIN, note="at once") for _ in range(16)]
        answers = [one.result() for one in asked]
    codes = {answer.json()["code"] for answer in answers if answer.status_code == 200}
    assert len(codes) == 1
    assert {answer.status_code for answer in answers} <= {200, 503}, "the others have it, or are to ask again"
    listed = made(client, "ListInvitations", ADMIN).json()["invitations"]
    assert [one["note"] for one in listed].count("at once") == 1


@pytest.mark.parametrize("token", ["", "no such token"], ids=["nobody", "a wrong token"])
@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_call_answers_as_over_grpc(server: LiveServer, client: httpx.Client, name: str, token: str) -> None:
    """With an empty request: some are answered, others are refused for their caller or for a field."""
    answer = made(client, name, token)
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    try:
        told = getattr(server.arena, name)(GetMessageClass(CALLS[name].input_type)(), metadata=metadata)
    except grpc.RpcError as error:
        refusal: Any = error
        status = rpc_status.from_call(refusal)
        info = error_details_pb2.ErrorInfo()
        status.details[0].Unpack(info)
        said = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.status_code, said["reason"]) == (HTTP_STATUSES[refusal.code()], info.reason)
        assert said["detail"] == refusal.details()
    else:
        expected = MessageToDict(told, always_print_fields_with_no_presence=True)
        assert answer.raise_for_status().json().keys() == expected.keys()


@pytest.mark.parametrize(
    ("body", "kind", "status", "said"),
    [
        (b"{", "application/json", 400, "the body is no GetTournamentRequest as JSON"),
        (b"\xff", "application/json", 400, "the body is no GetTournamentRequest as JSON"),
        (b'{"number": 1}', "application/json", 400, 'no field named "number"'),
        (b'{"id": "one"}', "application/json", 400, "the body is no GetTournamentRequest as JSON"),
        (b"[" * 100_000, "application/json", 400, "the body is no GetTournamentRequest as JSON"),
        (b"[]", "application/json", 400, "expected an object"),
        (b' ""', "application/json", 400, "expected an object"),
        (b"id=1", "application/x-www-form-urlencoded", 415, "expected application/json"),
        (b'{"id": 1}', "text/plain", 415, "expected application/json"),
        (b" " * (MOST_BYTES + 1), "application/json", 413, "expected at most that"),
    ],
    ids=[
        "no JSON",
        "no text",
        "unknown field",
        "wrong type",
        "too deep",
        "a list",
        "a string",
        "a form",
        "text",
        "too long",
    ],
)
def test_a_request_that_is_none_is_refused(
    client: httpx.Client, body: bytes, kind: str, status: int, said: str
) -> None:
    answer = client.post("/api/calls/GetTournament", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert said in answer.json()["detail"]
    assert len(answer.text) < 2000


@pytest.mark.parametrize("name", ["NoSuchCall", "WatchTournament", "__class__", "call_limits"])
def test_what_is_no_call_is_not_found(client: httpx.Client, name: str) -> None:
    answer = made(client, name, ADMIN)
    assert (answer.status_code, answer.json()["reason"]) == (404, "CALL_UNKNOWN")


def test_only_a_post_makes_a_call(client: httpx.Client) -> None:
    for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
        answer = client.request(method, "/api/calls/CreateTournament", headers={"authorization": f"Bearer {ADMIN}"})
        assert answer.status_code == 405, method


def test_scripts_of_other_sites_may_not_call(client: httpx.Client) -> None:
    asked = {"origin": "https://elsewhere.example", "access-control-request-method": "POST"}
    answer = client.options("/api/calls/CreateTournament", headers=asked)
    assert "POST" not in answer.headers["access-control-allow-methods"]


def test_every_call_is_described(client: httpx.Client) -> None:
    described = client.get("/api/openapi.json").raise_for_status().json()["paths"]
    service = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
    calls = {f"/api/calls/{call.name}" for call in service.methods if not call.server_streaming}
    assert {path for path in described if "post" in described[path]} == {*calls, PROGRAMS.address}
    for path, operations in described.items():
        if "post" in operations:
            assert operations["post"]["summary"], path
            assert json.dumps(operations["post"])


@pytest.mark.slow
def test_a_body_that_does_not_come_ends_its_connection(server: LiveServer) -> None:
    host, _, port = server.http_address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=SLOW + PATIENCE) as slow:
        headers = "host: x\r\ncontent-type: application/json\r\ncontent-length: 9"
        slow.sendall(f"POST /api/calls/GetQueue HTTP/1.1\r\n{headers}\r\n\r\n{{".encode())
        assert b" 408 " in slow.recv(4096).split(b"\r\n")[0]


@pytest.mark.parametrize("path", ["/api/calls/GetQueue", "/api/bots/ant/programs", "/account/sign-in"])
@pytest.mark.parametrize("part", [b"content-length: 9\r\n\r\n{", b"transfer-encoding: chunked\r\n\r\nzz\r\n"])
def test_who_breaks_off_in_a_body_is_no_fault_of_the_server(server: LiveServer, path: str, part: bytes) -> None:
    host, _, port = server.http_address.rpartition(":")
    kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as gone:
        gone.sendall(f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n".encode() + part)
        gone.shutdown(socket.SHUT_WR)
        while gone.recv(4096):
            pass
    assert server.page("/livez")[0] == 200
    assert "ClientDisconnect" not in server.log()
