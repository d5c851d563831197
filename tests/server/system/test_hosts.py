"""Programs that are handed in: checked, played by hosts that come and go, and refused with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.live import LiveServer, live_server, until
from tests.server.system.hosts import TEN_LINES, HostProcess, a_folder, is_connected, submit

from farfalia.v1 import bots_pb2, matches_pb2, programs_pb2

pytestmark = pytest.mark.slow

_BOTS = ("ada", "bea", "cay")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path) as server:
        yield server


def test_a_program_is_checked_and_plays_as_a_version_of_its_own(server: LiveServer) -> None:
    token = server.register("ada")
    folder = a_folder(server, "ada", {"bot.py": TEN_LINES})
    with HostProcess(server, "one"):
        done = submit(server, token, str(folder), "--bot", "ada")
        assert done.returncode == 0, done.stderr
        for step in ("unpacked", "built", "started", "connected", "situations", "matches"):
            assert f"ok     {step}" in done.stderr
        assert done.stdout == "Program 1 of ada is ready: ada plays with it, as version p1.\n"
        until(lambda: is_connected(server, "ada"))
        number = server.tournament(["ada", "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=3)
        for match in server.wait_for_matches(number):
            record = server.record(match.id)
            assert server.verify(record) == []
            assert not record.incidents
            assert [seat.version for seat in record.seats if seat.bot == "ada"] == ["p1"]
        listed = submit(server, token, "--list", "--bot", "ada").stdout
        assert "p1" in listed
        assert "plays" in listed


def test_matches_go_on_while_one_host_after_the_other_is_killed(server: LiveServer) -> None:
    with ExitStack() as stack:
        hosts = [stack.enter_context(HostProcess(server, name)) for name in ("one", "two")]
        for name in _BOTS:
            folder = a_folder(server, name, {"bot.py": TEN_LINES})
            done = submit(server, server.register(name), str(folder), "--bot", name)
            assert done.returncode == 0, done.stderr
        number = server.tournament([*_BOTS, "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=30)
        for attempt in range(6):
            host = hosts[attempt % 2]
            time.sleep(2)
            host.kill()
            time.sleep(1)
            host.start()
        matches = server.wait_for_matches(number)
    assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_FINISHED}
    assert len(matches) == 30
    for match in matches:
        record = server.record(match.id)
        assert server.verify(record) == []
        assert not record.incidents, record.incidents
    attempts = server.call("ListVoidAttempts", matches_pb2.ListVoidAttemptsRequest(tournament=number))
    assert not attempts.attempts
    ratings = server.call("GetBot", bots_pb2.GetBotRequest(name="ada")).bot.ratings
    assert [rating.matches for rating in ratings] == [30]


@pytest.mark.parametrize(
    ("files", "step", "text"),
    [
        ({"notes.txt": "x"}, "unpacked", "it is not clear what to start"),
        ({"bot.py": "import nothing_like_this\n"}, "connected", "ended with exit code 1"),
        (
            {"bot.py": TEN_LINES.replace("random.choice(view.legal)", "99")},
            "situations",
            "it failed at the question 1",
        ),
        (
            {"farfalia.toml": 'runtime = "native"\ncommand = ["sh", "-c", "exit 3"]\nbuild = ["false"]\n'},
            "built",
            "the build ended with exit code 1",
        ),
    ],
)
def test_a_program_that_fails_its_check_is_refused_with_the_step_and_its_own_output(
    server: LiveServer, files: dict[str, str], step: str, text: str
) -> None:
    token = server.register("ada")
    with HostProcess(server, "one"):
        done = submit(server, token, str(a_folder(server, "ada", files)), "--bot", "ada")
    assert done.returncode == 1
    assert f"FAILED {step}" in done.stderr
    assert text in done.stderr
    assert "program 1 of ada is refused" in done.stderr
    if "bot.py" in files and step == "connected":
        assert "No module named 'nothing_like_this'" in done.stderr
    program = server.call("GetProgram", programs_pb2.GetProgramRequest(bot="ada")).program
    assert (program.state, program.active) == (programs_pb2.PROGRAM_STATE_REFUSED, False)


def test_a_crash_costs_its_bot_a_strike_and_the_owner_reads_why(server: LiveServer) -> None:
    token = server.register("ada")
    crashing = TEN_LINES.replace(
        "        return", '        if view.match > 100:\n            raise SystemExit("no idea")\n        return'
    )
    with HostProcess(server, "one"):
        # The matches of the check have small numbers.
        server.wait_for(server.tournament(["house-greedy-1", "house-random-1"], ruleset="two", rounds=100))
        done = submit(server, token, str(a_folder(server, "ada", {"bot.py": crashing})), "--bot", "ada")
        assert done.returncode == 0, done.stderr
        until(lambda: is_connected(server, "ada"))
        number = server.tournament(["ada", "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=1)
        match = server.wait_for_matches(number)[0]
    found = server.call("GetBot", bots_pb2.GetBotRequest(name="ada", match=match.id))
    assert any("the program ended with exit code 1" in line.line.text for line in found.logs), found.logs
    assert server.record(match.id).incidents


def test_who_connects_by_himself_is_told_that_the_arena_plays(server: LiveServer) -> None:
    token = server.register("ada")
    with HostProcess(server, "one"):
        submit(server, token, str(a_folder(server, "ada", {"bot.py": TEN_LINES})), "--bot", "ada")
        environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
        own = [sys.executable, "-m", "farfalia.bots", "random"]
        refused = subprocess.run(own, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 3
        assert "the arena plays for ada" in refused.stderr
        done = submit(server, token, "--activate", "0", "--bot", "ada")
        assert "connect it with its token" in done.stdout
        until(lambda: not is_connected(server, "ada"))
        with subprocess.Popen(own, env=environment, stderr=subprocess.DEVNULL) as playing:
            until(lambda: is_connected(server, "ada"))
            playing.kill()


def test_without_a_host_it_is_said_who_can_start_one(server: LiveServer) -> None:
    token = server.register("ada")
    folder = a_folder(server, "ada", {"bot.py": TEN_LINES})
    environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
    command = [sys.executable, "-m", "farfalia_server", "submit", str(folder), "--bot", "ada"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as waiting:
        assert waiting.stderr is not None
        lines = iter(waiting.stderr.readline, "")
        assert any("no host is there that checks it" in line for line in lines)
        with HostProcess(server, "one"):
            assert waiting.wait(60) == 0
