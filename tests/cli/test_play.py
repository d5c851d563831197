"""`farfalia play`: a person answers at a prompt, in this process and on a server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.server.live import live_server

_ACTION = re.compile(r"^- ([^:\n]+)", re.MULTILINE)


def played(*arguments: str, answers: int = 10_000, back_at: int = -1) -> tuple[int, str]:
    """The exit code and the output of the command, answered with the first action that it shows, then with nothing;
    at one question the decision before is taken back.
    """
    command = [sys.executable, "-m", "farfalia_server", "play", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said, asked = "", 0
        while one := process.stdout.read(1):
            said += one
            if said.endswith("\n> "):
                action = "<" if asked == back_at else _ACTION.findall(said)[0] if asked < answers else ""
                asked += 1
                said = ""
                process.stdin.write(f"{action}\n")
                process.stdin.flush()
        return process.wait(), said


def test_a_person_plays_a_match_at_the_prompt() -> None:
    code, said = played("basic", "--opponent", "greedy", "--seed", "3")
    assert code == 0
    assert "The match is over. Your place: " in said


def questions(*typed: str) -> list[str]:
    """What is said at each prompt of a match in this process, and after the last line that is typed."""
    command = [sys.executable, "-m", "farfalia_server", "play", "two", "--seed", "3"]
    done = subprocess.run(
        command, input="".join(f"{one}\n" for one in typed), capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return done.stdout.split("> ")


def test_a_decision_is_taken_back_and_asked_anew() -> None:
    first = questions()[0]
    action = _ACTION.findall(first)[0]
    asked = questions(action, "<", "<", action, "<")
    assert "takes your last decision back" not in first
    assert "< takes your last decision back." in asked[1]
    assert asked[2] == first
    assert asked[3].startswith("No decision can be taken back at this question.")
    assert asked[4] == asked[1], "the same answer leads to the same question"
    assert asked[5] == asked[2]


def test_what_is_not_legal_is_said_and_asked_again() -> None:
    command = [sys.executable, "-m", "farfalia_server", "play", "two", "--seed", "3"]
    done = subprocess.run(command, input="S99\n", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "'S99' is not legal" in done.stdout
    assert not done.stderr


def test_wrong_arguments_are_named(farfalia: Command) -> None:
    assert "there is no game 'whist'" in farfalia.refused("play", "whist")
    assert "The opponent is 'deep-blue'" in farfalia.refused("play", "--opponent", "deep-blue", code=2)
    assert "Today's board is a server's" in farfalia.refused("play", "two", "--today", code=2)
    both = ("play", "two", "--server", "x", "--today", "--opponent", "greedy")
    assert "Today's board has its own opponents" in farfalia.refused(*both, code=2)
    assert "A seed is for a match in this process" in farfalia.refused("play", "--server", "x", "--seed", "1", code=2)


@pytest.mark.slow
def test_a_guest_plays_on_a_server_and_may_give_up(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        code, said = played("basic", "--opponent", "greedy", "--server", server.grpc_address)
        assert code == 0
        assert "The match is over. Your place: " in said
        assert any(seat.person for seat in server.record(1).seats)
        assert not server.record(1).taken_back
        code, _ = played("basic", "--server", server.grpc_address, back_at=3)
        assert code == 0
        assert [one.decisions for one in server.record(2).taken_back] == [1]
        code, _ = played("basic", "--server", server.grpc_address, answers=2)
        assert code == 1
        code, said = played("two", "--server", server.grpc_address, "--today")
        assert code == 0
        assert re.search(r"The board of \d{4}-\d\d-\d\d", said)
        assert re.search(r"guest-\w+ .* you", said)
