"""`farfalia bench` that is interrupted: whatever it has started ends with it, quietly, and leaves no files."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.command import LIMIT, environment
from tests.server.live import until

pytestmark = pytest.mark.slow

#: What a command that was interrupted may say, besides how far it had got.
SAID = re.compile(r"(\w+: \d+ of \d+|Stopped\.|Aborted[.!]|)")
LOOP = ("loop", "--seconds", "600", "--bots", "6", "--matches", "1000", "--tables", "2")
SERVER = ("server", "--tables", "1", "--seconds", "600")
#: More work than the test waits for.
POOL = ("luck", "--matches", "1000000")
PEERS = ("peers", "--seconds", "600")
#: In the command line of a process: a server that starts, bots that play, a worker of a pool, an environment that is
#: made, a loop that runs in one.
STARTS, LOOP_STARTS, PLAYS, COMPUTES = "farfalia_server serve", "measured_server", "bench.server.bots", "spawn_main"
MAKES, RUNS = "-m venv", "bench.peers.loops"


class Bench:
    """A benchmark that runs, and the processes that it has started, which its environment marks."""

    def __init__(self, arguments: tuple[str, ...], folder: Path, files: Path) -> None:
        self.files = files
        self._mark = f"BENCH_{secrets.token_hex(8)}"
        self._stderr = folder / "stderr"
        with self._stderr.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "farfalia_server", "bench", *arguments],
                env=environment(TMPDIR=str(self.files), **{self._mark: "1"}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )

    @property
    def stderr(self) -> str:
        return self._stderr.read_text()

    def started(self) -> dict[int, str]:
        """The command lines of the processes that are alive, by number."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                # A Redis writes over its environment; its socket is in the folder.
                if self._mark.encode() in (folder / "environ").read_bytes() or str(self.files) in line:
                    found[int(folder.name)] = line
            except OSError:  # it has ended, or is another user's
                continue
        return found

    def wait_for(self, sign: str) -> None:
        """Wait until a process with this in its command line is there."""
        until(lambda: any(sign in line for line in self.started().values()) or self.process.poll() is not None)
        assert self.process.poll() is None, self.stderr


@contextmanager
def benchmark(arguments: tuple[str, ...], folder: Path) -> Iterator[Bench]:
    """Run it; if the test fails, nothing is left of it either."""
    # Its name is short: otherwise the socket of a Redis is elsewhere, and nothing says whose it is.
    with tempfile.TemporaryDirectory() as files:
        bench = Bench(arguments, folder, Path(files))
        try:
            yield bench
        finally:
            for pid in bench.started():
                os.kill(pid, signal.SIGKILL)
            bench.process.wait()


@pytest.mark.parametrize(
    ("arguments", "sign", "how"),
    [
        pytest.param(arguments, sign, how, id=f"{name}, {how}", marks=() if how == usual else pytest.mark.prove)
        for name, arguments, sign, usual in (
            ("loop that starts", LOOP, LOOP_STARTS, "ctrl-c"),
            ("loop that measures", LOOP, PLAYS, "sigterm"),
            ("server that starts", SERVER, STARTS, "timeout"),
            ("server that measures", SERVER, PLAYS, "ctrl-c"),
            ("pool", POOL, COMPUTES, "sigterm"),
            ("peers that are installed", PEERS, MAKES, "timeout"),
            ("peers that are measured", (*PEERS, "--python", sys.executable), RUNS, "sigterm"),
        )
        for how in ("ctrl-c", "sigterm", "timeout")
    ],
)
def test_an_interrupted_benchmark_ends_with_all_that_it_has_started(
    arguments: tuple[str, ...], sign: str, how: str, tmp_path: Path
) -> None:
    with benchmark(arguments, tmp_path) as bench:
        bench.wait_for(sign)
        number = signal.SIGINT if how == "ctrl-c" else signal.SIGTERM
        if how != "ctrl-c":
            bench.process.send_signal(number)
        if how != "sigterm":  # `timeout` sends its signal to the process, and then to its group
            os.killpg(bench.process.pid, number)
        assert bench.process.wait(LIMIT) == 128 + number, bench.stderr
        until(lambda: not bench.started())
        assert [line for line in bench.stderr.splitlines() if not SAID.fullmatch(line)] == []
        assert list(bench.files.iterdir()) == []


def test_the_pool_of_a_benchmark_that_was_killed_ends_by_itself(tmp_path: Path) -> None:
    with benchmark(POOL, tmp_path) as bench:
        bench.wait_for(COMPUTES)
        bench.process.kill()
        until(lambda: not bench.started())
