"""A program is handed in by one HTTP request, whose body is the archive."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from tests.cli import forked
from tests.server.hosting_process import GOOD, archive, host_process
from tests.server.live import PATIENCE, LiveServer, live_server, until
from tests.server.system.form_browser import Browser

from farfalia.v1 import accounts_pb2, programs_pb2
from farfalia_server.contract.bounds import LARGEST_ARCHIVE

PACKED = archive(bot=GOOD)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("programs"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
def token(server: LiveServer) -> str:
    """The token of the bot of the name ant."""
    return server.register("ant")


def sent(
    client: httpx.Client, token: str, content: bytes | Iterator[bytes] = PACKED, *, query: str = "", **headers: str
) -> httpx.Response:
    told = {"content-type": "application/gzip"} | {name.replace("_", "-"): text for name, text in headers.items()}
    if token:
        told["authorization"] = f"Bearer {token}"
    return client.post(f"/api/bots/ant/programs{query}", content=content, headers=told)


def get(server: LiveServer, bot: str, number: int) -> programs_pb2.Program:
    request = programs_pb2.GetProgramRequest(bot=bot, number=number)
    program: programs_pb2.Program = server.call("GetProgram", request).program
    return program


def count(server: LiveServer) -> int:
    return len(server.call("ListPrograms", programs_pb2.ListProgramsRequest(bot="ant")).programs)


def farfalia(*arguments: str, folder: Path) -> str:
    """What a command prints."""
    done = forked.run(arguments, folder, os.environ | {"COLUMNS": "120"}, PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def host_token(server: LiveServer) -> str:
    """A token for hosts, which an admin's account makes."""
    admin = accounts_pb2.CreateAccountRequest(name="adele", role=accounts_pb2.ROLE_ADMIN)
    authorization = (("authorization", f"Bearer {server.call('CreateAccount', admin).token}"),)
    asked = accounts_pb2.CreateApiTokenRequest(name="host", scope=accounts_pb2.TOKEN_SCOPE_HOST)
    token: str = server.arena.CreateApiToken(asked, metadata=authorization, timeout=PATIENCE).token
    return token


@pytest.mark.slow
def test_an_archive_is_handed_in_and_played_with(server: LiveServer, client: httpx.Client) -> None:
    token = server.register("bee")
    headers = {"authorization": f"Bearer {token}", "content-type": "application/gzip"}
    answer = client.post("/api/bots/bee/programs?check_only=1", content=PACKED, headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (201, "/account/program?name=bee&number=1")
    program = ParseDict(answer.json(), programs_pb2.Program())
    assert (program.bot, program.number, program.size) == ("bee", 1, len(PACKED))
    assert not program.activates
    asked = {"bot": "bee", "number": 1}
    with host_process(server, token=host_token(server)):
        until(lambda: get(server, "bee", 1).state != programs_pb2.PROGRAM_STATE_CHECKING)
        told = client.post("/api/calls/GetProgram", json=asked, headers={"authorization": f"Bearer {token}"}).json()
        assert (told["program"]["state"], told["program"]["active"]) == ("PROGRAM_STATE_READY", False)
        client.post("/api/bots/bee/programs", content=PACKED, headers=headers).raise_for_status()
        until(lambda: get(server, "bee", 2).active)
        told = farfalia("nodes", "--server", server.grpc_address, folder=server.folder)
        assert "anthill" in told
        assert "none: protects nobody" in told
        (listed,) = json.loads(farfalia("nodes", "--json", "--server", server.grpc_address, folder=server.folder))[
            "hosts"
        ]
        (host,) = client.get("/api/hosts").raise_for_status().json()["hosts"]
        assert listed["report"]["name"] == host["report"]["name"]
        assert (host["report"]["name"], host["report"]["sandbox"], host["lost"]) == ("anthill", "none", False)


@pytest.mark.parametrize(
    ("content", "query", "headers", "status", "said"),
    [
        (b"", "", {}, 400, "the body is empty; expected a tar"),
        (b"print('hello')", "", {}, 400, "the body is no archive; expected a tar"),
        (bytes(LARGEST_ARCHIVE + 1), "", {}, 413, "more than 50 MB were sent"),
        (PACKED, "", {"content_type": "application/x-www-form-urlencoded"}, 415, "expected that of an archive"),
        (PACKED, "", {"content_type": "multipart/form-data; boundary=x"}, 415, "expected that of an archive"),
        (PACKED, "?check_only=perhaps", {}, 400, "expected true or false"),
        (PACKED, "?check=1", {}, 400, "there is no parameter 'check'"),
    ],
    ids=["empty", "no archive", "too large", "a form", "a form with files", "no flag", "no parameter"],
)
def test_what_cannot_be_handed_in_is_refused(
    server: LiveServer,
    client: httpx.Client,
    token: str,
    content: bytes,
    query: str,
    headers: dict[str, str],
    status: int,
    said: str,
) -> None:
    before = count(server)
    answer = sent(client, token, content, query=query, **headers)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert said in answer.json()["detail"]
    assert count(server) == before


def test_a_body_of_unknown_length_is_cut_off_where_it_is_too_large(client: httpx.Client, token: str) -> None:
    answer = sent(client, token, (bytes(1 << 20) for _ in range(60)))
    assert answer.status_code == 413


def test_no_cookie_and_no_stranger_hands_in(server: LiveServer, client: httpx.Client, token: str) -> None:
    with Browser(server) as browser:
        browser.sign_up("olga")
        assert sent(browser.client, "").json()["reason"] == "TOKEN_MISSING"
    stranger = server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name="stranger")).token
    assert (sent(client, stranger).status_code, sent(client, "no such token").status_code) == (403, 401)
    assert count(server) == 0


def test_a_request_that_is_made_again_with_its_key_hands_in_once(
    server: LiveServer, client: httpx.Client, token: str
) -> None:
    answers = [sent(client, token, idempotency_key="once").raise_for_status().json() for _ in range(2)]
    assert answers[0] == answers[1]
    other = sent(client, token, archive(bot=f"{GOOD}\n"), idempotency_key="once")
    assert (other.status_code, other.json()["reason"]) == (400, "KEY_REUSED")
    assert count(server) == answers[0]["number"]


def test_only_a_post_hands_in(client: httpx.Client, token: str) -> None:
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        answer = client.request(method, "/api/bots/ant/programs", headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 405, method
