"""`run` as a program: how it is stopped, and what it says when it cannot go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from threading import Event

import grpc
import pytest
from tests.clients.scripted import PATIENCE, End, Frames, ScriptedServer, greet, question, scripted

from farfalia.errors import BadSetting
from farfalia.settings import DEFAULT_SERVER, server
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayResponse

Said = Generator[PlayResponse]

FIRST_LEGAL = "import farfalia; farfalia.run(farfalia.Bot())"
ENDLESS = """
import farfalia

class Endless(farfalia.Bot):
    def play(self, view):
        print("thinking", flush=True)
        while True:
            pass

farfalia.run(Endless())
"""


def start(program: str, address: str, **settings: str) -> subprocess.Popen[str]:
    environment = os.environ | {"FARFALIA_SERVER": address, "FARFALIA_TOKEN": "token"} | settings
    return subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def outcome(program: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and what was said on stderr."""
    _, said = program.communicate(timeout=PATIENCE)
    return program.returncode, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_once_to_stop_a_bot_says_goodbye_and_finishes_its_matches(number: signal.Signals) -> None:
    seated = Event()

    def script(frames: Frames) -> Said:
        yield from greet(frames, open=[play_pb2.Seated(match=1)])
        yield PlayResponse(ping=play_pb2.Ping(nonce=1))
        next(frame for frame in frames if frame.HasField("pong"))
        seated.set()
        next(frame for frame in frames if frame.HasField("goodbye"))
        yield PlayResponse(questions=[question(1)])
        assert next(frame for frame in frames if frame.actions).actions[0].match == 1
        yield PlayResponse(finished=[play_pb2.Finished(match=1)])

    with scripted(script) as server:
        program = start(FIRST_LEGAL, server.address)
        assert seated.wait(PATIENCE)
        program.send_signal(number)
        code, said = outcome(program)
    assert code == 0
    assert "finishing open matches: 1; once more stops at once" in said
    assert "Traceback" not in said


def test_told_twice_to_stop_a_bot_stops_at_once() -> None:
    seated, goodbye = Event(), Event()

    def script(frames: Frames) -> Said:
        yield from greet(frames, open=[play_pb2.Seated(match=1)])
        yield PlayResponse(ping=play_pb2.Ping(nonce=1))
        next(frame for frame in frames if frame.HasField("pong"))
        seated.set()
        next(frame for frame in frames if frame.HasField("goodbye"))
        goodbye.set()
        list(frames)

    with scripted(script) as server:
        program = start(FIRST_LEGAL, server.address)
        assert seated.wait(PATIENCE)
        program.send_signal(signal.SIGINT)
        assert goodbye.wait(PATIENCE)
        program.send_signal(signal.SIGINT)
        code, said = outcome(program)
    assert code == 130
    assert "Traceback" not in said


def test_even_a_bot_that_never_answers_can_be_stopped() -> None:
    def script(frames: Frames) -> Said:
        yield from greet(frames)
        yield PlayResponse(questions=[question(1)])
        list(frames)

    with scripted(script) as server:
        program = start(ENDLESS, server.address)
        assert program.stdout is not None
        assert program.stdout.readline() == "thinking\n"
        program.send_signal(signal.SIGINT)
        time.sleep(0.5)  # two signals at the same moment are one
        program.send_signal(signal.SIGINT)
        code, said = outcome(program)
    assert code == 130
    assert "Traceback" not in said


def test_a_refusal_is_one_sentence_and_an_exit_code() -> None:
    def script(frames: Frames) -> Said:
        raise End(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "this server knows no bot with this token")
        yield

    with scripted(script) as server:
        code, said = outcome(start(FIRST_LEGAL, server.address))
    assert code == 3
    assert said == "farfalia: The server refused: this server knows no bot with this token (TOKEN_UNKNOWN).\n"


def test_a_server_that_is_not_there_yet_is_waited_for() -> None:
    refusing = ScriptedServer(())
    refusing.stop()
    program = start(FIRST_LEGAL, refusing.address)
    assert program.stderr is not None
    said = program.stderr.readline()
    while "cannot be reached" not in said:
        said = program.stderr.readline()
    assert "trying again in" in said
    program.send_signal(signal.SIGINT)
    code, _ = outcome(program)
    assert code == 0


def test_https_means_tls_with_a_certificate_that_is_checked(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    command = [*make.split(), "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])

    def script(frames: Frames) -> Said:
        yield from greet(frames)
        raise End(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")

    with scripted(script, credentials=credentials) as server:
        stranger = start(FIRST_LEGAL, server.address)
        assert stranger.stderr is not None
        assert "CERTIFICATE_VERIFY_FAILED" in stranger.stderr.readline()
        stranger.kill()
        stranger.communicate()
        trusting = start(FIRST_LEGAL, server.address, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(certificate))
        code, said = outcome(trusting)
    assert code == 3
    assert f"connected to {server.address.removeprefix('https://')} as tester" in said


def test_an_address_that_is_none_is_said_before_anything_is_dialled() -> None:
    code, said = outcome(start(FIRST_LEGAL, "ftp://example.org"))
    assert code == 2
    assert said == (
        "farfalia: The server's address is 'ftp://example.org'; expected host:port, http://host:port or https://host.\n"
    )


@pytest.mark.parametrize(
    ("address", "target", "tls"),
    [
        ("arena", "arena:7600", False),
        ("arena:99", "arena:99", False),
        ("http://arena:99/", "arena:99", False),
        ("https://arena", "arena:443", True),
        ("https://arena:7600", "arena:7600", True),
        ("[::1]", "[::1]:7600", False),
        ("[::1]:99", "[::1]:99", False),
    ],
)
def test_an_address_says_where_and_how_to_dial(address: str, target: str, tls: bool) -> None:
    dialled = server(address, "token")
    assert (dialled.target, dialled.tls) == (target, tls)


def test_without_an_address_the_environment_counts_and_then_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARFALIA_SERVER", raising=False)
    assert server(token="token").target == DEFAULT_SERVER
    monkeypatch.setenv("FARFALIA_SERVER", "arena:1")
    assert server(token="token").target == "arena:1"


@pytest.mark.parametrize("address", ["arena:", "arena:99999", ":7600", "arena/x", "https://"])
def test_an_address_without_host_or_port_is_refused(address: str) -> None:
    with pytest.raises(BadSetting, match="expected host:port"):
        server(address, "token")


def test_a_token_that_was_copied_with_something_else_is_refused() -> None:
    with pytest.raises(BadSetting, match="copied whole"):
        server("arena", "tok en")


def test_the_token_is_not_shown() -> None:
    assert "s3cret" not in repr(server("arena", "s3cret"))
