"""The `farfalia` command as a process that is forked off one that has imported everything: quick, and yet a process.

`python -m tests.cli.forked FD` reads calls from a socket and forks for each; `start` and `run` make these calls.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from farfalia_server.__main__ import main
from farfalia_server.cli.commands import MODULES

ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 1 << 16
_LOCK = threading.Lock()
_calls: socket.socket | None = None


class Process:
    """A process of the command, as `subprocess.Popen` has one; it leads a session of its own."""

    def __init__(self, report: int) -> None:
        self._report = open(report, encoding="ascii")  # noqa: SIM115
        self.pid = int(self._report.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code once it has ended; raises `subprocess.TimeoutExpired`."""
        if self.returncode is None:
            ended = select.poll()
            ended.register(self._report)
            if not ended.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired(f"farfalia (process {self.pid})", timeout or 0)
            self.returncode = int(self._report.readline())
            self._report.close()
        return self.returncode

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send it a signal unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send it SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send it SIGKILL."""
        self.send_signal(signal.SIGKILL)


def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    stdout: int,
    stderr: int,
    *,
    stdin: int | None = None,
    folder: Path = ROOT,
    descriptors: int = 0,
) -> Process:
    """Start `farfalia ARGUMENTS` in this folder with these files, with nothing to read unless there is a `stdin`.

    `descriptors` is how many files and sockets it may have open, 0 for as many as this process.
    """
    call: dict[str, Any] = {
        "arguments": list(arguments),
        "environment": dict(environment),
        "folder": str(folder),
        "descriptors": descriptors,
    }
    report, reported = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        with _LOCK:
            files = [nothing if stdin is None else stdin, stdout, stderr, reported]
            socket.send_fds(_forker(), [json.dumps(call).encode() + b"\n"], files)
            os.close(reported)
            return Process(report)
    finally:
        os.close(nothing)


def watched(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, stdout: Path
) -> tuple[Process, IO[str]]:
    """Start `farfalia ARGUMENTS`, its output into a file; returns it with what it says on standard error."""
    read, write = os.pipe()
    with stdout.open("wb") as out:
        process = start(arguments, environment, out.fileno(), write, folder=folder)
    os.close(write)
    return process, os.fdopen(read, encoding="utf-8")


def run(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], limit: float
) -> subprocess.CompletedProcess[str]:
    """What came of `farfalia ARGUMENTS` in this folder, with nothing to read; it must end within `limit` seconds."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = start(arguments, environment, stdout.fileno(), stderr.fileno(), folder=folder)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            message = f"farfalia {' '.join(arguments)} took more than {limit} s:\n{_text(stdout)}\n{_text(stderr)}"
            raise AssertionError(message) from None
        return subprocess.CompletedProcess(arguments, code, _text(stdout), _text(stderr))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _forker() -> socket.socket:
    """Where calls are sent to; the first one starts the process that forks, which ends with this one."""
    global _calls
    if _calls is None:
        _calls, there = socket.socketpair()
        with there:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.cli.forked", str(there.fileno())],
                cwd=ROOT,
                pass_fds=[there.fileno()],
                start_new_session=True,
            )
        atexit.register(process.wait)
        atexit.register(_calls.close)
    return _calls


def _next_call(calls: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """In the process that forks: None once there are no more calls. In those that it forked: the call and its files."""
    while True:
        said, files, _, _ = socket.recv_fds(calls, _LONGEST, 4)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not said:
            return None
        while not said.endswith(b"\n"):
            said += calls.recv(_LONGEST)
        *files, report = files
        if not os.fork():  # this one tells of its child: the process that forks has others to fork meanwhile
            calls.close()
            os.setsid()
            child = os.fork()
            if not child:
                os.close(report)
                call: dict[str, Any] = json.loads(said)
                return call, files
            for file in files:
                os.close(file)
            os.write(report, f"{child}\n".encode())
            os.write(report, f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
            os._exit(0)
        for file in (*files, report):
            os.close(file)


def _become(call: dict[str, Any], files: list[int]) -> None:
    """Make this process what a shell would have made for the call."""
    os.setsid()
    os.environ.clear()
    os.environ.update(call["environment"])
    os.chdir(call["folder"])
    if call["descriptors"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (call["descriptors"], call["descriptors"]))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["farfalia", *call["arguments"]]


if __name__ == "__main__":
    for name in ("app", "cli.logs", "event_loop", *(f"cli.{module}" for module in set(MODULES.values()))):
        import_module(f"farfalia_server.{name}")
    for name in ("aiosqlite", "trueskill", "uvicorn.lifespan.off"):  # what a server imports as late as it can
        import_module(name)
    gc.freeze()  # what was imported need not be copied
    found = _next_call(socket.socket(fileno=int(sys.argv[1])))
    if found is not None:
        _become(*found)
        main()
