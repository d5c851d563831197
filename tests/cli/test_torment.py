"""`farfalia torment`: what it prints, and how it ends, with a server that does nothing of what it must."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.cli.command import LIMIT, Command, environment
from tests.tools.torment.lenient import lenient_server


@pytest.fixture(scope="module")
def lenient() -> Iterator[str]:
    with lenient_server() as (address, _):
        yield address


def test_a_server_that_lets_everything_pass_is_reported(farfalia: Command, lenient: str) -> None:
    ended = farfalia("torment", lenient, "--only", "garbage", "--seconds", 1)
    assert ended.returncode == 1
    line, count = ended.stdout.splitlines()
    assert line.startswith("garbage: Send bytes that are no message")
    assert "Must hold: Each stream ends with MESSAGE_UNREADABLE" in line
    assert line.endswith("DID NOT HOLD: the stream's end (MESSAGE_UNREADABLE) did not come within 1 s.")
    assert count == "0 of 1 torments held."
    (found,) = json.loads(farfalia("torment", lenient, "--only", "garbage", "--seconds", 1, "--json").stdout)[
        "torments"
    ]
    assert (found["name"], found["held"], "MESSAGE_UNREADABLE" in found["seen"]) == ("garbage", False, True)


def test_all_torments_are_listed_without_a_server(farfalia: Command) -> None:
    listed = farfalia("torment", "--list", "--json")
    assert listed.returncode == 0
    told = json.loads(listed.stdout)["torments"]
    assert "garbage" in [one["name"] for one in told]
    assert all(one["does"].endswith(".") and one["must"].endswith(".") for one in told)


def test_a_torment_that_needs_a_proxy_says_so_and_is_refused_without_one(farfalia: Command) -> None:
    listed = farfalia("torment", "--list")
    assert "rapid-resets (needs --proxy): Begin calls and cancel each at once" in " ".join(listed.stdout.split())
    told = json.loads(farfalia("torment", "--list", "--json").stdout)["torments"]
    assert {one["name"]: one["needs_proxy"] for one in told}.items() >= {("rapid-resets", True), ("garbage", False)}
    ended = farfalia("torment", "127.0.0.1:1", "--only", "rapid-resets")
    assert ended.returncode == 2
    assert "rapid-resets needs --proxy ADDRESS" in " ".join(ended.stderr.split())


def test_without_a_server_there_is_nothing_to_torment(farfalia: Command) -> None:
    ended = farfalia("torment", "--only", "garbage")
    assert ended.returncode == 2
    assert "SERVER is missing" in ended.stderr
    nobody = farfalia("torment", "127.0.0.1:1", "--only", "garbage")
    assert nobody.returncode == 1
    assert "no server answers at 127.0.0.1:1" in nobody.stderr


def test_after_ctrl_c_nothing_is_left_behind() -> None:
    with lenient_server() as (address, arena):
        command = [sys.executable, "-m", "farfalia_server", "torment", address, "--only", "garbage"]
        process = subprocess.Popen(
            command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert arena.created.wait(LIMIT)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=LIMIT)
        assert process.returncode == 130
        assert said == "Stopped.\n"
        assert arena.cancelled.is_set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a process on a core")
def test_a_core_that_the_machine_does_not_have_is_refused(farfalia: Command) -> None:
    ended = farfalia("torment", "127.0.0.1:1", "--only", "people", "--hostile-core", 100_000)
    assert ended.returncode == 2
    assert "100000 is not one of two or more cores" in " ".join(ended.stderr.split())
