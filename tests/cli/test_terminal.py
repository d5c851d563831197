"""What a server, a record or a program that may be anyone's shows on a real terminal: text, and nothing it obeys."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.cli import forked
from tests.cli.command import played, write
from tests.cli.screen import STYLE, read_to_end

from farfalia.v1 import arena_pb2_grpc, bots_pb2, ladders_pb2, record_pb2, tournaments_pb2

#: A title, a screen that is wiped, a bell, a C1 control, a line of its own, and text that runs the other way.
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x07\x9b31m\r\nforged line\u2028\u202egnihton"
WAIT = ladders_pb2.LadderWait(ladder=HOSTILE, text=HOSTILE)


class Hostile(arena_pb2_grpc.ArenaServiceServicer):
    """A server whose every text is hostile. A stub, since ours says no such thing."""

    def GetBot(self, request: Any, context: Any) -> bots_pb2.GetBotResponse:  # noqa: N802
        answer = bots_pb2.GetBotResponse(
            bot=bots_pb2.BotInfo(
                name=HOSTILE,
                owner=HOSTILE,
                version=HOSTILE,
                waiting=[WAIT],
            ),
            logs=[bots_pb2.BotLog()],
            incidents=[bots_pb2.BotIncident(incident=record_pb2.Incident(text=HOSTILE))],
        )
        answer.logs[0].line.text = "first\n" + HOSTILE
        return answer

    def GetTournament(self, request: Any, context: Any) -> tournaments_pb2.GetTournamentResponse:  # noqa: N802
        tournament = tournaments_pb2.Tournament(id=1, name=HOSTILE, ruleset=HOSTILE, waiting=HOSTILE)
        tournament.balances.add(text=HOSTILE)
        tournament.standings.add(entrant=HOSTILE + "x" * 100_000)
        return tournaments_pb2.GetTournamentResponse(tournament=tournament)

    def ListBots(self, request: Any, context: Any) -> bots_pb2.ListBotsResponse:  # noqa: N802
        context.set_code(grpc.StatusCode.NOT_FOUND)
        context.set_details(HOSTILE.replace("\r\n", " "))
        return bots_pb2.ListBotsResponse()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(Hostile(), server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def on_a_terminal(*arguments: str, server: str = "", keys: bytes = b"") -> str:
    """Everything that a command writes to a terminal, outputs and errors; these keys are pressed before."""
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "FARFALIA_SERVER": server}
    process = forked.start(arguments, environment, slave, slave, stdin=slave)
    os.close(slave)
    os.write(master, keys)
    said = read_to_end(master)
    process.wait(60)
    return said


def harmless(said: str) -> str:
    """What was said; no control character but the terminal's own line ends and our styles."""
    text = STYLE.sub("", said)
    found = [one for one in text if (ord(one) < 32 and one not in "\r\n") or 0x7F <= ord(one) < 0xA0]
    assert found == [], repr(text[:2000])
    assert not {"\u202e", "\u2028"} & set(text)
    assert not any(line.startswith("forged") for line in text.splitlines())
    return text


@pytest.mark.parametrize(
    "arguments",
    [
        ("bot", "show", "x"),
        ("bot", "show", "x", "--json"),
        ("tournament", "show", "1"),
        ("tournament", "show", "1", "--json"),
        ("bot", "list"),
    ],
    ids=" ".join,
)
def test_a_hostile_server_shows_text_only(address: str, arguments: tuple[str, ...]) -> None:
    text = harmless(on_a_terminal(*arguments, server=address))
    assert "owned" in text
    if "--json" not in arguments:
        assert len(text) < 10_000


@pytest.mark.parametrize("command", [("replay",), ("replay", "--json"), ("verify",)], ids=" ".join)
def test_a_hostile_record_shows_text_only(tmp_path: Path, command: tuple[str, ...]) -> None:
    record = played()
    seats = tuple(replace(seat, name=f"{HOSTILE} {at}", bot=HOSTILE) for at, seat in enumerate(record.seats))
    path = write(tmp_path / "record.json", replace(record, seats=seats))
    name, *options = command
    text = harmless(on_a_terminal(name, str(path), *options))
    assert ("hold" if name == "verify" else "gnihton") in text


def test_a_match_is_told_card_by_card_at_each_key(tmp_path: Path) -> None:
    """Two cards, then the rest of the trick, a card of the next deal, and the end."""
    path = write(tmp_path / "record.json", played())
    text = harmless(on_a_terminal("replay", str(path), "--step", "--deal", "2", keys=b"  t d q"))
    places = [line.partition(":")[0] for line in text.splitlines() if line.startswith("Trick ")]
    assert places == [*(f"Trick 1, card {card}" for card in range(1, 6)), "Trick 2, card 1", "Trick 1, card 1"]
    assert "ben deals deal 2. ben discards" in " ".join(text.split())
    assert "cleo deals deal 3." in " ".join(text.split())


@pytest.mark.parametrize("number", ["9" * 5000, "²"])
def test_a_number_that_no_match_has_is_told_in_a_sentence(number: str) -> None:
    text = harmless(on_a_terminal("replay", number, server="127.0.0.1:1"))
    assert "Traceback" not in text
    assert len(text) < 1000


def test_what_a_program_prints_before_it_dies_is_text_only(tmp_path: Path) -> None:
    program = tmp_path / "dies.py"
    program.write_text(f"import sys\nsys.stdout.write({HOSTILE!r})\nsys.exit(1)\n")
    text = harmless(on_a_terminal("run", "--bot", f"{sys.executable} {program}", "--rounds", "1"))
    assert "gnihton" in text
