"""`run` as a program: how it is stopped, and what it says when it cannot go on."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import grpc
import pytest
from tests.cli import forked
from tests.clients.scripted import PATIENCE, End, Messages, ScriptedServer, greet, question, says, scripted
from tests.server.certificate import make_certificate

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
#: Hangs in the event loop, to which a method moves that was quick.
LATER_ENDLESS = ENDLESS.replace(
    '        print("thinking"',
    """        import threading
        if threading.current_thread() is not threading.main_thread():
            return view.legal[0]
        print("thinking\"""",
)
#: Lets nothing end it that can be caught.
STUBBORN = LATER_ENDLESS.replace(
    "            pass", "            try:\n                while True: pass\n            except: pass"
)


def start(program: str, address: str, **settings: str) -> forked.Bot:
    environment = os.environ | {"FARFALIA_SERVER": address, "FARFALIA_TOKEN": "token"} | settings
    return forked.bot(["-c", program], environment)


def outcome(program: forked.Bot) -> tuple[int, str]:
    """Exit code and what was said on stderr."""
    _, said = program.communicate(timeout=PATIENCE)
    return program.wait(), said


def seat(messages: Messages, seated: Event) -> Said:
    """Seat the bot at a table, and wait for its goodbye."""
    yield from greet(messages, open=[play_pb2.Seated(match=1)])
    yield PlayResponse(ping=play_pb2.Ping(nonce=1))
    next(message for message in messages if message.HasField("pong"))
    seated.set()
    next(message for message in messages if message.HasField("goodbye"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_once_to_stop_a_bot_says_goodbye_and_finishes_its_matches(number: signal.Signals) -> None:
    seated = Event()

    def script(messages: Messages) -> Said:
        yield from seat(messages, seated)
        yield PlayResponse(questions=[question(1)])
        assert next(message for message in messages if message.actions).actions[0].match == 1
        yield PlayResponse(finished=[play_pb2.Finished(match=1)])

    with scripted(script) as server:
        program = start(FIRST_LEGAL, server.address)
        assert seated.wait(PATIENCE)
        program.send_signal(number)
        code, said = outcome(program)
    assert code == 0
    assert "finishing open matches: 1; press Ctrl-C again to stop immediately" in said
    assert "Traceback" not in said


def test_told_twice_to_stop_a_bot_stops_at_once() -> None:
    seated, goodbye = Event(), Event()

    def script(messages: Messages) -> Said:
        yield from seat(messages, seated)
        goodbye.set()
        list(messages)

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
    goodbye = Event()

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield PlayResponse(questions=[question(1)])
        next(message for message in messages if message.HasField("goodbye"))
        goodbye.set()
        list(messages)

    with scripted(script) as server:
        program = start(ENDLESS, server.address)
        assert program.stdout.readline() == "thinking\n"
        program.send_signal(signal.SIGINT)
        assert goodbye.wait(PATIENCE)  # two signals that a busy machine delivers together are one
        program.send_signal(signal.SIGINT)
        code, said = outcome(program)
    assert code == 130
    assert "stopped at once" in said
    assert "Traceback" not in said


def ask_until_closed(messages: Messages) -> Said:
    yield from greet(messages)
    number = 1
    yield PlayResponse(questions=[question(1, number)])
    for message in messages:
        if message.actions:
            number += 1
            yield PlayResponse(questions=[question(1, number)])


@pytest.mark.parametrize("bot", [LATER_ENDLESS, STUBBORN], ids=["endless", "stubborn"])
def test_a_bot_that_blocks_everything_says_so_and_stops_when_told_again(bot: str) -> None:
    with scripted(ask_until_closed) as server:
        program = start(bot, server.address)
        assert program.stdout.readline() == "thinking\n"
        program.send_signal(signal.SIGTERM)
        while "told to stop, but play() has not returned for" not in program.stderr.readline():
            assert program.poll() is None
        program.send_signal(signal.SIGTERM)
        code, said = outcome(program)
    assert code == 130
    assert "stopped at once" in said
    assert "Traceback" not in said


def test_a_refusal_is_one_sentence_and_an_exit_code() -> None:
    def script(messages: Messages) -> Said:
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
    said = program.stderr.readline()
    while "cannot be reached" not in said:
        said = program.stderr.readline()
    assert "trying again in" in said
    assert program.stderr.readline() == (
        f"farfalia: Nothing listens at {refusing.address}: is the server up, and is that its address? "
        "It comes from FARFALIA_SERVER, or from run(bot, server=…).\n"
    )
    program.send_signal(signal.SIGINT)
    code, _ = outcome(program)
    assert code == 0


def test_the_port_of_the_pages_is_told_from_that_of_the_bots() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as pages:
        address = f"127.0.0.1:{pages.server_port}"
        Thread(target=pages.serve_forever, daemon=True).start()
        code, said = outcome(start(FIRST_LEGAL, address))
        pages.shutdown()
    assert code == 2
    assert said == (
        f"farfalia: {address} answers as a web server does; is that the port of the pages? "
        "Bots connect to the gRPC port, usually 7600.\n"
    )


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_a_quiet_bot_says_only_what_goes_wrong(how: str) -> None:
    wrong = play_pb2.Notice(reason="SOMETHING", text="Something is wrong.")
    script = says(PlayResponse(finished=[play_pb2.Finished(match=1)]), PlayResponse(notices=[wrong]))
    program = FIRST_LEGAL.replace("Bot())", "Bot(), quiet=True)") if how == "argument" else FIRST_LEGAL
    with scripted(script) as server:
        code, said = outcome(start(program, server.address, FARFALIA_QUIET="0" if how == "argument" else "1"))
    assert code == 3
    assert "Something is wrong. (SOMETHING)" in said
    assert "connected" not in said
    assert "match 1" not in said


def test_https_means_tls_with_a_certificate_that_is_checked(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "ours", "DNS:localhost")
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])

    script = says(ends=End(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN"))
    with scripted(script, credentials=credentials) as server:
        stranger = start(FIRST_LEGAL, server.address)
        assert "its certificate cannot be checked" in stranger.stderr.readline()
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
        "farfalia: The server's address is 'ftp://example.org'; expected host:port, farfalia://host:port or "
        "farfalias://host:port.\n"
    )


def test_without_an_address_the_environment_counts_and_then_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARFALIA_SERVER", raising=False)
    assert server(token="token").target == DEFAULT_SERVER
    monkeypatch.setenv("FARFALIA_SERVER", "arena:1")
    assert server(token="token").target == "arena:1"


def test_a_token_that_was_copied_with_something_else_is_refused() -> None:
    with pytest.raises(BadSetting, match="copied whole"):
        server("arena", "tok en")


def test_the_token_is_not_shown() -> None:
    assert "s3cret" not in repr(server("arena", "s3cret"))
