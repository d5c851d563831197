"""Programs that harm a host: each is ended, its owner reads which limit, and those beside it play on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from tests.server.live import LiveServer, live_server, until
from tests.server.system.hosts import TEN_LINES, HostProcess, a_folder, is_connected, submit

from farfalia.v1 import matches_pb2, programs_pb2

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="a sandbox that ends such programs needs Linux"),
]

_NEVER = "had not connected within 20 seconds"
#: What a program does in place of connecting, and what its owner reads of it.
BAD = {
    "forks": ("while True: os.fork()", "it was ended: it "),
    "memory": ("kept = []\nwhile True: kept.append(b'x' * (1 << 24))", "more than 512 MB of memory"),
    "disk": ("with open('/tmp/full', 'wb') as file:\n    while True: file.write(bytes(1 << 20))", "File too large"),
    "files": ("for n in range(100_000): open(f'/tmp/{n}', 'w').close()", "more than 10,000 temporary files"),
    "output": ("while True: print('x' * 1000)", "more than 1 MB of output"),
    "sleeps": ("time.sleep(1000)", _NEVER),
    "spins": ("while True: pass", _NEVER),
    "deaf": ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)", _NEVER),
    "orphans": ("if os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\nos._exit(7)", "ended with exit code 7"),
    "network": ("socket.create_connection(('127.0.0.1', int(open('port').read())), 5)", "Connection refused"),
    "secrets": ("print(sorted(os.environ))\nos._exit(8)", "ended with exit code 8"),
    "terminal": (r"print('\x1b]0;owned\x07\x1b[2Jhello')" + "\nos._exit(9)", "hello"),
}

#: A second try of a test needs a bot of its own: the first one keeps its name.
_TRIES = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("bad")) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def neighbour(server: LiveServer) -> Iterator[None]:
    """A bot on the same host, which plays all the time without a strike."""
    with HostProcess(server, "one"):
        folder = a_folder(server, "ada", {"bot.py": TEN_LINES})
        done = submit(server, server.register("ada"), str(folder), "--bot", "ada")
        assert done.returncode == 0, done.stderr
        until(lambda: is_connected(server, "ada"))
        number = server.tournament(["ada", "house-greedy-1"], ruleset="four", rounds=1000)
        yield
        assert server.show(number).running
    over = [match for match in server.matches(number) if match.state == matches_pb2.MATCH_STATE_FINISHED]
    assert over
    assert not any(server.record(match.id).incidents for match in over)


def processes_of(script: str) -> list[str]:
    """The processes of this machine that run a script."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if script.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
    return found


@pytest.mark.parametrize("name", BAD)
def test_a_program_is_ended_and_nothing_of_it_stays(server: LiveServer, name: str) -> None:
    source, said = BAD[name]
    bot = f"{name}{next(_TRIES)}"
    files = {
        "farfalia.toml": f'runtime = "python"\ncommand = ["python", "{bot}.py"]\n',
        f"{bot}.py": f"import os, signal, socket, time\n{source}\n",
        "port": server.grpc_address.rpartition(":")[2],
    }
    done = submit(server, server.register(bot), str(a_folder(server, bot, files)), "--bot", bot)
    assert done.returncode == 1
    assert f"program 1 of {bot} is refused" in done.stderr
    assert said in done.stderr
    assert "\x1b" not in done.stderr
    assert "FARFALIA_HOST_TOKEN" not in done.stderr
    program = server.call("GetProgram", programs_pb2.GetProgramRequest(bot=bot)).program
    assert program.state == programs_pb2.PROGRAM_STATE_REFUSED
    until(lambda: processes_of(f"{bot}.py") == [])
